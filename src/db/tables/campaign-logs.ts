import { EntitySchema } from 'typeorm';
import { id, json, longText, timestamp, reference, word } from './columns.ts';

/** Log entries of a campaign for people (`logs` of contract 11.5), without personal data. */
export interface CampaignLogRow {
  id: number;
  organizationId: number;
  campaignId: number;
  at: Date;
  level: 'info' | 'warning' | 'error';
  event: string;
  message: string;
  details: Record<string, unknown>;
}

export const campaignLogs = new EntitySchema<CampaignLogRow>({
  name: 'campaign_logs',
  columns: {
    id: id('campaign_logs'),
    organizationId: reference('organization_id'),
    campaignId: reference('campaign_id'),
    at: timestamp('at'),
    level: word('level', 8),
    event: word('event', 48),
    message: longText('message'),
    details: json('details'),
  },
  indices: [{ name: 'ix_campaign_logs_campaign', columns: ['campaignId', 'at'] }],
  foreignKeys: [
    {
      name: 'fk_campaign_logs_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_campaign_logs_campaign',
      target: 'campaigns',
      columnNames: ['campaignId'],
      referencedColumnNames: ['id'],
    },
  ],
});

import { EntitySchema } from 'typeorm';
import type { CampaignState } from '../../domain/campaign/state.ts';
import type { CampaignSettings } from '../../domain/campaign/settings.ts';
import { integer, json, longText, timestamp, nullable, id, reference, text, uuid, word } from './columns.ts';

/**
 * Calls to the contacts of one directory, by one agent, under one set of rules. Its targets are in
 * `campaign_targets`.
 */
export interface CampaignRow {
  id: number;
  uuid: string;
  organizationId: number;
  name: string;
  agentId: number;
  /** Pinned at the start if the rules say so; when null, each dial uses the published version. */
  versionId: number | null;
  directoryId: number;
  /** The import whose rows are called; null before planning. */
  importNumber: number | null;
  /** When null, the organization's default at each dial. */
  configurationId: number | null;
  state: CampaignState;
  /**
   * The settings as clients sent them: the fields of contract 11.5 and our own. src/domain/campaign/rules.ts
   * computes the rules from them.
   */
  settings: CampaignSettings;
  /** Rows of the file; null before planning. */
  totalRows: number | null;
  /** Rows up to this one have their targets. */
  plannedThroughRow: number;
  /** Whether all rows have their targets. */
  plannedAt: Date | null;
  syncFault: string | null;
  /** Why nothing is dialed now (src/domain/campaign/wait-reason.ts); null while the campaign dials. */
  waitReason: string | null;
  /** When the reason ends automatically; null if it does not, or if that is unknown. */
  waitUntil: Date | null;
  /** `finish`: live calls continue. `hang_up`: live calls are ended. Null when not stopped. */
  stopMode: 'finish' | 'hang_up' | null;
  /** The breaker ignores outcomes before this time. */
  breakerSince: Date | null;
  /** Until then the campaign has more to dial than lines, and others leave it its share. */
  wantsLinesUntil: Date | null;
  /**
   * After a change of hours, caps or the retry plan, the wait times of the rows behind this one are computed
   * again; null when all were.
   */
  reviseAfterRow: number | null;
  parentCampaignId: number | null;
  redialedCampaignId: number | null;
  createdByUserId: number | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
}

export const campaigns = new EntitySchema<CampaignRow>({
  name: 'campaigns',
  columns: {
    id: id('campaigns'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    name: text('name', 255),
    agentId: reference('agent_id'),
    versionId: nullable(reference('version_id')),
    directoryId: reference('directory_id'),
    importNumber: nullable(integer('import_number')),
    configurationId: nullable(reference('configuration_id')),
    state: word('state', 16),
    settings: json('settings'),
    totalRows: nullable(integer('total_rows')),
    plannedThroughRow: integer('planned_through_row'),
    plannedAt: nullable(timestamp('planned_at')),
    syncFault: nullable(longText('sync_fault')),
    waitReason: nullable(word('wait_reason', 32)),
    waitUntil: nullable(timestamp('wait_until')),
    stopMode: nullable(word('stop_mode', 16)),
    breakerSince: nullable(timestamp('breaker_since')),
    wantsLinesUntil: nullable(timestamp('wants_lines_until')),
    reviseAfterRow: nullable(integer('revise_after_row')),
    parentCampaignId: nullable(reference('parent_campaign_id')),
    redialedCampaignId: nullable(reference('redialed_campaign_id')),
    createdByUserId: nullable(reference('created_by_user_id')),
    createdAt: timestamp('created_at'),
    startedAt: nullable(timestamp('started_at')),
    completedAt: nullable(timestamp('completed_at')),
  },
  indices: [
    { name: 'uq_campaigns_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_campaigns_list', columns: ['organizationId', 'createdAt'] },
    { name: 'ix_campaigns_state', columns: ['state', 'organizationId'] },
    { name: 'ix_campaigns_directory', columns: ['directoryId'] },
  ],
  foreignKeys: [
    {
      name: 'fk_campaigns_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_campaigns_agent', target: 'agents', columnNames: ['agentId'], referencedColumnNames: ['id'] },
    {
      name: 'fk_campaigns_directory',
      target: 'directories',
      columnNames: ['directoryId'],
      referencedColumnNames: ['id'],
    },
  ],
});

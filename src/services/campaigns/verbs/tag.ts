import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { EntityManager } from 'typeorm';
import { matchesEdited, refuseUnseen, tagOf, type ServiceContext } from '../../kernel/index.ts';
import { editedFields } from './mapper.ts';

const edited: readonly string[] = [
  'name',
  'retry_config',
  'max_concurrency',
  'schedule_config',
  'circuit_breaker',
  'rules',
];
const isEdited = (field: string): boolean => edited.includes(field);

/** The entity tag of a campaign record. Calls, pauses and log entries change only its second part. */
export const campaignTag = (record: object): string => tagOf(record, isEdited);

/**
 * Checks `If-Match` for a locked campaign. Throws PreconditionError (412) naming the last change when somebody
 * has changed the campaign since.
 */
export async function requireCampaignAsSeen(
  tx: EntityManager,
  ctx: ServiceContext,
  { campaign, ifMatch }: { campaign: CampaignRow; ifMatch: string | undefined },
): Promise<void> {
  // guarantee: campaign-change-needs-current-tag
  if (ifMatch === undefined || matchesEdited(ifMatch, editedFields(campaign), isEdited)) return;
  await refuseUnseen(tx, ctx, { kind: 'campaign', id: campaign.id });
}

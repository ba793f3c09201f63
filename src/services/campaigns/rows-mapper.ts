import type { CampaignRowState } from '../../contract/campaigns.ts';
import type { CampaignTargetRow, TargetState } from '../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../db/tables/campaigns.ts';
import { rowWait } from '../../domain/campaign/row-wait.ts';
import type { CampaignRules } from '../../domain/campaign/rules.ts';
import { zonesOf } from '../../domain/phone/zones.ts';
import { wireMoment } from '../wire-moment.ts';

/** The states of contract 11.6. */
export const wireTargetState = { queued: 'queued', waiting: 'queued', processing: 'processing', processed: 'processed', failed: 'failed' } as const satisfies Record<TargetState, CampaignRowState['state']>;

interface Shown {
  campaign: CampaignRow;
  window: CampaignRules['window'];
  now: Date;
}

/** Where a row stands; of one that waits why, and until when. */
export function toRowState(target: CampaignTargetRow, { campaign, window, now }: Shown): CampaignRowState {
  const { state } = target;
  const wait = state === 'queued' || state === 'waiting' ? rowWait({ ...target, state, zones: zonesOf(target.zoneKey) }, { ...campaign, window }, now) : { reason: null, until: null };
  return {
    row: target.rowNumber,
    phone_number: target.phone,
    state: wireTargetState[state],
    reason: wait.reason,
    due_at: wait.until === null ? null : wireMoment(wait.until),
    attempts: target.attempts,
    tries: target.tries,
    outcome: target.outcome,
    workflow_run_id: target.callId,
    settled_at: target.settledAt === null ? null : wireMoment(target.settledAt),
  };
}

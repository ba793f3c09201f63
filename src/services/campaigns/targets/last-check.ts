import { LessThan, type DataSource } from 'typeorm';
import { countRows, findRow } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { isCapped } from '../../../domain/campaign/caps.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import { windowAt } from '../../../domain/campaign/windows.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { isStopped } from '../dial-policy/is-stopped.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { readDials } from './read-dials.ts';
import { readPolicy } from '../../telephony/index.ts';

/**
 * Checks directly before a campaign's call rings whether the conditions of its claim still hold. Null = it
 * may ring. Only calls of campaigns are checked.
 */
export async function lastCheck(
  { db, clock }: { db: DataSource; clock: Clock },
  { id: callId, campaignId, organizationId }: Pick<CallRow, 'id' | 'campaignId' | 'organizationId'>,
): Promise<NotDialed | null> {
  if (campaignId === null) return null;
  const campaign = await findRow(db.manager, campaigns, { id: campaignId, organizationId });
  const target = await findRow(db.manager, campaignTargets, { campaignId, callId, organizationId });
  if (
    campaign === null ||
    target === null ||
    campaign.state !== 'running' ||
    campaign.stopMode !== null ||
    target.state !== 'processing'
  )
    return 'campaign_not_running';
  if (await isStopped(db.manager, organizationId)) return 'dialing_stopped';
  // guarantee: suppression-checked-again-at-dial
  if (await isSuppressed(db.manager, organizationId, target.phone)) return 'suppressed';
  const { window, lines, caps } = rulesOf(campaign.settings, await readPolicy(db.manager, organizationId));
  // guarantee: line-cut-applies-to-claimed-targets
  if (lines !== null && (await olderCalls(db, target)) >= lines) return 'fewer_lines';
  const now = clock.now();
  if (!windowAt(window, { zones: zonesOf(target.zoneKey), at: now }).isOpen) return 'outside_window';
  // Other calls may have dialed the number since the claim.
  const dials = await readDials(db.manager, {
    organizationId,
    phones: [target.phone],
    caps,
    now,
    exceptCallId: callId,
  });
  // guarantee: caps-checked-again-at-dial
  return isCapped({ caps, dials: dials.get(target.phone) ?? [], now }) === null ? null : 'capped';
}

/** Older live calls of the campaign. There are as many as its lines only if its lines were reduced since. */
async function olderCalls(
  { manager }: DataSource,
  { organizationId, campaignId, callId }: CampaignTargetRow,
): Promise<number> {
  return await countRows(manager, campaignTargets, {
    organizationId,
    campaignId,
    state: 'processing',
    callId: LessThan(callId ?? 0),
  });
}

import type { EntityManager } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { isCapped } from '../../../domain/campaign/caps.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import { postpone } from '../../../domain/campaign/settle.ts';
import { readDialed } from '../../../domain/phone/dialed.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { readDials, type Dials } from '../targets/read-dials.ts';
import { findSuppressed, suppressedTarget } from '../../contacts/index.ts';

/** The result for the rows that were looked at. */
export interface Passed {
  /** May be dialed now; at most as many as requested. */
  targets: CampaignTargetRow[];
  /** Rows that were postponed or closed. */
  setAside: number;
  /** Rows that may be dialed, too, but were not taken. */
  leftOver: number;
}

interface Passing {
  campaign: Pick<CampaignRow, 'id' | 'organizationId'>;
  rules: Pick<CampaignRules, 'caps' | 'window'>;
  /** Locked. */
  targets: CampaignTargetRow[];
  now: Date;
  max: number;
}

/**
 * Passes rows whose numbers may be dialed: not suppressed, and below the caps of all campaigns together. The
 * others are postponed or closed.
 */
export async function passed(
  tx: EntityManager,
  { campaign, rules, targets, now, max }: Passing,
): Promise<Passed> {
  const { organizationId } = campaign;
  const phones = [...new Set(targets.map(({ phone }) => phone))];
  const suppressed = await findSuppressed(tx, organizationId, phones);
  const dials = await readDials(tx, { organizationId, phones, caps: rules.caps, now });
  const answer: Passed = { targets: [], setAside: 0, leftOver: 0 };
  for (const target of targets) {
    const fate = fateOf(target, { suppressed, dials, rules, now });
    if (fate !== null) {
      await updateRows(tx, campaignTargets, {
        where: { campaignId: target.campaignId, rowNumber: target.rowNumber, organizationId },
        change: fate,
      });
      answer.setAside += 1;
    } else if (answer.targets.length === max) answer.leftOver += 1;
    else {
      answer.targets.push(target);
      dials.set(target.phone, [...(dials.get(target.phone) ?? []), now]);
    }
  }
  return answer;
}

function fateOf(
  { phone, zoneKey, outcome }: CampaignTargetRow,
  {
    suppressed,
    dials,
    rules: { caps, window },
    now,
  }: { suppressed: Set<string>; dials: Dials; rules: Pick<CampaignRules, 'caps' | 'window'>; now: Date },
): Partial<CampaignTargetRow> | null {
  const closed = { state: 'failed' as const, dueAt: null, waitReason: null, settledAt: now };
  // guarantee: suppressed-target-closed-undialed
  if (suppressed.has(phone)) return suppressedTarget(now);
  if (readDialed(phone) === null) return { ...closed, outcome: 'invalid_number' };
  const capped = isCapped({ caps, dials: dials.get(phone) ?? [], now });
  if (capped === null) return null;
  const later = postpone({ window, zones: zonesOf(zoneKey), now, at: capped.until, reason: 'capped' });
  return later.state === 'failed' ? { ...closed, outcome, waitReason: later.waitReason } : later;
}

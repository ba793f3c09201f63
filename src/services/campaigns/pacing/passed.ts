import type { EntityManager } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { isCapped } from '../../../domain/campaign/caps.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import { postpone } from '../../../domain/campaign/settle.ts';
import { readDialed } from '../../../domain/phone/dialed.ts';
import { dialFault, type DialRule } from '../../../domain/telephony/dial-rule.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { findRecentlyCalled } from '../targets/other-campaigns.ts';
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
  campaign: Pick<CampaignRow, 'id' | 'organizationId' | 'parentCampaignId'>;
  rules: Pick<CampaignRules, 'caps' | 'window' | 'skipRecentlyCalledDays'>;
  dialRule: DialRule;
  /** Locked. */
  targets: CampaignTargetRow[];
  now: Date;
  max: number;
}

/**
 * Passes rows whose numbers may be dialed: not suppressed, allowed by the organization's policy, and below the caps of all campaigns together. The
 * others are postponed or closed.
 */
export async function passed(
  tx: EntityManager,
  { campaign, rules, dialRule, targets, now, max }: Passing,
): Promise<Passed> {
  const { organizationId } = campaign;
  const phones = [...new Set(targets.map(({ phone }) => phone))];
  const suppressed = await findSuppressed(tx, organizationId, phones);
  const dials = await readDials(tx, { organizationId, phones, caps: rules.caps, now });
  const recent = await recentlyCalled(tx, { campaign, rules, targets, now });
  const answer: Passed = { targets: [], setAside: 0, leftOver: 0 };
  for (const target of targets) {
    const fate = fateOf(target, { suppressed, recent, dials, rules, dialRule, now });
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

/** Numbers of rows never dialed that another campaign has called too recently. */
async function recentlyCalled(
  tx: EntityManager,
  { campaign, rules, targets, now }: Omit<Passing, 'max' | 'dialRule'>,
): Promise<Set<string>> {
  const days = rules.skipRecentlyCalledDays;
  if (days === null) return new Set();
  const { id, organizationId, parentCampaignId } = campaign;
  return await findRecentlyCalled(tx, {
    organizationId,
    phones: targets.flatMap(({ attempts, phone }) => (attempts === 0 ? [phone] : [])),
    since: new Date(now.getTime() - days * dayMs),
    except: [id, ...(parentCampaignId === null ? [] : [parentCampaignId])],
  });
}

const dayMs = 86_400_000;

function fateOf(
  { phone, zoneKey, outcome, attempts }: CampaignTargetRow,
  {
    suppressed,
    recent,
    dials,
    rules: { caps, window },
    dialRule,
    now,
  }: {
    suppressed: Set<string>;
    recent: Set<string>;
    dials: Dials;
    rules: Pick<CampaignRules, 'caps' | 'window'>;
    dialRule: DialRule;
    now: Date;
  },
): Partial<CampaignTargetRow> | null {
  const closed = { state: 'failed' as const, dueAt: null, waitReason: null, settledAt: now };
  // guarantee: suppressed-target-closed-undialed
  if (suppressed.has(phone)) return suppressedTarget(now);
  const dialed = readDialed(phone);
  if (dialed === null) return { ...closed, outcome: 'invalid_number' };
  // guarantee: campaign-row-follows-the-dial-rule
  if (dialFault(dialed, dialRule) !== null) return { ...closed, outcome: 'not_allowed' };
  // guarantee: recently-called-contacts-skipped
  if (attempts === 0 && recent.has(phone)) return { ...closed, waitReason: 'recently_called' };
  const capped = isCapped({ caps, dials: dials.get(phone) ?? [], now });
  if (capped === null) return null;
  const later = postpone({ window, zones: zonesOf(zoneKey), now, at: capped.until, reason: 'capped' });
  return later.state === 'failed' ? { ...closed, outcome, waitReason: later.waitReason } : later;
}

import { isCapped } from './caps.ts';
import type { TargetOutcome } from './outcome.ts';
import type { CampaignRules } from './rules.ts';
import { postpone, type Settled } from './settle.ts';

/** A row that is to be dialed again, or for the first time when a cap lets it. */
export interface WaitingTarget {
  dueAt: Date | null;
  waitReason: string | null;
  /** What its plan, or a promise, says without hours and caps; null = nothing. */
  notBefore: Date | null;
  /** Of the last attempt. */
  outcome: TargetOutcome | null;
  /** That the contact may be in; none = unknown. */
  zones: readonly string[];
  /** `notBefore` is that of a plan which has changed since (src/domain/campaign/replan.ts). */
  isReplanned?: boolean;
}

/**
 * When a row is to be dialed after hours, caps or its plan have changed; null = as it was. Only what hours or
 * caps put off, or another plan moves, is decided anew, by the moment that its plan says: any other wait of
 * the plan itself stays, and one that falls outside new hours is put off when it is over. Hours that never
 * open for the contact change nothing either: they may be a slip, and are looked at again when the row is
 * due. `dials` are those of its number.
 */
export function reviseWait({
  row,
  rules: { window, caps },
  dials,
  now,
}: {
  row: WaitingTarget;
  rules: Pick<CampaignRules, 'window' | 'caps'>;
  dials: readonly Date[];
  now: Date;
}): Pick<Settled, 'dueAt' | 'waitReason'> | null {
  const { dueAt, waitReason, notBefore, outcome, zones, isReplanned = false } = row;
  const isPutOff =
    waitReason === 'outside_window' ||
    waitReason === 'capped' ||
    (waitReason === 'callback' && dueAt !== null && notBefore !== null && dueAt > notBefore);
  if (!isPutOff && !isReplanned) return null;
  const planned = notBefore === null || notBefore < now ? now : notBefore;
  const capped = isCapped({ caps, dials, now: planned });
  const revised = postpone({
    window,
    zones,
    now,
    at: capped?.until ?? planned,
    reason: capped === null ? reasonOf(outcome) : 'capped',
  });
  const isSame = revised.dueAt?.getTime() === dueAt?.getTime() && revised.waitReason === waitReason;
  return revised.state === 'failed' || isSame
    ? null
    : { dueAt: revised.dueAt, waitReason: revised.waitReason };
}

/** Why a row waits after that outcome where neither hours nor caps put it off. */
function reasonOf(outcome: TargetOutcome | null): 'callback' | 'no_line' | 'retry' {
  if (outcome === 'callback') return 'callback';
  return outcome === 'capacity' ? 'no_line' : 'retry';
}

import { isCapped } from './caps.ts';
import type { TargetOutcome } from './outcome.ts';
import type { CampaignRules } from './rules.ts';
import { postpone, type Settled } from './settle.ts';

/** A row that waits for a further attempt, or for its first one because of a cap. */
export interface WaitingTarget {
  dueAt: Date | null;
  waitReason: string | null;
  /** By the plan, or by a promise, without hours and caps; null = nothing. */
  notBefore: Date | null;
  /** Of the last attempt. */
  outcome: TargetOutcome | null;
  /** Zones that the contact may be in; none = unknown. */
  zones: readonly string[];
  /** `notBefore` comes from a plan that has changed since (src/domain/campaign/replan.ts). */
  isReplanned?: boolean;
}

/**
 * When a row is due after hours, caps or its plan have changed; null if nothing changes. Only rows that hours
 * or caps have postponed, or that a new plan moves, are decided again, from the time that the plan says. Any
 * other wait of the plan stays; if it ends outside the new hours, it is postponed then. Hours that never open
 * for the contact change nothing: they may be a mistake, and they are checked again when the row is due.
 * `dials` are the dials of its number.
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

/** Why a row waits after this outcome when neither hours nor caps postpone it. */
function reasonOf(outcome: TargetOutcome | null): 'callback' | 'no_line' | 'retry' {
  if (outcome === 'callback') return 'callback';
  return outcome === 'capacity' ? 'no_line' : 'retry';
}

import type { TargetOutcome } from './outcome.ts';
import { plannedOutcomes } from './retry-plan.ts';
import type { CampaignRules } from './rules.ts';
import { settle } from './settle.ts';

/** A row that waits for a further attempt. */
export interface PlannedTarget {
  /** Of its last attempt. */
  outcome: TargetOutcome | null;
  /** Of its last spent attempt. It differs from `outcome` when later attempts were not spent. */
  spent: TargetOutcome | null;
  /** Including the last one. */
  spentAttempts: number;
  notBefore: Date | null;
  /** When its last attempt ended. */
  settledAt: Date | null;
  /** Zones that the contact may be in; none = unknown. */
  zones: readonly string[];
}

export type Replanned =
  /** The new plan has no further attempt for the row. */
  | { kind: 'over'; state: 'processed' | 'failed'; outcome: TargetOutcome }
  /** By this plan it is dialed again then, at the earliest. */
  | { kind: 'waits'; notBefore: Date };

const planned: readonly TargetOutcome[] = plannedOutcomes;

/**
 * What a changed plan says of a row that waits by an earlier one, counted from the end of its last attempt;
 * null if nothing changes. A promised callback stays, and a row that waits after a fault keeps its wait:
 * there the plan only decides whether there is a further attempt at all.
 */
export function replan(
  { outcome, spent, spentAttempts, notBefore, settledAt, zones }: PlannedTarget,
  rules: CampaignRules,
): Replanned | null {
  if (
    spent === null ||
    spentAttempts === 0 ||
    settledAt === null ||
    spent === 'callback' ||
    !planned.includes(spent)
  )
    return null;
  const again = settle({
    rules,
    target: { spentAttempts: spentAttempts - 1, sameBefore: 0 },
    outcome: spent,
    now: settledAt,
    callbackAt: null,
    zones,
    jitter: 0,
  });
  if (again.notBefore === null)
    return { kind: 'over', state: again.state === 'failed' ? 'failed' : 'processed', outcome: spent };
  const isSame = spent !== outcome || again.notBefore.getTime() === notBefore?.getTime();
  return isSame ? null : { kind: 'waits', notBefore: again.notBefore };
}

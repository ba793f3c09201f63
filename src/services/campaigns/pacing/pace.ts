import { findRow } from '../../../db/rows.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import type { WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { pause } from '../../../runtime/pause.ts';
import { systemTimer } from '../../../runtime/timer.ts';
import { countStates, noTargets, type StateCounts } from '../records/counts.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';
import { planTargets } from './plan-targets.ts';
import { paceRound, type Memory, type Round } from './round.ts';

export interface PaceInput extends CampaignRef {
  /** Maximum duration, ms. */
  paceMs: number;
}

/** The state of a campaign after `pace`. No names, and no phone numbers. */
export interface Paced {
  kind: 'over' | 'goes_on';
  state: CampaignRow['state'];
  /** Why nothing is dialed now; null if rows are dialed. */
  reason: WaitReason | null;
  /** ISO 8601: when that ends by itself. */
  until: string | null;
  /** Rows by state. */
  counts: StateCounts;
  /** Calls that were started by these rounds. */
  dialed: number;
  /** Pause until the next `pace`, ms, unless someone changes the campaign. */
  sleepMs: number;
  /** The campaign does not continue by itself. */
  needsAttention: boolean;
}

/** Maximum pause, because the situation may change without a notification. */
const maxSleepMs = 60_000;

/**
 * Makes rounds until the time is over, or until there is nothing to do for a while. Rows are planned
 * meanwhile.
 */
export async function pace({
  deps,
  input,
  signal,
}: {
  deps: PaceDeps;
  input: PaceInput;
  signal: AbortSignal;
}): Promise<Paced> {
  const { paceMs, ...ref } = input;
  const { timer = systemTimer } = deps;
  const untilMs = timer.nowMs() + paceMs;
  const stop = new AbortController();
  const memory: Memory = {
    own: { bucket: null },
    asked: new Set(),
    sweptThrough: 0,
    lookedAfterLateAt: -Infinity,
    lookedAtBreakerAt: -Infinity,
  };
  const planning = planAll(deps, ref, AbortSignal.any([stop.signal, signal]));
  // Awaited below, whatever the rounds do.
  planning.catch(() => undefined);
  let dialed = 0;
  let round: Round;
  try {
    for (;;) {
      round = await paceRound({ deps, ref, memory });
      dialed += round.dialed;
      if (round.isOver || round.restMs === null || signal.aborted || timer.nowMs() + round.restMs >= untilMs)
        break;
      await timer.pause(round.restMs, signal);
    }
  } finally {
    stop.abort();
  }
  await planning;
  return await standing(deps, ref, { ...round, dialed });
}

/**
 * Plans rows concurrently with the rounds: the first rows are dialed while the last ones are still planned.
 */
async function planAll(deps: PaceDeps, ref: CampaignRef, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const campaign = await findRow(deps.db.manager, campaigns, {
      id: ref.campaignId,
      organizationId: ref.organizationId,
    });
    if (campaign === null || campaign.plannedAt !== null || campaign.stopMode !== null) return;
    if (campaign.importNumber === null) await pause(50, signal);
    else if ((await planTargets(deps, ref)) === 'done') return;
  }
}

async function standing(
  deps: PaceDeps,
  ref: CampaignRef,
  { isOver, dialed, restMs, reason, until }: Round,
): Promise<Paced> {
  const campaign = await findRow(deps.db.manager, campaigns, {
    id: ref.campaignId,
    organizationId: ref.organizationId,
  });
  const state = campaign?.state ?? 'failed';
  return {
    kind: isOver ? 'over' : 'goes_on',
    state,
    reason,
    until: until?.toISOString() ?? null,
    counts:
      (await countStates(deps.db, [{ id: ref.campaignId, organizationId: ref.organizationId }])).get(
        ref.campaignId,
      ) ?? noTargets,
    dialed,
    sleepMs: restMs ?? sleepOf(deps, until),
    needsAttention:
      state === 'failed' || (state === 'paused' && (reason === 'breaker' || reason === 'window_never_opens')),
  };
}

function sleepOf({ clock }: PaceDeps, until: Date | null): number {
  return until === null
    ? maxSleepMs
    : Math.min(maxSleepMs, Math.max(100, until.getTime() - clock.now().getTime()));
}

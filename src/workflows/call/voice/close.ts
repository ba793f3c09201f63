import type { EndedLeg, SpokenEnd } from '../../../activities/call.ts';
import { legReference } from '../../../domain/telephony/client-state.ts';
import type { Leg } from '../../../domain/telephony/leg.ts';
import { percentile95 } from '../../../domain/usage/percentile.ts';
import { showLatency } from '../search-attributes.ts';
import { findLostLeg } from './dial.ts';
import { hangUpCaller, hangUpDestination } from './legs.ts';
import type { SpokenCall } from './spoken-call.ts';

/** Hangs up all legs and waits until every turn is committed. */
export async function endLegs(spoken: SpokenCall): Promise<void> {
  await findLostLeg(spoken);
  await Promise.all([hangUpCaller(spoken), hangUpDestination(spoken), spoken.commits.drained()]);
  const waitMs = percentile95(spoken.waitsMs);
  if (waitMs !== null) showLatency(waitMs);
}

/**
 * Hangs up a leg that the carrier reported only after `endLegs`. A leg that it reports even later is hung up
 * by the event's receiver, because the leg's row says so.
 */
export async function hangUpLate(spoken: SpokenCall): Promise<void> {
  await Promise.all([hangUpCaller(spoken), hangUpDestination(spoken)]);
}

/** Whether somebody answered, as far as the call knows. */
export function wasAnswered(spoken: SpokenCall): boolean {
  return answeredAtOf(spoken) !== null;
}

function answeredAtOf({ leg, talkingSinceMs }: SpokenCall): string | null {
  return leg.answeredAt ?? (talkingSinceMs === null ? null : new Date(talkingSinceMs).toISOString());
}

/** The phone's part of the record. */
export function spokenEnd(spoken: SpokenCall): SpokenEnd {
  const {
    input,
    leg,
    transfer,
    pastTransfers,
    word,
    hasFailedToStart,
    isHungUp,
    isLeftOpen,
    dialAnswer,
    retryClass,
    notDialed,
  } = spoken;
  const answeredAt = answeredAtOf(spoken);
  const transfers = [...pastTransfers, ...(transfer === null ? [] : [transfer])];
  return {
    word,
    hasFailedToStart,
    answeredAt,
    endedAt: leg.endedAt,
    ...(input.campaign === undefined
      ? {}
      : { retryClass, notDialed, isInDoubt: dialAnswer?.kind === 'unknown' }),
    legs: [
      ...(spoken.isPhone
        ? [
            endedLeg(
              legReference(input.callUuid, { role: 'main', attempt: 1 }),
              leg,
              (isHungUp && !isLeftOpen) || dialAnswer?.kind === 'refused',
            ),
          ]
        : []),
      ...transfers.map((each) =>
        endedLeg(
          legReference(input.callUuid, { role: 'transfer', attempt: each.attempt }),
          each.leg,
          each.isHungUp && !each.isLeftOpen,
        ),
      ),
    ],
  };
}

/** `isGone`: we ended the leg, even if the carrier has not reported it. */
function endedLeg(
  reference: string,
  { hangup, detection, answeredAt, endedAt }: Leg,
  isGone: boolean,
): EndedLeg {
  return {
    reference,
    cause: hangup?.cause ?? null,
    detection,
    answeredAt,
    endedAt,
    isOver: isGone || endedAt !== null,
  };
}

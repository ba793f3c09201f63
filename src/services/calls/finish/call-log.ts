import type { FailedTurnRow } from '../../../db/tables/failed-turns.ts';
import type { TurnRow } from '../../../db/tables/turns.ts';
import { isLive, type Checkpoint } from '../../../domain/call/checkpoint.ts';

interface Happened {
  /** Turns that count, in order. */
  turns: readonly Pick<TurnRow, 'turnIndex' | 'events'>[];
  /** All of the call. */
  failures: readonly Pick<FailedTurnRow, 'failure' | 'branch' | 'turnIndex' | 'event'>[];
  checkpoint: Checkpoint;
}

/**
 * `logs.realtime_feedback_events` of a text call (contract 6.7): what a rewind discarded is left out, also
 * failures; a turn's failed tries stand before it.
 */
export function eventsOfCall({ turns, failures, checkpoint }: Happened): Record<string, unknown>[] {
  const tries = failures
    .filter(({ branch, turnIndex }) => isLive(checkpoint, { branch, throughTurnIndex: turnIndex }))
    .toSorted((left, right) => left.failure - right.failure)
    .map(({ turnIndex, event }) => ({ turnIndex, events: [event] }));
  return [...tries, ...turns]
    .toSorted((left, right) => left.turnIndex - right.turnIndex)
    .flatMap(({ events }) => events);
}

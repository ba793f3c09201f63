import type { FailedTurnRow } from '../../../db/tables/failed-turns.ts';
import type { TurnRow } from '../../../db/tables/turns.ts';
import { isLive, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import { isObject } from '../../../domain/graph/definition.ts';

interface LogSource {
  /** Live turns, in order. */
  turns: readonly Pick<TurnRow, 'turnIndex' | 'events'>[];
  /** All failed turns of the call. */
  failures: readonly Pick<FailedTurnRow, 'failure' | 'branch' | 'turnIndex' | 'event'>[];
  checkpoint: Checkpoint;
}

/**
 * `logs.realtime_feedback_events` of a call (contract 6.7). Turns and failures that a rewind discarded are
 * left out. The failed attempts at a turn come before the turn.
 */
export function eventsOfCall({ turns, failures, checkpoint }: LogSource): Record<string, unknown>[] {
  const attempts = failures
    .filter(({ branch, turnIndex }) => isLive(checkpoint, { branch, throughTurnIndex: turnIndex }))
    .toSorted((left, right) => left.failure - right.failure)
    .map(({ turnIndex, event }) => ({ turnIndex, events: [event] }));
  return [...attempts, ...turns]
    .toSorted((left, right) => left.turnIndex - right.turnIndex)
    .flatMap(({ events }) => events);
}

/** Milliseconds that the person waited for each spoken reply, from the log's events (contract 6.7). */
export function waitsIn(events: readonly Record<string, unknown>[]): number[] {
  return events.flatMap(({ type, payload }) => {
    const seconds = type === 'rtf-latency-measured' && isObject(payload) ? payload['latency_seconds'] : null;
    return typeof seconds === 'number' ? [Math.max(0, Math.round(seconds * 1000))] : [];
  });
}

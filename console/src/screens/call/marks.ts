import type { LiveRun } from '../../../../src/contract/calls.ts';
import type { CallScript, ScriptItem } from './script.ts';

type Interventions = LiveRun['interventions'];

/** What a person asked of the call. */
export interface Mark {
  kind: 'mark';
  /** Milliseconds since the beginning of the call. */
  at: number;
  action: Interventions[number]['action'];
  by: Interventions[number]['requested_by'];
}

export type MarkedItem = ScriptItem | Mark;

/** Whether the agent is silenced: the last word on it counts, and a move lets it speak again. */
export function isPaused(interventions: Interventions): boolean {
  const last = interventions.findLast(({ action }) => ['pause', 'resume', 'goto'].includes(action));
  return last?.action === 'pause';
}

/** What happened in the call, with what people asked of it at that moment. */
export function withMarks({ beganAt, items }: CallScript, interventions: Interventions): MarkedItem[] {
  if (beganAt === null) return [...items];
  const marks = interventions.map(({ action, requested_at, requested_by }): Mark => ({
    kind: 'mark',
    at: Math.max(0, Date.parse(requested_at) - Date.parse(beganAt)),
    action,
    by: requested_by,
  }));
  const all = [...items, ...marks].toSorted((left, right) => left.at - right.at);
  return all.map((item, index) => {
    // No transition led to the node that somebody chose.
    const before = all[index - 1];
    return item.kind === 'hop' && before?.kind === 'mark' && before.action === 'goto'
      ? { ...item, by: null }
      : item;
  });
}

import type { LiveRun } from '../../../../src/contract/calls.ts';
import type { CallScript, ScriptItem } from './script.ts';

type Interventions = LiveRun['interventions'];

/** What happened to the call from outside of its conversation. */
export type Mark = { kind: 'mark'; /** Milliseconds since the beginning of the call. */ at: number } & (
  | { what: 'asked'; action: Interventions[number]['action']; by: Interventions[number]['requested_by'] }
  /** The call went on at another media host. */
  | { what: 'moved' }
);

export type MarkedItem = ScriptItem | Mark;

/** Whether the agent is silenced: the last word on it counts, and a move lets it speak again. */
export function isPaused(interventions: Interventions): boolean {
  const last = interventions.findLast(({ action }) => ['pause', 'resume', 'goto'].includes(action));
  return last?.action === 'pause';
}

/** What happened in the call, with what people asked of it and the moves to other media hosts, each at its moment. */
export function withMarks(
  { beganAt, items }: CallScript,
  { interventions, moves }: Pick<LiveRun, 'interventions' | 'moves'> = { interventions: [], moves: [] },
): MarkedItem[] {
  if (beganAt === null) return [...items];
  const momentOf = (at: string) => Math.max(0, Date.parse(at) - Date.parse(beganAt));
  const asked = interventions.map(({ action, requested_at, requested_by }): Mark => ({
    kind: 'mark',
    at: momentOf(requested_at),
    what: 'asked',
    action,
    by: requested_by,
  }));
  const moved = moves.map((at): Mark => ({ kind: 'mark', at: momentOf(at), what: 'moved' }));
  const all = [...items, ...asked, ...moved].toSorted((left, right) => left.at - right.at);
  return all.map((item, index) => {
    // No transition led to the node that somebody chose.
    const before = all[index - 1];
    return item.kind === 'hop' &&
      before?.kind === 'mark' &&
      before.what === 'asked' &&
      before.action === 'goto'
      ? { ...item, by: null }
      : item;
  });
}

import { type Draft, sameJson } from './draft.ts';
import { merge } from './merge.ts';

interface Step {
  /** What undo says: `connect Welcome → Goodbye`. */
  readonly name: string;
  readonly before: Draft;
  /** Changes with the same key that follow each other are one step: typing in a field. */
  readonly key: string | null;
}

/** A draft with what led to it. */
export interface History {
  readonly present: Draft;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

const maxSteps = 200;

export const historyOf = (present: Draft): History => ({ present, past: [], future: [] });

export interface Change {
  name: string;
  key?: string;
}

export function record(history: History, next: Draft, { name, key }: Change): History {
  if (sameJson(next, history.present)) return history;
  const last = history.past.at(-1);
  if (key !== undefined && last?.key === key && history.future.length === 0)
    return { present: next, past: history.past, future: [] };
  return {
    present: next,
    past: [...history.past, { name, before: history.present, key: key ?? null }].slice(-maxSteps),
    future: [],
  };
}

/** The next change begins a step of its own, although it is made in the same field. */
export const closeStep = (history: History): History => ({
  ...history,
  past: history.past.map((step, index) =>
    index === history.past.length - 1 ? { ...step, key: null } : step,
  ),
});

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return {
    present: last.before,
    past: history.past.slice(0, -1),
    future: [...history.future, { name: last.name, before: history.present, key: null }],
  };
}

export function redo(history: History): History {
  const next = history.future.at(-1);
  if (next === undefined) return history;
  return {
    present: next.before,
    past: [...history.past, { name: next.name, before: history.present, key: null }],
    future: history.future.slice(0, -1),
  };
}

/** Shows a draft that came from elsewhere. Undo then takes back only what was done here. */
export function rebase({ present, past, future }: History, next: Draft): History {
  const moved = (step: Step): Step => ({ ...step, before: merge(present, step.before, next).merged });
  return { present: next, past: past.map(moved), future: future.map(moved) };
}

import type { LiveRun } from '../../../../src/contract/calls.ts';
import { isPaused } from '../call/marks.ts';
import { type CallScript, readScript } from '../call/script.ts';

/** Something about a live call that a person should look at. */
export type Sign =
  | { kind: 'silent'; forMs: number }
  | { kind: 'repeats'; node: string; times: number }
  | { kind: 'toolFailed'; tool: string }
  | { kind: 'paused' };

/** What a card of the wall says of a call. */
export interface Glance {
  /** The last words; null before the first. */
  last: { speaker: 'agent' | 'caller'; text: string } | null;
  /** Somebody is saying the last words now. */
  isSpeaking: boolean;
  signs: Sign[];
}

/** Nobody says anything for so long only if something is wrong. */
const silentMs = 12_000;
/** A conversation that comes back to a node so often goes round in circles. */
const maxVisits = 4;
/** Words without an end, so long ago, have ended. */
const speakingMs = 8000;

/** What a call has come to, at a glance. */
export function glanceAt(run: LiveRun | undefined, nowMs: number): Glance {
  if (run === undefined) return { last: null, isSpeaking: false, signs: [] };
  const script = readScript([...run.events, ...run.running]);
  const last = script.items.findLast((item) => item.kind === 'line');
  const quietMs = last === undefined ? null : sinceMs(script, last.until ?? last.at, nowMs);
  const isSpeaking = last?.until === null && quietMs !== null && quietMs < speakingMs;
  return {
    last: last === undefined ? null : { speaker: last.speaker, text: last.text },
    isSpeaking,
    signs: [
      ...(isPaused(run.interventions) ? [{ kind: 'paused' as const }] : []),
      ...(quietMs !== null && !isSpeaking && quietMs > silentMs
        ? [{ kind: 'silent' as const, forMs: quietMs }]
        : []),
      ...repeats(script),
      ...failedTool(script),
    ],
  };
}

const sinceMs = ({ beganAt }: CallScript, at: number, nowMs: number): number | null =>
  beganAt === null ? null : Math.max(0, nowMs - Date.parse(beganAt) - at);

function repeats({ items }: CallScript): Sign[] {
  const visits = items.flatMap((item) => (item.kind === 'hop' ? [item.node] : []));
  const node = visits.at(-1);
  const times = visits.filter((each) => each === node).length;
  return node !== undefined && times >= maxVisits ? [{ kind: 'repeats', node, times }] : [];
}

function failedTool({ items }: CallScript): Sign[] {
  const tool = items.findLast((item) => item.kind === 'tool');
  return tool?.hasFailed === true ? [{ kind: 'toolFailed', tool: tool.name }] : [];
}

export const sorts = ['look', 'longest', 'newest'] as const;
export type Sort = (typeof sorts)[number];

/** The calls in the order of the wall. Those of equal rank keep their places. */
export function inOrder<Call extends { id: number; created_at: string }>(
  calls: readonly Call[],
  sort: Sort,
  needsLook: (call: Call) => boolean,
): Call[] {
  const byAge = calls.toSorted((left, right) =>
    left.created_at === right.created_at ? left.id - right.id : left.created_at < right.created_at ? -1 : 1,
  );
  if (sort === 'newest') return byAge.toReversed();
  if (sort === 'longest') return byAge;
  return [...byAge.filter(needsLook), ...byAge.filter((call) => !needsLook(call))];
}

/** The state of the wall in its URL. */
export interface WallSearch {
  sort?: Sort | undefined;
  only?: 'look' | 'inbound' | undefined;
  /** The call that is open beside the wall. */
  call?: number | undefined;
}

/** Reads search parameters; what is unknown or wrong is left out. */
export function wallSearch({ sort, only, call }: Record<string, unknown>): WallSearch {
  const known = sorts.find((each) => each === sort && each !== 'look');
  const id = Number(call);
  return {
    ...(known === undefined ? {} : { sort: known }),
    ...(only === 'look' || only === 'inbound' ? { only } : {}),
    ...(Number.isInteger(id) && id > 0 ? { call: id } : {}),
  };
}

import { windowAt, type CallingWindow } from './windows.ts';

/** Rows of contacts in the same zones. */
export interface RowsToDial {
  zones: readonly string[];
  rows: number;
  /** Not dialed before this time; null = now. */
  from: Date | null;
}

/** How many rows a second are dialed from a time on, and until when that holds; Infinity = for good. */
export type DialRate = (atMs: number) => { perSecond: number; untilMs: number };

interface DialingThrough {
  groups: readonly RowsToDial[];
  window: CallingWindow;
  rate: DialRate;
  /** Zones whose hours close soonest come first; otherwise all open zones advance together. */
  isClosingFirst?: boolean;
  now: Date;
}

export interface DialedThrough {
  /** The first dial; null if there is none. */
  beginsAt: Date | null;
  /** When all rows are dialed whose hours open; null if that is not within the time that is looked through. */
  endsAt: Date | null;
  /** The time in which rows are dialed: without the hours in which nothing is open. */
  dialingMs: number;
  /** In the order of the given groups. */
  groups: readonly { endsAt: Date | null; neverOpens: boolean }[];
}

const dayMs = 86_400_000;
/** Estimates beyond this would be wrong anyway. */
const searchedMs = 400 * dayMs;
/** Hours without an edge within the days that `windowAt` searches are looked at again after this time. */
const recheckMs = 30 * dayMs;

interface Group {
  zones: readonly string[];
  left: number;
  fromMs: number;
  isOpen: boolean;
  /** Its hours are looked at again then. */
  untilMs: number;
  endsMs: number | null;
  neverOpens: boolean;
}

/**
 * When rows are dialed that are dialed at a rate while the hours of their zones are open. It goes from one
 * edge of the hours to the next and never looks at single rows, so that it takes milliseconds also for
 * millions of rows.
 */
export function dialThrough({
  groups: given,
  window,
  rate,
  isClosingFirst = false,
  now,
}: DialingThrough): DialedThrough {
  const groups = given.map(({ zones, rows, from }): Group => ({
    zones,
    left: rows,
    fromMs: from?.getTime() ?? 0,
    isOpen: false,
    untilMs: now.getTime(),
    endsMs: null,
    neverOpens: false,
  }));
  const endMs = now.getTime() + searchedMs;
  let beginsMs: number | null = null;
  let dialingMs = 0;
  let atMs = now.getTime();
  let waiting = groups.filter(({ left }) => left > 0);
  while (waiting.length > 0 && atMs < endMs) {
    for (const group of waiting) if (group.untilMs <= atMs) look(group, window, atMs);
    waiting = waiting.filter(({ neverOpens }) => !neverOpens);
    const open = dialedNow(waiting, isClosingFirst);
    const { perSecond, untilMs: rateMs } = rate(atMs);
    const untilMs = Math.min(endMs, rateMs, ...waiting.map((group) => group.untilMs));
    const left = open.reduce((sum, group) => sum + group.left, 0);
    const neededMs = left === 0 ? 0 : Math.ceil((left / perSecond) * 1000 - 1e-6);
    const isDone = left > 0 && atMs + neededMs <= untilMs;
    const spentMs = isDone ? neededMs : untilMs - atMs;
    if (left > 0 && perSecond > 0) {
      beginsMs ??= atMs;
      dialingMs += spentMs;
    }
    atMs += spentMs;
    for (const group of open) {
      group.left = isDone ? 0 : group.left * (1 - (spentMs * perSecond) / 1000 / left);
      if (isDone) group.endsMs = atMs;
    }
    waiting = waiting.filter((group) => group.left > 0);
  }
  const isOver = waiting.length === 0 && beginsMs !== null;
  return {
    beginsAt: dateOf(beginsMs),
    endsAt: isOver ? new Date(atMs) : null,
    dialingMs,
    groups: groups.map(({ endsMs, neverOpens }) => ({ endsAt: dateOf(endsMs), neverOpens })),
  };
}

/** Sets whether a group may be dialed, and until when that holds. */
function look(group: Group, window: CallingWindow, atMs: number): void {
  if (group.fromMs > atMs) {
    group.untilMs = group.fromMs;
    return;
  }
  const state = windowAt(window, { zones: group.zones, at: new Date(atMs) });
  group.isOpen = state.isOpen;
  const edge = state.isOpen ? state.closesAt : state.opensAt;
  group.neverOpens = !state.isOpen && edge === null;
  group.untilMs = edge?.getTime() ?? atMs + recheckMs;
}

function dialedNow(groups: readonly Group[], isClosingFirst: boolean): readonly Group[] {
  const open = groups.filter(({ isOpen }) => isOpen);
  if (!isClosingFirst) return open;
  const first = Math.min(...open.map(({ untilMs }) => untilMs));
  return open.filter(({ untilMs }) => untilMs === first);
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

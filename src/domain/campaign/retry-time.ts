import type { RetryRule } from './retry-plan.ts';
import { clocksOf, intoWindow, type CallingWindow } from './windows.ts';
import { instantOfWallTime, wallClock } from './zone-clock.ts';

interface Asked {
  rule: RetryRule;
  /** Before the attempt that ended at `now`. */
  spentAttempts: number;
  now: Date;
  window: CallingWindow;
  /** Zones that the contact may be in; none = unknown. */
  zones: readonly string[];
}

/** Hours at which morning, afternoon and evening begin. */
const partsBegin = [0, 12, 17];
const dayMs = 86_400_000;
/** Each look goes to another day, or ends the search; the hours of a window repeat after seven days. */
const maxLooks = 8;

/**
 * When a contact may be dialed again by a rule. The window may postpone it further. Parts of the day are by
 * the contact's clock.
 */
export function dueAfter({ rule, spentAttempts, now, window, zones }: Asked): Date {
  const waitMs = rule.waitsMs[Math.min(spentAttempts, rule.waitsMs.length - 1)] ?? 0;
  const clock = clocksOf(window, zones)[0] ?? 'UTC';
  const waited = new Date(now.getTime() + waitMs);
  const due = rule.isNextDay ? latest(waited, sameHourTomorrow(now, clock)) : waited;
  if (!rule.isOtherPartOfDay || spentAttempts < rule.waitsMs.length) return due;
  return otherPart({ due, now, clock, window, zones });
}

/**
 * The first time within the window that is in another part of the day than `now`. If the window has only one
 * part, the first time in it.
 */
function otherPart({
  due,
  now,
  clock,
  window,
  zones,
}: Pick<Asked, 'now' | 'window' | 'zones'> & { due: Date; clock: string }): Date {
  const avoided = partOf(now, clock);
  let at = due;
  for (let look = 0; look < maxLooks; look += 1) {
    const open = intoWindow(window, { zones, at });
    if (open === null) return due;
    if (partOf(open, clock) !== avoided) return open;
    at = nextPart(open, clock);
  }
  return due;
}

function partOf(at: Date, clock: string): number {
  const hour = (wallClock(clock, at) ?? at).getUTCHours();
  return partsBegin.findLastIndex((begin) => hour >= begin);
}

function nextPart(at: Date, clock: string): Date {
  const wall = wallClock(clock, at) ?? at;
  const begin = partsBegin[partOf(at, clock) + 1] ?? 24;
  const next = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), begin));
  return instantOfWallTime({ zone: clock, wall: next, notBefore: at }) ?? next;
}

function sameHourTomorrow(now: Date, clock: string): Date {
  const wall = new Date((wallClock(clock, now) ?? now).getTime() + dayMs);
  return instantOfWallTime({ zone: clock, wall, notBefore: now }) ?? new Date(now.getTime() + dayMs);
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}

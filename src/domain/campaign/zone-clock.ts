import moment from 'moment-timezone';

/** A stretch of time in which the clocks of a zone are not changed. */
export interface Stretch {
  /** Ahead of UTC. */
  offsetMs: number;
  /** The first moment that is not in it; Infinity behind the last known change. */
  untilMs: number;
}

interface Changes {
  untils: readonly number[];
  offsetsMs: readonly number[];
}

const known = new Map<string, Changes | null>();

/**
 * How the clocks of an IANA zone go at a moment; null for a name that is none. Some hundred nanoseconds: it
 * is asked for hundreds of zones at once.
 */
export function stretchAt(zone: string, atMs: number): Stretch | null {
  const changes = changesOf(zone);
  if (changes === null) return null;
  const index = firstAfter(changes.untils, atMs);
  return { offsetMs: changes.offsetsMs[index] ?? 0, untilMs: changes.untils[index] ?? Infinity };
}

/**
 * The clock on the wall, as if it were UTC: what its parts read is what people there see. Null for no zone.
 */
export function wallClock(zone: string, at: Date): Date | null {
  const stretch = stretchAt(zone, at.getTime());
  return stretch === null ? null : new Date(at.getTime() + stretch.offsetMs);
}

/**
 * The first moment, not before `notBefore`, at which the clock on the wall shows `wall` or, where that was
 * left out, more.
 */
export function instantOfWallTime({
  zone,
  wall,
  notBefore,
}: {
  zone: string;
  wall: Date;
  notBefore: Date;
}): Date | null {
  let atMs = notBefore.getTime();
  for (;;) {
    const stretch = stretchAt(zone, atMs);
    if (stretch === null) return null;
    const shownMs = Math.max(wall.getTime() - stretch.offsetMs, atMs);
    if (shownMs < stretch.untilMs) return new Date(shownMs);
    atMs = stretch.untilMs;
  }
}

function changesOf(zone: string): Changes | null {
  const found = known.get(zone);
  if (found !== undefined) return found;
  const read = moment.tz.zone(zone);
  // Its offsets are behind UTC, in minutes.
  const changes =
    read === null
      ? null
      : { untils: read.untils, offsetsMs: read.offsets.map((minutes) => -minutes * 60_000) };
  known.set(zone, changes);
  return changes;
}

/** The place of the first element that is greater. */
function firstAfter(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < (sorted[middle] ?? Infinity)) high = middle;
    else low = middle + 1;
  }
  return low;
}

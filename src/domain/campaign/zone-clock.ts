import moment from 'moment-timezone';

/** A period without clock changes in a zone. */
export interface Stretch {
  /** Ahead of UTC. */
  offsetMs: number;
  /** The first time after the period; Infinity after the last known clock change. */
  untilMs: number;
}

interface Changes {
  untils: readonly number[];
  offsetsMs: readonly number[];
}

const known = new Map<string, Changes | null>();

/**
 * The offset of an IANA zone at a time, and how long it lasts; null for an unknown zone. It takes some
 * hundred nanoseconds, because it is called for hundreds of zones at once.
 */
export function stretchAt(zone: string, atMs: number): Stretch | null {
  const changes = changesOf(zone);
  if (changes === null) return null;
  const index = firstAfter(changes.untils, atMs);
  return { offsetMs: changes.offsetsMs[index] ?? 0, untilMs: changes.untils[index] ?? Infinity };
}

/** Local time, as if it were UTC: its UTC parts read as the local clock. Null for an unknown zone. */
export function wallClock(zone: string, at: Date): Date | null {
  const stretch = stretchAt(zone, at.getTime());
  return stretch === null ? null : new Date(at.getTime() + stretch.offsetMs);
}

/**
 * The first time, not before `notBefore`, at which the local clock shows `wall`, or a later time if the
 * clocks skip it. Null for an unknown zone.
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
  // moment-timezone gives offsets behind UTC, in minutes.
  const changes =
    read === null
      ? null
      : { untils: read.untils, offsetsMs: read.offsets.map((minutes) => -minutes * 60_000) };
  known.set(zone, changes);
  return changes;
}

/** The index of the first element that is greater than `value`. */
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

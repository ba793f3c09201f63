import { createHash } from 'node:crypto';

/** Numbers from 0 to 1 derived from a seed, so that the same seed gives the same faults. */
export type Random = () => number;

/**
 * A separate generator for each subject (a call, a webhook), so that its faults do not depend on the order of
 * others.
 */
export function randomOf(...subject: (string | number)[]): Random {
  let state = createHash('sha256').update(subject.join('\n')).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function happens(random: Random, share: number): boolean {
  return share > 0 && random() < share;
}

import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Numbers in [0, 1) that a seed determines. */
export type Random = () => number;

/**
 * The seed of a chaos run: CHAOS_SEED, or a fresh one. It is printed, so that a failed run can be repeated.
 */
export function seededRandom(title: string): Random {
  const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31));
  process.stderr.write(`${title}: seed ${seed} (CHAOS_SEED=${seed} repeats it)\n`);
  return mulberry32(seed);
}

/** The seed of generated tests: PROPERTY_SEED, else `usual`, else a fresh one. It is printed. */
export function propertySeed(title: string, usual = randomInt(2 ** 31)): number {
  const seed = Number(process.env['PROPERTY_SEED'] ?? usual);
  process.stderr.write(`${title}: seed ${seed} (PROPERTY_SEED=${seed} repeats it)\n`);
  return seed;
}

/**
 * The usual seed of requests generated from the description: the same description gets the same requests on
 * every machine, a changed one other requests. PROPERTY_SEED selects other ones.
 */
export const seedOfDescription = (): number =>
  createHash('sha256')
    .update(readFileSync(new URL('../../openapi.json', import.meta.url)))
    .digest()
    .readUInt32BE() >>> 1;

/** Whether all possible requests are generated (`npm run test:all`), not only the share of a usual run. */
export const isEverythingGenerated = process.env['PARLANCE_TEST_GENERATED'] === 'all';

/**
 * The number of generated requests: PROPERTY_RUNS for a long manual run, or the number that suits a test run.
 */
export const propertyRuns = (usual: number): number => Number(process.env['PROPERTY_RUNS'] ?? usual);

/** Numbers that this seed determines. */
export const seededBy = (seed: number): Random => mulberry32(seed);

function mulberry32(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

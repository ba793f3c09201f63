import type { SpeechRate } from './resample.ts';
import { clip } from './samples.ts';

/**
 * The built-in background: a room with a fan, a faint murmur and an occasional keyboard. It is computed and
 * always the same: 8 s that repeat without a click. At volume 1 its level is about 3,000, a quarter of a
 * voice's.
 */
export function officeSound(sampleRate: SpeechRate): Int16Array {
  const length = sampleRate * loopSeconds;
  const random = randomFrom(0x0ff1ce);
  const sound = murmur(random, length, sampleRate);
  addFan(sound, sampleRate);
  for (let word = 0; word < bursts; word += 1)
    addTyping({ sound, random, sampleRate, at: Math.floor(random() * (length - sampleRate)) });
  return Int16Array.from(sound, clip);
}

const loopSeconds = 8;
const bursts = 5;

/**
 * Noise below about 400 Hz that swells and fades like talk in another room. The second pass meets the
 * beginning of the first, so the loop closes.
 */
function murmur(random: () => number, length: number, sampleRate: number): Float64Array {
  const noise = Float64Array.from({ length }, () => random() * 2 - 1);
  const share = 1 - Math.exp((-2 * Math.PI * 400) / sampleRate);
  const sound = new Float64Array(length);
  let first = 0;
  let second = 0;
  for (let index = 0; index < 2 * length; index += 1) {
    first += share * ((noise[index % length] ?? 0) - first);
    second += share * (first - second);
    const turn = (2 * Math.PI * (index % length)) / length;
    const swell = 0.7 + 0.2 * Math.sin(turn * 5) + 0.1 * Math.sin(turn * 13);
    sound[index % length] = second * swell * murmurLevel;
  }
  const level = Math.sqrt(sound.reduce((sum, each) => sum + each * each, 0) / length);
  return sound.map((each) => (each / level) * murmurLevel);
}

const murmurLevel = 2600;

/** Mains hum of a fan. Both tones have a whole number of periods in the loop. */
function addFan(sound: Float64Array, sampleRate: number): void {
  for (let index = 0; index < sound.length; index += 1) {
    const turn = (2 * Math.PI * index) / sampleRate;
    sound[index] = (sound[index] ?? 0) + 900 * Math.sin(turn * 100) + 450 * Math.sin(turn * 200);
  }
}

/** A few key strokes: short decaying clicks. */
function addTyping({
  sound,
  random,
  sampleRate,
  at,
}: {
  sound: Float64Array;
  random: () => number;
  sampleRate: number;
  at: number;
}): void {
  const strokes = 3 + Math.floor(random() * 4);
  let start = at;
  for (let stroke = 0; stroke < strokes; stroke += 1) {
    const strength = 1500 + random() * 2500;
    for (let index = 0; index < sampleRate / 50; index += 1)
      sound[start + index] =
        (sound[start + index] ?? 0) + (random() * 2 - 1) * strength * Math.exp((-index * 400) / sampleRate);
    start += Math.floor(sampleRate * (0.09 + random() * 0.08));
    if (start + sampleRate / 50 >= sound.length) return;
  }
}

/** Numbers in [0, 1), always the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

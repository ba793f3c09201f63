import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readWavHeader } from '../../domain/audio/wav.ts';
import { isAcceptedRate } from '../../domain/files/line-audio.ts';

export type CallRate = 8000 | 16000;

/** A sound at both rates of our calls. */
export type Sound = Record<CallRate, Int16Array>;

/** Of a longer sound, the rest is dropped. */
const maxSeconds = 900;
/** Both rates of the longest sound need 44 MB, outside of the heap that this limits. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
const maxMs = 30_000;

const thread = new URL('decode-sound.ts', import.meta.url);

/** Sounds are decoded one at a time, so that files of many calls cannot take all cores. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a WAV file with one or two channels at 8,000 to 48,000 samples per second; null for any other file.
 * Decodes in a thread of its own, so that live calls are not delayed.
 */
export async function readSound(file: Uint8Array): Promise<Sound | null> {
  const header = readWavHeader(file);
  // guarantee: sound-cannot-stop-media-host
  if (header === null || header.channels > 2 || !isAcceptedRate(header.sampleRate)) return null;
  const decoded = last.then(() => decode(file));
  last = decoded.catch(() => undefined);
  return await decoded;
}

async function decode(file: Uint8Array): Promise<Sound | null> {
  const worker = new Worker(thread, { workerData: { file, maxSeconds }, resourceLimits });
  try {
    const told = await once(worker, 'message', { signal: AbortSignal.timeout(maxMs) });
    const sound: Sound | null = told[0];
    return sound;
  } finally {
    await worker.terminate();
  }
}

import { parentPort, workerData } from 'node:worker_threads';
import { resample } from '../../domain/audio/resample.ts';
import { readWav, toMono } from '../../domain/audio/wav.ts';
import type { Sound } from './read-sound.ts';

/** The thread of `readSound`: decodes one WAV file at both rates of our calls, and ends. */
const { file, maxSeconds }: { file: Uint8Array; maxSeconds: number } = workerData;
parentPort?.postMessage(decoded()); // oxlint-disable-line unicorn/require-post-message-target-origin -- a port has no origin

function decoded(): Sound | null {
  const wav = readWav(file, maxSeconds);
  if (wav === null) return null;
  const mono = toMono(wav);
  const from = wav.sampleRate;
  return { 8000: resample(mono, { from, to: 8000 }), 16000: resample(mono, { from, to: 16_000 }) };
}

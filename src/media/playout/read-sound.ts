import { setImmediate as yieldLoop } from 'node:timers/promises';
import { createResampler } from '../../domain/audio/resample.ts';
import { joinSamples } from '../../domain/audio/samples.ts';
import { readWav, toMono } from '../../domain/audio/wav.ts';

export type LineRate = 8000 | 16000;

/**
 * Reads a WAV file at both rates of our lines; null for any other file. Yields in between, so live calls are
 * not delayed.
 */
export async function readSound(file: Uint8Array): Promise<Record<LineRate, Int16Array> | null> {
  const sound = readWav(file);
  if (sound === null) return null;
  const mono = toMono(sound);
  return {
    8000: await resampled(mono, sound.sampleRate, 8000),
    16000: await resampled(mono, sound.sampleRate, 16_000),
  };
}

/** Resamples a quarter of a second at a time. */
async function resampled(samples: Int16Array, from: number, to: LineRate): Promise<Int16Array> {
  const resampler = createResampler({ from, to });
  const parts: Int16Array[] = [];
  const piece = Math.max(1, Math.round(from / 4));
  for (let at = 0; at < samples.length; at += piece) {
    parts.push(resampler.push(samples.subarray(at, at + piece)));
    await yieldLoop();
  }
  return joinSamples([...parts, resampler.flush()]);
}

import { createFrameCutter } from '../../domain/audio/samples.ts';
import type { HeardFrame } from '../leg.ts';
import { frameMs } from '../playout/frame-clock.ts';
import type { MediaFrame } from './carrier-frames.ts';
import { createReorder } from './reorder.ts';

/** What was wrong with a frame. A `late` frame is lost, too. */
export type MediaFault = 'lost' | 'late' | 'duplicate';

export interface HeardStream {
  /** Adds sound without a position, directly after the sound before it. */
  append(samples: Int16Array): void;
  /** Adds sound with a position: reorders frames and fills gaps with silence. */
  place(frame: MediaFrame): void;
  /** Milliseconds of sound so far. */
  readonly lengthMs: number;
}

export interface HeardStreamOptions {
  sampleRate: number;
  decode: (bytes: Uint8Array) => Int16Array;
  /** Milliseconds since the stream began. */
  elapsedMs: () => number;
  onFrame: (frame: HeardFrame) => void;
  onFault?: (fault: MediaFault, frames: number) => void;
}

/** Longer gaps are not filled in full: the watchdog is about to end the stream. */
const maxGapMs = 5000;
/** The jitter of carriers' clocks is smaller. */
const minGapMs = 60;

/** Cuts incoming sound into frames of 20 ms. */
export function createHeardStream({
  sampleRate,
  decode,
  elapsedMs,
  onFrame,
  onFault = () => undefined,
}: HeardStreamOptions): HeardStream {
  const frameSamples = (sampleRate * frameMs) / 1000;
  const cutter = createFrameCutter(frameSamples);
  const reorder = createReorder();
  let startMs: number | null = null;
  let frames = 0;
  let last: { chunk: number; timestampMs: number; lengthMs: number } | null = null;
  /** The timestamps count milliseconds; judged by the first two consecutive frames. */
  let countsMs: boolean | null = null;

  function append(samples: Int16Array): void {
    // The first piece has just been spoken, so the stream may have begun some time before it.
    startMs ??= Math.max(0, elapsedMs() - (samples.length * 1000) / sampleRate);
    for (const cut of cutter.push(samples)) {
      onFrame({ samples: cut, mediaMs: startMs + frames * frameMs });
      frames += 1;
    }
  }

  function hear({ chunk, payload, timestampMs }: MediaFrame, lost: number): void {
    const samples = decode(payload);
    const lengthMs = (samples.length * 1000) / sampleRate;
    // guarantee: lost-media-frames-become-silence
    const gapMs = Math.max(lost * lengthMs, pauseBefore(timestampMs));
    if (gapMs > 0) append(new Int16Array(Math.round((Math.min(gapMs, maxGapMs) * sampleRate) / 1000)));
    append(samples);
    if (last?.chunk === chunk - 1)
      countsMs ??= Math.abs(timestampMs - last.timestampMs - last.lengthMs) < last.lengthMs / 2;
    last = { chunk, timestampMs, lengthMs };
    if (lost > 0) onFault('lost', lost);
  }

  function pauseBefore(timestampMs: number): number {
    if (last === null || countsMs !== true) return 0;
    const pausedMs = timestampMs - last.timestampMs - last.lengthMs;
    return pausedMs >= minGapMs ? pausedMs : 0;
  }

  return {
    append,
    place(frame) {
      const { frames: ordered, dropped } = reorder.push(frame);
      if (dropped !== null) onFault(dropped, 1);
      for (const each of ordered) hear(each.frame, each.lost);
    },
    get lengthMs() {
      return frames * frameMs;
    },
  };
}

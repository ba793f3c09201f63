import { createFrameCutter } from '../../domain/audio/samples.ts';
import type { HeardFrame } from '../leg.ts';
import { frameMs } from '../playout/frame-clock.ts';
import type { MediaFrame } from './carrier-frames.ts';
import { createReorder } from './reorder.ts';

/** What was wrong with media: `late` ones are lost too. */
export type MediaFault = 'lost' | 'late' | 'duplicate';

export interface HeardStream {
  /** Sound without places in the stream: one piece after the other. */
  append(samples: Int16Array): void;
  /** Sound with its place: it is put in order, gaps are filled with silence. */
  place(frame: MediaFrame): void;
  /** Milliseconds of sound so far. */
  readonly lengthMs: number;
}

export interface HeardStreamOptions {
  sampleRate: number;
  decode: (bytes: Uint8Array) => Int16Array;
  /** Milliseconds since the stream began, now. */
  elapsedMs: () => number;
  onFrame: (frame: HeardFrame) => void;
  onFault?: (fault: MediaFault, frames: number) => void;
}

/** A pause of the carrier that is longer is not filled: the watchdog is about to end the stream. */
const longestGapMs = 5000;
/** Carriers' clocks waver by less. */
const smallestGapMs = 60;

/** Makes frames of 20 ms of whatever comes. */
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
  /** Whether timestamps count milliseconds, as the first two frames in a row show. */
  let countsMs: boolean | null = null;

  function append(samples: Int16Array): void {
    // The first piece has just been spoken: the stream may have begun a while before it.
    startMs ??= Math.max(0, elapsedMs() - (samples.length * 1000) / sampleRate);
    for (const cut of cutter.push(samples)) {
      onFrame({ samples: cut, mediaMs: startMs + frames * frameMs });
      frames += 1;
    }
  }

  function hear({ chunk, payload, timestampMs }: MediaFrame, lost: number): void {
    const samples = decode(payload);
    const lengthMs = (samples.length * 1000) / sampleRate;
    // guarantee: gap-carrier-s-media
    const gapMs = Math.max(lost * lengthMs, pauseBefore(timestampMs));
    if (gapMs > 0) append(new Int16Array(Math.round((Math.min(gapMs, longestGapMs) * sampleRate) / 1000)));
    append(samples);
    if (last?.chunk === chunk - 1)
      countsMs ??= Math.abs(timestampMs - last.timestampMs - last.lengthMs) < last.lengthMs / 2;
    last = { chunk, timestampMs, lengthMs };
    if (lost > 0) onFault('lost', lost);
  }

  function pauseBefore(timestampMs: number): number {
    if (last === null || countsMs !== true) return 0;
    const pausedMs = timestampMs - last.timestampMs - last.lengthMs;
    return pausedMs >= smallestGapMs ? pausedMs : 0;
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

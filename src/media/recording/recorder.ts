import { bytesOf } from '../../domain/audio/pcm.ts';
import type { HeardFrame } from '../leg.ts';

/**
 * Records one stream in stereo: the caller left, the agent right, each at its time. Sound stays in memory for
 * some seconds, because it is known late when the agent was heard; then it is written in pieces of a second.
 *
 *  - R1. Memory is bounded: when `maxWaiting` pieces wait for the file, further pieces are reported and left
 *    silent.
 *  - R2. The time of a piece gives its position in the file, so a missing piece moves nothing.
 *  - R3. Written pieces survive the process.
 */
export interface Recorder {
  heard(frame: HeardFrame): void;
  /** `atMs` is a timestamp of the monotonic clock. */
  said(samples: Int16Array, atMs: number): void;
  /** Writes the rest and resolves when everything is written. Never rejects. */
  close(): Promise<void>;
}

/** A file that takes bytes at a position. */
export interface GrowingFile {
  write(bytes: Uint8Array, atByte: number): Promise<void>;
  close(): Promise<void>;
}

export interface RecorderOptions {
  sampleRate: number;
  beganAtMs: number;
  file: Promise<GrowingFile>;
  /** A piece could not be written or was left out. */
  onFault: (error: unknown) => void;
}

const windowSeconds = 4;
/** Sound older than this is written. */
const settledSeconds = 2;
const maxWaiting = 10;
/** Left and right, two bytes each. */
const bytesPerSample = 4;

export function createRecorder({ sampleRate, beganAtMs, file, onFault }: RecorderOptions): Recorder {
  const windowLength = sampleRate * windowSeconds;
  const window = new Int16Array(windowLength * 2);
  /** The window's beginning and the end of its content, as positions in the stream, in samples. */
  let base = 0;
  let end = 0;
  let waiting = 0;
  let isClosed = false;
  let written: Promise<unknown> = file.catch(onFault);

  function place(channel: 0 | 1, position: number, samples: Int16Array): void {
    if (isClosed) return;
    while (position + samples.length - base > settledSeconds * sampleRate)
      settle(Math.max(sampleRate, position + samples.length - base - windowLength));
    for (let index = Math.max(0, base - position); index < samples.length; index += 1)
      window[(position - base + index) * 2 + channel] = samples[index] ?? 0;
    end = Math.max(end, position + samples.length);
  }

  /** Moves the window and writes what leaves it. */
  function settle(count: number): void {
    const leaving = Math.min(count, windowLength, Math.max(0, end - base));
    if (leaving > 0) write(window.slice(0, leaving * 2), base);
    const kept = Math.min(count, windowLength) * 2;
    window.copyWithin(0, kept);
    window.fill(0, windowLength * 2 - kept);
    base += count;
  }

  function write(samples: Int16Array, position: number): void {
    if (waiting === maxWaiting) {
      onFault(new Error('The storage of a recording is too slow: a piece was left out'));
      return;
    }
    waiting += 1;
    const bytes = bytesOf(samples, 'little');
    written = written
      .then(async () => await (await file).write(bytes, position * bytesPerSample))
      .catch(onFault)
      .finally(() => {
        waiting -= 1;
      });
  }

  return {
    heard: ({ samples, mediaMs }) => place(0, Math.round((mediaMs * sampleRate) / 1000), samples),
    said: (samples, atMs) =>
      place(1, Math.max(0, Math.round(((atMs - beganAtMs) * sampleRate) / 1000)), samples),
    async close() {
      if (!isClosed && end > base) settle(end - base);
      isClosed = true;
      await written;
      await file.then(
        async (opened) => await opened.close().catch(onFault),
        () => undefined, // reported before
      );
    },
  };
}

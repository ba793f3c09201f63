import { bytesOf } from '../../domain/audio/pcm.ts';
import type { HeardFrame } from '../leg.ts';

/**
 * Records one stream: what the caller said left, what the agent said right, each at its time. Sound is kept
 * for some seconds, because what the agent says is known to be heard a while after it was sent, then written
 * in pieces of a second.
 *
 * R1. Memory is bounded: when writing is `maxWaiting` pieces behind, pieces are left out, as silence, and
 * told of. R2. A piece has its place in the file by its time: what is left out moves nothing. R3. What was
 * written is there, whatever becomes of this process.
 */
export interface Recorder {
  heard(frame: HeardFrame): void;
  /** `atMs` is a moment of the monotonic clock. */
  said(samples: Int16Array, atMs: number): void;
  /** Writes what is left; resolves when all is written. Never rejects. */
  close(): Promise<void>;
}

/** Where pieces go: bytes at their place in the file. */
export interface GrowingFile {
  write(bytes: Uint8Array, atByte: number): Promise<void>;
  close(): Promise<void>;
}

export interface RecorderOptions {
  sampleRate: number;
  beganAtMs: number;
  file: Promise<GrowingFile>;
  /** A piece could not be written, or had to be left out. */
  onFault: (error: unknown) => void;
}

const windowSeconds = 4;
/** What is older than this is written. */
const settledSeconds = 2;
const maxWaiting = 10;
/** Left and right, two bytes each. */
const bytesPerSample = 4;

export function createRecorder({ sampleRate, beganAtMs, file, onFault }: RecorderOptions): Recorder {
  const windowLength = sampleRate * windowSeconds;
  const window = new Int16Array(windowLength * 2);
  /** Position in the stream, in samples, of the window's beginning and of the end of what is in it. */
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

  /** Moves the window on; what leaves it is written. */
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
      onFault(new Error('writing a recording is too slow: a piece was left out'));
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
        () => undefined, // told of when nothing could be written
      );
    },
  };
}

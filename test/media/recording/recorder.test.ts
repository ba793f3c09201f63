import { describe, expect, test } from '@jest/globals';
import { createRecorder, type GrowingFile } from '../../../src/media/recording/recorder.ts';
import { until } from '../../support/until.ts';

const rate = 8000;

/** A file in memory: 16-bit samples, left and right in turn. */
function memoryFile(): GrowingFile & {
  left: () => number[];
  right: () => number[];
  isClosed: () => boolean;
} {
  let bytes = Buffer.alloc(0);
  let isClosed = false;
  const channel = (offset: number) =>
    Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt16LE(index * 4 + offset));
  return {
    write(part, atByte) {
      const grown = Buffer.alloc(Math.max(bytes.length, atByte + part.length));
      bytes.copy(grown);
      grown.set(part, atByte);
      bytes = grown;
      return Promise.resolve();
    },
    close: () => Promise.resolve(void (isClosed = true)),
    left: () => channel(0),
    right: () => channel(2),
    isClosed: () => isClosed,
  };
}

const frame = (value: number) => new Int16Array(160).fill(value);
const valueAt = (samples: number[], ms: number) => samples[(ms * rate) / 1000];

describe('the recording of a stream', () => {
  test('has the person left and the agent right, each at its time', async () => {
    const file = memoryFile();
    const recorder = createRecorder({
      sampleRate: rate,
      beganAtMs: 5000,
      file: Promise.resolve(file),
      onFault: (error) => {
        throw error;
      },
    });
    for (let at = 0; at < 10_000; at += 20) {
      recorder.heard({ samples: frame(1 + at / 20), mediaMs: at });
      // The recorder learns late when the agent was heard.
      if (at >= 500) recorder.said(frame(1000 + (at - 500) / 20), 5000 + at - 500);
    }
    await recorder.close();
    expect([file.left().length, file.isClosed()]).toEqual([80_000, true]);
    for (const at of [0, 20, 1000, 1980, 5000, 9400])
      expect([valueAt(file.left(), at), valueAt(file.right(), at)]).toEqual([1 + at / 20, 1000 + at / 20]);
    expect(valueAt(file.right(), 9600)).toBe(0);
  });

  test('has silence where nothing was heard, however long', async () => {
    const file = memoryFile();
    const recorder = createRecorder({
      sampleRate: rate,
      beganAtMs: 0,
      file: Promise.resolve(file),
      onFault: (error) => {
        throw error;
      },
    });
    recorder.heard({ samples: frame(7), mediaMs: 0 });
    recorder.heard({ samples: frame(8), mediaMs: 60_000 });
    await recorder.close();
    expect(file.left().length).toBe(480_160);
    expect([valueAt(file.left(), 0), valueAt(file.left(), 30_000), valueAt(file.left(), 60_000)]).toEqual([
      7, 0, 8,
    ]);
  });

  test('drops pieces that cannot be written in time, and keeps later pieces in place', async () => {
    const file = memoryFile();
    const faults: unknown[] = [];
    let release = () => undefined as void;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const recorder = createRecorder({
      sampleRate: rate,
      beganAtMs: 0,
      file: Promise.resolve({ ...file, write: (part, at) => slow.then(() => file.write(part, at)) }),
      onFault: (error) => faults.push(error),
    });
    for (let at = 0; at < 30_000; at += 20) recorder.heard({ samples: frame(1 + at / 20), mediaMs: at });
    release();
    await until('what waited is written', () => Promise.resolve(file.left().length >= 10 * rate));
    for (let at = 30_000; at < 35_000; at += 20) recorder.heard({ samples: frame(1 + at / 20), mediaMs: at });
    await recorder.close();
    expect(faults.length).toBeGreaterThan(10);
    expect([valueAt(file.left(), 1000), valueAt(file.left(), 20_000), valueAt(file.left(), 34_000)]).toEqual([
      51, 0, 1701,
    ]);
  });

  test('does not affect the call when its file cannot be opened or written', async () => {
    const faults: unknown[] = [];
    const recorder = createRecorder({
      sampleRate: rate,
      beganAtMs: 0,
      file: Promise.reject(new Error('disk is gone')),
      onFault: (error) => faults.push(error),
    });
    for (let at = 0; at < 5000; at += 20) recorder.heard({ samples: frame(1), mediaMs: at });
    await recorder.close();
    recorder.heard({ samples: frame(1), mediaMs: 5000 });
    expect(faults[0]).toEqual(new Error('disk is gone'));
  });

  test('reports the last pieces when they cannot be written on close', async () => {
    const faults: unknown[] = [];
    const recorder = createRecorder({
      sampleRate: rate,
      beganAtMs: 0,
      file: Promise.resolve({
        ...memoryFile(),
        close: () => Promise.reject(new Error('The storage is down')),
      }),
      onFault: (error) => faults.push(error),
    });
    recorder.heard({ samples: frame(1), mediaMs: 0 });
    await recorder.close();
    expect(faults).toEqual([new Error('The storage is down')]);
  });
});

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { readSound } from '../../../src/media/playout/read-sound.ts';
import { wavFile, wavHeader } from '../../../src/domain/audio/wav.ts';

const tone = (samples: number, rate: number) =>
  Int16Array.from({ length: samples }, (_, index) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 440 * index) / rate)),
  );
const headed = (sampleRate: number, channels: number, dataBytes: number): Uint8Array => {
  const file = Buffer.alloc(44 + dataBytes);
  file.set(wavHeader({ sampleRate, channels: 1 }, dataBytes));
  file.writeUInt16LE(channels, 22);
  return file;
};

describe('the sound of a file', () => {
  test.each([
    [8000, [tone(800, 8000)]],
    [44_100, [tone(4410, 44_100), tone(4410, 44_100)]],
    [48_000, [tone(4800, 48_000)]],
  ] as [number, [Int16Array] | [Int16Array, Int16Array]][])(
    'at %i samples per second is read at both rates of our calls',
    async (rate, tracks) => {
      const sound = await readSound(wavFile(rate, tracks));
      expect([sound?.[8000].length, sound?.[16000].length]).toEqual([800, 1600]);
      expect(Math.max(...(sound?.[8000] ?? []))).toBeGreaterThan(7500);
    },
  );

  // guarantee: sound-cannot-stop-media-host
  test.each([
    ['one sample per second', headed(1, 1, 20)],
    ['7,999 samples per second', headed(7999, 1, 20)],
    ['48,001 samples per second', headed(48_001, 1, 20)],
    ['four billion samples per second', headed(4_294_967_295, 1, 20)],
    ['three channels', headed(8000, 3, 60)],
    ['65,535 channels', headed(8000, 65_535, 131_070)],
    ['no sound at all', Buffer.from('ID3\u0004')],
  ])('is not read from a file with %s', async (_what, file) => {
    expect(await readSound(file)).toBeNull();
  });

  test('is decoded in another thread, so the loop of live calls is not held', async () => {
    const file = headed(8000, 1, 6 * 1024 * 1024);
    let turns = 0;
    const done = new AbortController();
    const reading = readSound(file).finally(() => done.abort());
    for (; !done.signal.aborted; turns += 1) await turn();
    expect((await reading)?.[8000].length).toBe(3 * 1024 * 1024);
    expect(turns).toBeGreaterThan(100);
  });

  test('lasts at most a quarter of an hour, whatever its file holds', async () => {
    const file = headed(8000, 1, 2 * 8000 * 1000);
    expect((await readSound(file))?.[8000].length).toBe(900 * 8000);
  });
});

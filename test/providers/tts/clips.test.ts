import { expect, test } from '@jest/globals';
import { createClips } from '../../../src/providers/tts/clips.ts';
import type { TtsPort } from '../../../src/providers/tts/port.ts';
import { startTtsBench, voices } from '../../support/tts-emulator.ts';

/** The vendor may be as late as a stalled machine makes it. */
const patient = (port: TtsPort): TtsPort => ({
  ...port,
  open: (options) => port.open({ ...options, timeouts: { firstByteMs: 60_000, stallMs: 60_000 } }),
});

test('fixed phrases stay within their memory: the least recently used one is evicted', async () => {
  const bench = await startTtsBench();
  const of = (text: string) => ({ voice: voices.google, sampleRate: 8000 as const, text });
  const clipBytes = 10 * 480 * 2;
  const clips = createClips({ tts: patient(bench.tts('google')), maxBytes: 2 * clipBytes });
  const signal = new AbortController().signal;
  await clips.sound(of('0123456789'), signal);
  await clips.sound(of('1234567890'), signal);
  expect(clips.ready(of('0123456789'))).not.toBeNull();
  await clips.sound(of('2345678901'), signal);
  expect(clips.ready(of('1234567890'))).toBeNull();
  expect(clips.ready(of('0123456789'))?.byteLength).toBe(clipBytes);
  expect(clips.ready(of('2345678901'))).not.toBeNull();
  await bench.close();
});

test('a reason that cannot be read fails only the request that was aborted', async () => {
  const bench = await startTtsBench();
  const clips = createClips({ tts: patient(bench.tts('google')) });
  const aborted = new AbortController();
  Object.defineProperty(aborted.signal, 'reason', {
    get() {
      throw new Error('a fault in a listener');
    },
  });
  const phrase = { voice: voices.google, sampleRate: 8000 as const, text: 'Hello.' };
  const other = clips.sound(phrase, new AbortController().signal);
  const sound = clips.sound(phrase, aborted.signal);
  aborted.abort();
  await expect(sound).rejects.toEqual(new Error('a fault in a listener'));
  expect((await other).length).toBeGreaterThan(0);
  await bench.close();
});

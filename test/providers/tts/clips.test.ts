import { expect, test } from '@jest/globals';
import { createClips } from '../../../src/providers/tts/clips.ts';
import { startTtsBench, voices } from '../../support/tts-emulator.ts';

test('fixed phrases stay within their memory: the least recently used one is evicted', async () => {
  const bench = await startTtsBench();
  const of = (text: string) => ({ voice: voices.google, sampleRate: 8000 as const, text });
  const clipBytes = 10 * 480 * 2;
  const clips = createClips({ tts: bench.tts('google'), maxBytes: 2 * clipBytes });
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

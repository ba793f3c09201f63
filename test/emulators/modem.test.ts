import { describe, expect, it } from '@jest/globals';
import { encodeSpeech } from '../../emulators/modem/encode-speech.ts';
import { createListener } from '../../emulators/modem/listener.ts';
import type { ModemRate } from '../../emulators/modem/tones.ts';
import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '../../src/domain/audio/g711.ts';
import { seededRandom } from '../support/seed.ts';

const sentence = 'Hello, this is Ana from Parlance. Is 9:30 on Friday good for you? Straße, 日本, 10 €.';

function heard(
  samples: Int16Array,
  { sampleRate = 8000, chunk = 160 }: { sampleRate?: ModemRate; chunk?: number } = {},
): string {
  const listener = createListener({ sampleRate, onText: () => undefined });
  for (let start = 0; start < samples.length; start += chunk)
    listener.push(samples.subarray(start, start + chunk));
  listener.push(new Int16Array(sampleRate / 5));
  return listener.text;
}

const joined = (...parts: Int16Array[]): Int16Array => {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const silence = (ms: number): Int16Array => new Int16Array(ms * 8);
const plus = (samples: Int16Array, noise: (index: number) => number): Int16Array =>
  samples.map((sample, index) =>
    Math.max(-32_768, Math.min(32_767, sample + Math.round(noise(index) * 32_767))),
  );
const whiteNoise = (random: () => number, rms: number) => (): number =>
  (random() * 2 - 1) * rms * Math.sqrt(3);

/** Low-frequency noise like that of a room: white noise through a one-pole filter. */
function roomNoise(random: () => number, rms: number): () => number {
  let state = 0;
  return () => (state = 0.95 * state + (random() * 2 - 1) * rms * Math.sqrt(3 * (1 - 0.95 ** 2)));
}

describe('text in audio', () => {
  for (const sampleRate of [8000, 16000, 24000] as const) {
    it(`is recognized exactly at ${sampleRate} samples a second, at any alignment and in chunks of any size`, () => {
      const speech = encodeSpeech(sentence, sampleRate);
      expect(speech.length).toBe((Buffer.byteLength(sentence) * 60 * sampleRate) / 1000);
      for (const lead of [0, 1, 37, 79, 133])
        expect(heard(joined(new Int16Array(lead), speech), { sampleRate, chunk: 97 + lead })).toBe(sentence);
    });
  }

  it('survives the codecs of phone calls, also one after the other', () => {
    const speech = encodeSpeech(sentence, 8000);
    expect(heard(decodeMuLaw(encodeMuLaw(speech)))).toBe(sentence);
    expect(heard(decodeALaw(encodeALaw(speech)))).toBe(sentence);
    expect(heard(decodeMuLaw(encodeMuLaw(decodeALaw(encodeALaw(speech)))))).toBe(sentence);
  });

  it('survives a noisy call and a noisy room at 20 random alignments', () => {
    const random = seededRandom('modem-noise');
    for (let round = 0; round < 20; round += 1) {
      const speech = joined(
        silence(Math.floor(random() * 20)),
        new Int16Array(Math.floor(random() * 8)),
        encodeSpeech(sentence, 8000),
        silence(200),
      );
      const call = plus(speech, whiteNoise(random, 0.12));
      expect(heard(decodeMuLaw(encodeMuLaw(call)))).toBe(sentence);
      const room = plus(plus(speech, roomNoise(random, 0.06)), whiteNoise(random, 0.01));
      expect(heard(decodeMuLaw(encodeMuLaw(room)))).toBe(sentence);
    }
  });

  it('that was cut off is recognized up to the cut', () => {
    const speech = encodeSpeech('The appointment is on Monday', 8000);
    for (let frames = 0; frames * 160 < speech.length; frames += 1) {
      const understood = heard(speech.subarray(0, frames * 160));
      expect('The appointment is on Monday').toContain(understood);
      expect('The appointment is on Monday'.startsWith(understood)).toBe(true);
      expect(Math.abs(understood.length - (frames * 20) / 60)).toBeLessThan(1);
    }
  });

  it('that is cut off in its first character loses nothing of the next text', () => {
    const cut = encodeSpeech('You are next.', 8000);
    for (let samples = 160; samples <= 480; samples += 40)
      expect(
        heard(
          joined(silence(100), cut.subarray(0, samples), silence(2000), encodeSpeech('Sorry again.', 8000)),
        ),
      ).toMatch(/Sorry again\.$/);
  });

  it('that pauses anywhere and continues is recognized once', () => {
    const text = 'aabbccddee';
    const speech = encodeSpeech(text, 8000);
    for (let frames = 1; frames * 160 < speech.length; frames += 1) {
      for (const pauseMs of [60, 1500])
        expect(
          heard(
            joined(
              silence(100),
              speech.subarray(0, frames * 160),
              silence(pauseMs),
              speech.subarray(frames * 160),
            ),
          ),
        ).toBe(text);
    }
  });

  it('that follows another text, with or without a gap or after a cut, begins a new word', () => {
    const [first, second] = [encodeSpeech('Good day.', 8000), encodeSpeech('How are you?', 8000)];
    expect(heard(joined(first, second))).toBe('Good day. How are you?');
    expect(heard(joined(first, silence(800), second))).toBe('Good day. How are you?');
    expect(
      heard(joined(encodeSpeech('A', 8000), encodeSpeech('B', 8000), encodeSpeech('C', 8000))).trim(),
    ).toBe('A B C');
    expect(heard(joined(first.subarray(0, 480 * 4), silence(20), second))).toBe('Good How are you?');
  });

  it('loses at most the characters whose frames were lost', () => {
    const random = seededRandom('modem-frames');
    const speech = encodeSpeech(sentence, 8000);
    for (let start = 0; start < speech.length; start += 160)
      if (random() < 0.01) speech.fill(0, start, start + 160);
    expect(Math.abs(heard(speech).length - sentence.length)).toBeLessThanOrEqual(1);
  });
});

describe('noise and silence', () => {
  it('contain no text', () => {
    const random = seededRandom('modem-nothing');
    for (const noise of [
      whiteNoise(random, 0.3),
      whiteNoise(random, 0.01),
      roomNoise(random, 0.2),
      () => 0,
    ]) {
      expect(heard(plus(new Int16Array(8000 * 20), noise))).toBe('');
    }
  });

  it('are measured from the end of the last text', () => {
    const pieces: string[] = [];
    const listener = createListener({ sampleRate: 8000, onText: (text) => pieces.push(text) });
    listener.push(silence(500));
    expect(listener.silentMs).toBe(500);
    listener.push(encodeSpeech('yes', 8000));
    expect(listener.silentMs).toBe(0);
    expect(pieces.join('')).toBe('ye');
    listener.push(silence(320));
    expect(pieces.join('')).toBe('yes');
    expect(listener.silentMs).toBeGreaterThanOrEqual(280);
    expect(listener.silentMs).toBeLessThanOrEqual(320);
  });
});

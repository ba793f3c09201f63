import { clockTones, highTones, lowTones, startClock, symbolMs, toneAmplitude, type ModemRate } from './tones.ts';

/**
 * The text as sound: 60 ms for each byte of its UTF-8, as loud as speech. Texts may follow one another without a gap. A
 * text of a single byte gets a space, because two beginnings in a row could not be told apart.
 */
export function encodeSpeech(text: string, sampleRate: ModemRate): Int16Array {
  const bytes = Buffer.from(Buffer.byteLength(text) === 1 ? `${text} ` : text);
  const perSymbol = (sampleRate * symbolMs) / 1000;
  const samples = new Int16Array(bytes.length * perSymbol);
  for (const [position, byte] of bytes.entries()) {
    const clock = position === 0 ? startClock : position % 2;
    const tones = [lowTones[byte & 0x0f], highTones[byte >> 4], clockTones[clock]];
    const turns = tones.map((hertz = 0) => (2 * Math.PI * hertz) / sampleRate);
    const start = position * perSymbol;
    for (let index = 0; index < perSymbol; index += 1) {
      const sum = turns.reduce((total, turn) => total + Math.sin(turn * index), 0);
      samples[start + index] = Math.round(sum * toneAmplitude * 32_767);
    }
  }
  return samples;
}

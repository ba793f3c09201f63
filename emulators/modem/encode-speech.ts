import {
  clockTones,
  highTones,
  lowTones,
  startClock,
  symbolMs,
  toneAmplitude,
  type ModemRate,
} from './tones.ts';

/**
 * The text as audio: 60 ms for each byte of its UTF-8, as loud as speech. Texts may follow one another
 * without a gap. A text of a single byte gets a space, because two beginnings in a row could not be
 * distinguished.
 */
export function encodeSpeech(text: string, sampleRate: ModemRate): Int16Array {
  const bytes = Buffer.from(Buffer.byteLength(text) === 1 ? `${text} ` : text);
  const perSymbol = (sampleRate * symbolMs) / 1000;
  const samples = new Int16Array(bytes.length * perSymbol);
  for (const [position, byte] of bytes.entries()) {
    samples.set(
      symbolOf({ byte, clock: position === 0 ? startClock : position % 2, sampleRate }),
      position * perSymbol,
    );
  }
  return samples;
}

interface Symbol {
  byte: number;
  clock: number;
  sampleRate: ModemRate;
}

/** Each symbol is computed once, because many calls speak at the same time. */
const symbols = new Map<string, Int16Array>();

function symbolOf(symbol: Symbol): Int16Array {
  const key = `${symbol.sampleRate} ${symbol.clock} ${symbol.byte}`;
  const known = symbols.get(key) ?? makeSymbol(symbol);
  symbols.set(key, known);
  return known;
}

function makeSymbol({ byte, clock, sampleRate }: Symbol): Int16Array {
  const turns = [lowTones[byte & 0x0f], highTones[byte >> 4], clockTones[clock]].map(
    (hertz = 0) => (2 * Math.PI * hertz) / sampleRate,
  );
  const sumAt = (index: number): number => turns.reduce((total, turn) => total + Math.sin(turn * index), 0);
  return Int16Array.from({ length: (sampleRate * symbolMs) / 1000 }, (_, index) =>
    Math.round(sumAt(index) * toneAmplitude * 32_767),
  );
}

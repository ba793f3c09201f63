import { ToneReader, blockMs, type Reading } from './tone-reader.ts';
import { startClock, type ModemRate } from './tones.ts';

export interface ListenerOptions {
  sampleRate: ModemRate;
  /** The newly recognized text, usually one character; a space precedes a text that follows another one. */
  onText: (text: string) => void;
}

/** Recognizes the audio of `encodeSpeech` as it arrives. */
export interface Listener {
  /** Any number of samples; they need not begin or end with a symbol. */
  push(samples: Int16Array): void;
  /** The recognized text so far. */
  readonly text: string;
  /** Time without text, in ms of pushed audio; before any text, from the beginning. Noise is not text. */
  readonly silentMs: number;
}

/** One symbol so far: evidence for each value of its two halves. */
interface Symbol {
  clock: number;
  readings: number;
  low: Float64Array;
  high: Float64Array;
  isEmitted: boolean;
}

/** Fewer readings are less than half a symbol and not recognizable. */
const minReadings = 4;
/**
 * A symbol that was interrupted in its middle gave at most this many readings, and continues after the pause;
 * a complete one gave more.
 */
const maxReadingsOfPart = 6;

export function createListener({ sampleRate, onText }: ListenerOptions): Listener {
  const decoder = new TextDecoder();
  let symbol: Symbol | null = null;
  let isAfterPause = false;
  let text = '';
  let silentMs = 0;

  const finish = (): void => {
    if (symbol === null || symbol.isEmitted || symbol.readings < minReadings) return;
    symbol.isEmitted = true;
    // A character that was cut off is left out.
    const said = decoder
      .decode(Uint8Array.of((strongest(symbol.high) << 4) | strongest(symbol.low)), { stream: true })
      .replaceAll('\uFFFD', '');
    if (said === '') return;
    const spaced = symbol.clock === startClock && /\S$/.test(text) && /^\S/.test(said) ? ` ${said}` : said;
    text += spaced;
    onText(spaced);
  };
  /** After a pause an interrupted symbol continues, unless it was already recognized and differs. */
  const isSameSymbol = (reading: Reading): boolean => {
    if (symbol?.clock !== reading.clock) return false;
    return (
      !isAfterPause || (symbol.readings <= maxReadingsOfPart && (!symbol.isEmitted || isOf(symbol, reading)))
    );
  };
  const hear = (reading: Reading | null): void => {
    if (reading === null) {
      silentMs += blockMs;
      finish();
      isAfterPause = true;
      return;
    }
    silentMs = 0;
    if (!isSameSymbol(reading)) {
      finish();
      symbol = {
        clock: reading.clock,
        readings: 0,
        low: new Float64Array(16),
        high: new Float64Array(16),
        isEmitted: false,
      };
    }
    isAfterPause = false;
    if (symbol !== null) add(symbol, reading);
  };
  const reader = new ToneReader(sampleRate, hear);
  return {
    push: (samples) => reader.push(samples),
    get text() {
      return text;
    },
    get silentMs() {
      return silentMs;
    },
  };
}

function add(symbol: Symbol, { weight, low, high }: Reading): void {
  symbol.readings += 1;
  for (let index = 0; index < 16; index += 1) {
    symbol.low[index] = (symbol.low[index] ?? 0) + weight * (low[index] ?? 0);
    symbol.high[index] = (symbol.high[index] ?? 0) + weight * (high[index] ?? 0);
  }
}

function isOf(symbol: Symbol, { low, high }: Reading): boolean {
  return strongest(symbol.low) === strongest(low) && strongest(symbol.high) === strongest(high);
}

function strongest(evidence: Float64Array): number {
  let best = 0;
  for (let index = 1; index < evidence.length; index += 1)
    if ((evidence[index] ?? 0) > (evidence[best] ?? 0)) best = index;
  return best;
}

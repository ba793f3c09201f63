import { createListener } from '../modem/listener.ts';
import type { ModemRate } from '../modem/tones.ts';

/** Events of the recognizer. Positions are in ms of received audio. */
export type Heard =
  | { kind: 'started'; atMs: number }
  /** All words of the segment so far. */
  | { kind: 'words'; text: string }
  | { kind: 'final'; text: string; startMs: number; endMs: number };

export interface Recognizer {
  push(samples: Int16Array): void;
  /** Ends the segment now with the recognized words; does nothing without any. */
  finalize(): void;
}

/**
 * Recognizes only the modem's audio. A segment begins with the first sound of a text and ends after
 * `endpointingMs` of silence, counted in audio and not by the clock, so that a test may play faster than
 * people speak.
 */
export function createRecognizer({
  sampleRate,
  endpointingMs,
  onHeard,
}: {
  sampleRate: ModemRate;
  endpointingMs: number;
  onHeard: (heard: Heard) => void;
}): Recognizer {
  let positionMs = 0;
  let segment: { text: string; words: number; startMs: number } | null = null;
  const listener = createListener({
    sampleRate,
    onText(said) {
      if (segment === null) {
        segment = { text: '', words: 0, startMs: positionMs };
        onHeard({ kind: 'started', atMs: positionMs });
      }
      segment.text += said;
      // A word is complete when the next one begins.
      const words = segment.text.split(/\s+/).filter((word) => word !== '');
      const whole = /\s$/.test(segment.text) ? words.length : words.length - 1;
      if (whole <= segment.words) return;
      segment.words = whole;
      onHeard({ kind: 'words', text: words.slice(0, whole).join(' ') });
    },
  });
  const finish = (): void => {
    const text = segment?.text.trim() ?? '';
    const startMs = segment?.startMs ?? 0;
    segment = null;
    if (text !== '')
      onHeard({ kind: 'final', text, startMs, endMs: Math.max(startMs, positionMs - listener.silentMs) });
  };
  return {
    push(samples) {
      // In small steps, so that silence is noticed where it begins.
      const step = sampleRate / 100;
      for (let start = 0; start < samples.length; start += step) {
        const piece = samples.subarray(start, start + step);
        positionMs += (piece.length * 1000) / sampleRate;
        listener.push(piece);
        if (segment !== null && listener.silentMs >= endpointingMs) finish();
      }
    },
    finalize: finish,
  };
}

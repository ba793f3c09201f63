import { hearFrame, measureFrame, silentLine } from '../../domain/audio/voice-activity.ts';
import type { ProviderError } from '../../domain/errors.ts';
import type { TurnEvent } from '../../domain/turn-taking/types.ts';
import type { SttEvent, SttPort } from '../../providers/stt/port.ts';
import type { VoiceLeg } from '../leg.ts';

/** Turns the caller's speech and keys into events for the state machine. */
export interface Hearing {
  finalize(): void;
  /** Seconds of sound that the recognizer got since the last call. */
  takeSeconds(): number;
  /** The last milliseconds of the caller's sound. */
  latest(ms: number): Int16Array;
  close(): void;
}

export interface HearingOptions {
  leg: VoiceLeg;
  stt: SttPort;
  model: string | null;
  language: string;
  keyTerms: string[];
  tell: (event: TurnEvent) => void;
  /** For screens. */
  onWords: (words: { text: string; isFinal: boolean }) => void;
  /** The recognizer gave up: nothing will be heard from now on. */
  onStall: (error: ProviderError | null) => void;
}

/** Maximum that a `TurnAnalyzer` may ask for. */
const keptMs = 8000;

export function createHearing({
  leg,
  stt,
  model,
  language,
  keyTerms,
  tell,
  onWords,
  onStall,
}: HearingOptions): Hearing {
  let voice = silentLine;
  let pushedMs = 0;
  let isClosed = false;
  let fault: ProviderError | null = null;
  const frames: Int16Array[] = [];
  const session = stt.open({
    sampleRate: leg.sampleRate,
    language,
    model,
    keyTerms,
    onEvent: (event) => take(event),
  });

  const leaveFrames = leg.onFrame(({ samples, mediaMs }) => {
    session.push(samples, mediaMs);
    pushedMs += (samples.length * 1000) / leg.sampleRate;
    frames.push(samples);
    if (frames.length * 20 > keptMs) frames.shift();
    const heard = hearFrame(voice, measureFrame(samples, leg.sampleRate));
    voice = heard.state;
    if (heard.event !== null) tell({ kind: heard.event });
  });
  const leaveKeys = leg.onKey((digit) => tell({ kind: 'dtmf', digit }));

  function take(event: SttEvent): void {
    if (isClosed) return;
    switch (event.kind) {
      case 'interim':
        if (event.text === '') return;
        onWords({ text: event.text, isFinal: false });
        return tell({ kind: 'interim', text: event.text });
      case 'final':
        if (event.text !== '') onWords({ text: event.text, isFinal: true });
        return tell({
          kind: 'final',
          text: event.text,
          speechFinal: event.speechFinal,
          segmentId: event.segmentId,
        });
      case 'utterance_end':
        return tell({ kind: 'utterance_ended' });
      case 'fault':
        fault = event.error;
        return;
      case 'closed':
        return onStall(fault);
      case 'reconnected':
        return;
    }
  }

  return {
    finalize: () => session.finalize(),
    takeSeconds() {
      const seconds = pushedMs / 1000;
      pushedMs = 0;
      return seconds;
    },
    latest(ms) {
      const wanted = frames.slice(Math.max(0, frames.length - Math.ceil(ms / 20)));
      const samples = new Int16Array(wanted.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const frame of wanted) {
        samples.set(frame, at);
        at += frame.length;
      }
      return samples;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      leaveFrames();
      leaveKeys();
      void session.close();
    },
  };
}

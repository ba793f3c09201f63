import type { ProviderError } from '../../domain/errors.ts';

/**
 * Speech recognition as the rest of the service sees it: frames in, events out, one session per call.
 *
 * Invariants of every adapter and fake (test/providers/stt/conformance.ts checks them):
 *  - `push`, `finalize` and `close` never throw, and never wait for the network.
 *  - Each session ends with exactly one `closed`, even if it could not be opened; nothing follows it.
 *  - A failure is a `fault` before `closed`, with an error `{ provider: 'stt', retryable }`.
 *  - A final replaces the interims of its segment. No segment has two finals.
 *  - An adapter makes one connection and never retries. reconnecting.ts owns the retries.
 */
export interface SttPort {
  /** True for an emulator. Whatever shows its words to a person must say *simulated*. */
  readonly simulated: boolean;
  /** Name in usage and context: the vendor, or `simulated`. */
  readonly provider: string;
  readonly capabilities: SttCapabilities;
  /** Begins a session at once. Events report how the connection goes. */
  open(options: SttOptions): SttSession;
  /**
   * Prepares the connection, so the first call is fast. Never fails: errors show when a session is opened.
   */
  warm(): Promise<void>;
  /** Closes what is kept for later sessions; open sessions continue. */
  close(): Promise<void>;
}

export interface SttCapabilities {
  /** It sends words while the person still speaks. */
  interims: boolean;
  /** It detects the end of speech. */
  endpointing: boolean;
  /** `keyTerms` have an effect. */
  keyTerms: boolean;
  /** `finalize` has an effect. */
  finalize: boolean;
  /** 99th percentile of the delay from the end of speech to the final, in milliseconds. */
  p99FinalMs: number;
}

export interface SttOptions {
  /** Sample rate of the frames, Hz. */
  sampleRate: 8000 | 16000;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  /** The vendor's name for it; null for the adapter's default. */
  model: string | null;
  /** Words that are likely to be said, at most 100 (src/domain/speech/key-terms.ts). */
  keyTerms: string[];
  /** Must not throw. Called until `closed`, but never during `open`. */
  onEvent: (event: SttEvent) => void;
}

/**
 * `push` never blocks: the queue is bounded, and dropped frames (the oldest) are counted. `mediaMs` is the
 * position of the frame in the stream.
 */
export interface SttSession {
  push(frame: Int16Array, mediaMs: number): void;
  /** Asks for the final of the audio so far, without waiting for silence. */
  finalize(): void;
  /** Gives the vendor a short time for its last words, then ends the session. */
  close(): Promise<void>;
}

/**
 * An `interim` without text is a sign of life without words: the connection is open, or someone began to
 * speak. The reconnecting layer does not pass it on. After `reconnected`, segments without a final are void,
 * and their words come again. `startMs` and `endMs` are positions as in `mediaMs`, null if the vendor sends
 * none. With `speechFinal`, the person stopped, not only the segment.
 */
export type SttEvent =
  | { kind: 'interim'; segmentId: string; text: string }
  | {
      kind: 'final';
      segmentId: string;
      text: string;
      confidence: number | null;
      startMs: number | null;
      endMs: number | null;
      speechFinal: boolean;
    }
  | { kind: 'utterance_end' }
  | { kind: 'fault'; error: ProviderError }
  | { kind: 'reconnected' }
  | { kind: 'closed' };

/** A recognizer with a customer's key. */
export interface CustomerStt {
  /** A vendor of src/domain/models/catalog.ts. */
  provider: string;
  apiKey: string;
  /** Null means the vendor's newest model that we know. */
  model: string | null;
}

/** Recognizers by customers' choice. Nothing is sent before a session is opened. */
export type CustomerStts = (choice: CustomerStt) => SttPort;

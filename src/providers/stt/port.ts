import type { ProviderError } from '../../domain/errors.ts';

/**
 * Speech recognition as the rest of the service sees it: frames in, events out, one session a call.
 *
 * Invariants every adapter and fake keeps (test/providers/stt/conformance.ts holds them):
 *  - `push`, `finalize` and `close` never throw, and never wait for the network.
 *  - Each session ends with exactly one `closed`, also when it could not be opened; nothing comes after it.
 *  - What goes wrong is a `fault` before `closed`, its error `{ provider: 'stt', retryable }`.
 *  - A final replaces the interims of its segment. No segment has two finals.
 *  - An adapter makes one connection and no second attempt. The retry owner is reconnecting.ts.
 */
export interface SttPort {
  /** True when a stand-in listens; whoever shows its words to a person says *simulated*. */
  readonly simulated: boolean;
  /** Who listens, as people see it in usage and context: the vendor, or `simulated`. */
  readonly provider: string;
  readonly capabilities: SttCapabilities;
  /** Begins a session at once; what the connection comes to is told by events. */
  open(options: SttOptions): SttSession;
  /**
   * Makes the first connection of a call a quick one. Never fails: what is wrong shows when a session is
   * opened.
   */
  warm(): Promise<void>;
  /** Ends what is kept for later sessions. Sessions that are open are not touched. */
  close(): Promise<void>;
}

export interface SttCapabilities {
  /** Words are told while a person still speaks. */
  interims: boolean;
  /** The vendor notices the end of speech. */
  endpointing: boolean;
  /** `keyTerms` have an effect. */
  keyTerms: boolean;
  /** `finalize` has an effect. */
  finalize: boolean;
  /** 99th percentile of the time from the end of speech to the final, in milliseconds. */
  p99FinalMs: number;
}

export interface SttOptions {
  /** Of the frames, Hz. */
  sampleRate: 8000 | 16000;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  /** As the vendor calls it; null = the adapter's own. */
  model: string | null;
  /** Words that are likelier than others, at most 100 (src/domain/speech/key-terms.ts). */
  keyTerms: string[];
  /** Must not throw. Called from then on until `closed`, never while `open` runs. */
  onEvent: (event: SttEvent) => void;
}

/**
 * push never blocks: bounded queue, oldest dropped and counted. mediaMs = position of the frame since the
 * stream began.
 */
export interface SttSession {
  push(frame: Int16Array, mediaMs: number): void;
  /** Asks for the final of what was pushed, without waiting for silence. */
  finalize(): void;
  /** Lets the vendor say what it still has, at most for a moment, then ends the session. */
  close(): Promise<void>;
}

/**
 * `interim` without text: a sign of life without words (the connection stands, somebody began to speak).
 * Adapters say so; the reconnecting layer keeps it to itself. `reconnected`: segments that had no final are
 * void, what was said in them comes again. `startMs`, `endMs`: position in the media as `mediaMs`, null where
 * the vendor says none. `speechFinal`: the person stopped, not only the segment.
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

/** Speech recognition that a customer brings: whose it is, and the key to it. */
export interface CustomerStt {
  /** A vendor of src/domain/models/catalog.ts. */
  provider: string;
  apiKey: string;
  /** Null = the vendor's newest that we know. */
  model: string | null;
}

/** Speech recognition by the choice of customers; nothing is sent before a session is opened. */
export type CustomerStts = (choice: CustomerStt) => SttPort;

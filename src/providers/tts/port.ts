/**
 * Speech synthesis as the rest of the service sees it: clauses go in as they are cut, audio comes out in
 * order.
 *
 * Invariants every adapter and fake keeps (test/providers/tts/conformance.ts holds them):
 *  - All samples of a reply come in the order of its clauses; `isLastOfClause` comes once for each clause,
 *    in order too.
 *  - `audio` that ends without throwing has closed every clause. A stream that did not finish never looks
 *    finished: abort,
 *    loss and timeouts throw ProviderError `{ provider: 'tts', retryable }`, after whatever had come; after
 *    an abort nothing more comes.
 *  - Retryable for quotas, 5xx, network faults, timeouts and audio that was broken off; not for a refused
 *    key or voice, nor for an abort.
 *  - The adapter makes one attempt. The retry owner is the caller, who knows which clauses were closed.
 *  - Between two clauses any time may pass; what a vendor does to idle streams is the adapter's affair.
 *  - Leaving the loop over `audio` early ends the stream, as the abort does.
 */
export interface TtsPort {
  /** True when a stand-in answers; whoever shows or plays it to a person says *simulated*. */
  readonly simulated: boolean;
  /** Who speaks, as people see it in usage: the vendor, or `simulated`. */
  readonly provider: string;
  /** Nothing is sent before the first clause. */
  open(options: TtsOptions): TtsStream;
  /**
   * Pays the costs of a first request ahead: code, credentials, connection. Rejects with ProviderError; the
   * port is usable all the same.
   */
  warm(): Promise<void>;
  /** Closes connections; replies that are open end with a failure. */
  close(): Promise<void>;
}

export interface TtsOptions {
  voice: TtsVoice;
  sampleRate: TtsRate;
  signal: AbortSignal;
  timeouts?: Partial<TtsTimeouts>;
}

/** Samples a second of what comes out, mono. */
export type TtsRate = 8000 | 16000 | 24000;

export interface TtsVoice {
  /** As the vendor calls it; null = the one that fits the voice. */
  model: string | null;
  /** As the vendor calls it. Google's Chirp 3 HD voices may go without their language: `Kore`. */
  voice: string;
  /** BCP 47. */
  language: string;
  /** 1 = the voice's own pace; kept within what the vendor takes. */
  speakingRate?: number;
}

/** Milliseconds. */
export interface TtsTimeouts {
  /** From a clause until the first sound of its request. */
  firstByteMs: number;
  /** Between two pieces of audio while more is owed. */
  stallMs: number;
  /**
   * A vendor's stream without a new clause is finished after so long, and another one begun with the next
   * clause.
   */
  idleMs: number;
}

/**
 * Of a conversation; a caller with more time gives its own. Google aborts a stream after 5 s without input.
 */
export const defaultTtsTimeouts: TtsTimeouts = { firstByteMs: 2_500, stallMs: 3_000, idleMs: 4_000 };

/** One reply. */
export interface TtsStream {
  /**
   * The next clause; clauses are numbered from 0. What cannot be spoken closes without a sound. Ignored once
   * the stream has failed.
   */
  say(clause: string): void;
  /** No clause will follow. */
  end(): void;
  /**
   * To be read once. Audio that nobody reads is kept, so a reply should be no longer than somebody listens.
   */
  readonly audio: AsyncIterable<TtsAudio>;
  /** Characters handed to the vendor so far: what it bills. */
  readonly characters: number;
}

/**
 * A piece of audio. Where the vendor does not tell which clause it belongs to, the adapter estimates by the
 * time that the voice takes for a character, learned from its earlier replies (60 ms to begin with);
 * `isExact` is false then.
 */
export interface TtsAudio {
  /** May be empty where a clause is closed. */
  samples: Int16Array;
  /** Index of the `say` it belongs to. */
  clause: number;
  isExact: boolean;
  isLastOfClause: boolean;
}

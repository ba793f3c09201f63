/**
 * Speech synthesis as the rest of the service sees it: clauses in as they are cut, audio out in order.
 *
 * Invariants of every adapter and fake (test/providers/tts/conformance.ts checks them):
 *  - The samples of a reply come in the order of its clauses. `isLastOfClause` comes once per clause, also in
 *    order.
 *  - `audio` that ends without throwing has closed every clause. An incomplete stream never looks complete:
 *    abort, loss and timeouts throw ProviderError `{ provider: 'tts', retryable }` after the audio so far.
 *    After an abort, no audio follows.
 *  - Quotas, 5xx, network faults, timeouts and broken audio are retryable; a refused key or voice and an
 *    abort are not.
 *  - The adapter makes one attempt. The caller owns the retries and knows which clauses were closed.
 *  - Any time may pass between two clauses. The adapter handles what a vendor does to idle streams.
 *  - Leaving the loop over `audio` early ends the stream, as an abort does.
 */
export interface TtsPort {
  /** True for an emulator. Whatever shows or plays its answers to a person must say *simulated*. */
  readonly simulated: boolean;
  /** Name in usage: the vendor, or `simulated`. */
  readonly provider: string;
  /** Nothing is sent before the first clause. */
  open(options: TtsOptions): TtsStream;
  /**
   * Prepares for the first request: loads code, gets credentials, connects. Rejects with ProviderError; the
   * port stays usable.
   */
  warm(): Promise<void>;
  /** Closes connections. Open replies fail. */
  close(): Promise<void>;
}

export interface TtsOptions {
  voice: TtsVoice;
  sampleRate: TtsRate;
  signal: AbortSignal;
  timeouts?: Partial<TtsTimeouts>;
}

/** Samples per second of the output, mono. */
export type TtsRate = 8000 | 16000 | 24000;

export interface TtsVoice {
  /** The vendor's name for it; null for the model that fits the voice. */
  model: string | null;
  /** The vendor's name for it. Google's Chirp 3 HD voices may omit the language: `Kore`. */
  voice: string;
  /** BCP 47. */
  language: string;
  /** 1 is the voice's normal pace; clamped to the vendor's limits. */
  speakingRate?: number;
}

/** Milliseconds. */
export interface TtsTimeouts {
  /** Between sending a clause and its first audio. */
  firstByteMs: number;
  /** Between two pieces of audio while more is expected. */
  stallMs: number;
  /** A vendor's stream without a new clause for this long is finished; the next clause begins another one. */
  idleMs: number;
}

/**
 * For conversations; callers with more time set their own. Google aborts a stream after 5 s without input.
 */
export const defaultTtsTimeouts: TtsTimeouts = { firstByteMs: 2_500, stallMs: 3_000, idleMs: 4_000 };

/** The stream of one reply. */
export interface TtsStream {
  /**
   * Adds the next clause; clauses are numbered from 0. A clause that has nothing to speak closes without
   * sound. Ignored after a failure.
   */
  say(clause: string): void;
  /** No clause follows. */
  end(): void;
  /**
   * Can be read once. Unread audio stays in memory, so a reply should not be much longer than its listening
   * time.
   */
  readonly audio: AsyncIterable<TtsAudio>;
  /** Characters sent to the vendor so far, which it bills. */
  readonly characters: number;
}

/**
 * A piece of audio. If the vendor does not report its clause, the adapter estimates it by the voice's time
 * per character, which it learns from earlier replies (60 ms at first); then `isExact` is false.
 */
export interface TtsAudio {
  /** May be empty when it closes a clause. */
  samples: Int16Array;
  /** Index of the clause, in the order of `say`. */
  clause: number;
  isExact: boolean;
  isLastOfClause: boolean;
}

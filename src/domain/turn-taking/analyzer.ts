/**
 * Decides whether a caller has finished, when their voice stops (`turn_stop_strategy: turn_analyzer`).
 * `heuristic-analyzer.ts` implements it; a model that listens to the sound could implement it, too.
 */
export interface TurnAnalyzer {
  /** Shown in traces. */
  readonly name: string;
  /** Milliseconds of sound that it needs from the end of the turn; with 0, `samples` is empty. */
  readonly wantsMs: number;
  /**
   * Answers within about 100 ms. After a rejection, the sentence counts as unfinished. `signal` aborts when a
   * newer question or the caller's voice makes this one pointless.
   */
  analyze(question: TurnQuestion, signal: AbortSignal): Promise<TurnVerdict>;
}

export interface TurnQuestion {
  /** The words so far: finals and the last interim. */
  text: string;
  /** BCP 47, or `multi`. */
  language: string;
  /** The end of the turn's sound: 16-bit linear, mono. */
  samples: Int16Array;
  sampleRate: number;
}

export interface TurnVerdict {
  isComplete: boolean;
  /** 0 to 1; null if unknown. */
  probability: number | null;
}

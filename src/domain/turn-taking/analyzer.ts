/**
 * Decides whether a caller has finished, when their voice stops (`turn_stop_strategy: turn_analyzer`). The
 * heuristic of `heuristic-analyzer.ts` is one; a model that listens to the sound is another behind the same
 * port.
 */
export interface TurnAnalyzer {
  /** Shown in traces. */
  readonly name: string;
  /** How much sound it wants of the turn's end; 0 = none, `samples` is then empty. */
  readonly wantsMs: number;
  /**
   * Answers within some 100 ms, or rejects: then the sentence counts as unfinished. `signal` is aborted when
   * a newer question or the caller's voice has made this one pointless.
   */
  analyze(question: TurnQuestion, signal: AbortSignal): Promise<TurnVerdict>;
}

export interface TurnQuestion {
  /** What was understood so far, finals and the last interim. */
  text: string;
  /** BCP 47, or `multi`. */
  language: string;
  /** The end of what the caller said: 16-bit linear, mono. */
  samples: Int16Array;
  sampleRate: number;
}

export interface TurnVerdict {
  isComplete: boolean;
  /** 0 to 1; null when it has none. */
  probability: number | null;
}

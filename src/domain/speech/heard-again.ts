/** A recognized text, and how much sound the recognizer had by then. */
export interface HeardFinal {
  text: string;
  /** Milliseconds since the stream began. */
  untilMs: number;
}

/**
 * Removes words that a recognizer repeats after a reconnect, when it gets the last seconds of sound again.
 * Only words whose sound may have been replayed are removed, and only from the beginning, so a caller who
 * repeats words is heard twice.
 */
export class HeardAgain {
  #words: string[];

  /** `finals` in order. Those that ended before `replayedFromMs` cannot be repeated. */
  constructor(finals: readonly HeardFinal[], replayedFromMs: number) {
    this.#words = finals
      .filter(({ untilMs }) => untilMs > replayedFromMs)
      .flatMap(({ text }) => wordsOf(text));
  }

  /** Returns the new words of a final, or an empty text. Repeated words are expected only once. */
  takeFinal(text: string): string {
    const { rest, after } = this.#split(text);
    this.#words = after;
    return rest;
  }

  /** Returns the new words of an interim. The next interim may repeat the same words. */
  takeInterim(text: string): string {
    return this.#split(text).rest;
  }

  #split(text: string): { rest: string; after: string[] } {
    const spoken = text.split(/\s+/).filter((word) => word !== '');
    for (let start = 0; start < this.#words.length; start += 1) {
      const length = this.#repeatedFrom(start, spoken);
      if (length > 0)
        return { rest: spoken.slice(length).join(' '), after: this.#words.slice(start + length) };
    }
    return { rest: text, after: [] };
  }

  /**
   * Number of words in `spoken` that repeat the known words from `start` on, up to the end of either; 0 when
   * one differs. The first word may be incomplete, because the replay begins anywhere.
   */
  #repeatedFrom(start: number, spoken: readonly string[]): number {
    const length = Math.min(spoken.length, this.#words.length - start);
    for (let index = 0; index < length; index += 1) {
      const heard = this.#words[start + index] ?? '';
      const word = normalized(spoken[index] ?? '');
      const isSame = heard === word || (index === 0 && length > 1 && word.length > 0 && heard.endsWith(word));
      if (!isSame) return 0;
    }
    return length;
  }
}

function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .map(normalized)
    .filter((word) => word !== '');
}

/** Recognizers change case and punctuation between results. */
function normalized(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

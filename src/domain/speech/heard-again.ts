/** Something that was recognized, and how much of the media had been handed over then. */
export interface HeardFinal {
  text: string;
  /** Milliseconds since the stream began. */
  untilMs: number;
}

/**
 * Takes out of what a recognizer says after a new connection the words that it said before: the last seconds
 * were played to it again. Only words whose sound may have been played again are taken out, and only from the
 * start on, so a person who says the same twice is heard twice.
 */
export class HeardAgain {
  #words: string[];

  /** `finals` in order; those that were complete before `replayedFromMs` cannot be heard again. */
  constructor(finals: readonly HeardFinal[], replayedFromMs: number) {
    this.#words = finals
      .filter(({ untilMs }) => untilMs > replayedFromMs)
      .flatMap(({ text }) => wordsOf(text));
  }

  /** What is new in a final; empty when nothing is. What it repeated is expected no more. */
  takeFinal(text: string): string {
    const { rest, after } = this.#split(text);
    this.#words = after;
    return rest;
  }

  /** What is new in an interim. The same words may come again. */
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
   * Words of `spoken` that repeat what was heard from `start` on, up to the end of either; 0 when one
   * differs. The first one may have been cut: what was played again begins anywhere.
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

/** Recognizers change their mind about case and punctuation. */
function normalized(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

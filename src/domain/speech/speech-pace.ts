const encoder = new TextEncoder();
export const spokenBytes = (text: string): number => encoder.encode(text.trim()).length;

/** Used before the first measurement; close to the pace of voices and people. */
const defaultMsPerByte = 60;
/** A clause with this share of its likely length counts as whole. */
const wholeShare = 0.9;
const newestWeight = 0.3;

/**
 * How fast the voice of a call speaks. Vendors' streams do not mark the end of a clause before the next one
 * begins.
 */
export class SpeechPace {
  #msPerByte: number | null = null;

  /** Learns from a clause of known length. */
  learn(text: string, ms: number): void {
    const bytes = spokenBytes(text);
    if (bytes < 4 || ms <= 0) return;
    this.#msPerByte =
      this.#msPerByte === null ? ms / bytes : this.#msPerByte + newestWeight * (ms / bytes - this.#msPerByte);
  }

  /** Estimated length of a clause, at least `msSoFar`. */
  lengthMs(text: string, msSoFar: number): number {
    return Math.max(msSoFar, spokenBytes(text) * (this.#msPerByte ?? defaultMsPerByte));
  }

  isWhole(text: string, ms: number): boolean {
    return ms >= wholeShare * this.lengthMs(text, 0);
  }
}

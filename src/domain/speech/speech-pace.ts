const encoder = new TextEncoder();
export const spokenBytes = (text: string): number => encoder.encode(text.trim()).length;

/** Before anything was measured; close to what voices and people take. */
const usualMsPerByte = 60;
/** A clause that has so much of its likely length is taken for whole. */
const wholeShare = 0.9;
const newestWeight = 0.3;

/**
 * How fast the voice of one call speaks: vendors' streams do not say where a clause ends until the next one
 * begins.
 */
export class SpeechPace {
  #msPerByte: number | null = null;

  /** A clause of which the length is known. */
  learn(text: string, ms: number): void {
    const bytes = spokenBytes(text);
    if (bytes < 4 || ms <= 0) return;
    this.#msPerByte =
      this.#msPerByte === null ? ms / bytes : this.#msPerByte + newestWeight * (ms / bytes - this.#msPerByte);
  }

  /** How long a clause will be when so much of it is there. */
  lengthMs(text: string, msSoFar: number): number {
    return Math.max(msSoFar, spokenBytes(text) * (this.#msPerByte ?? usualMsPerByte));
  }

  isWhole(text: string, ms: number): boolean {
    return ms >= wholeShare * this.lengthMs(text, 0);
  }
}

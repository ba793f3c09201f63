/**
 * Audio from the media socket that has not been heard yet. It is consumed at 8 kHz, however fast it arrives;
 * a mark returns when the audio before it has been consumed.
 */
export class Playout {
  #parts: (Int16Array | string)[] = [];
  #offset = 0;
  #samples = 0;

  get queuedMs(): number {
    return this.#samples / 8;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  add(samples: Int16Array): void {
    this.#parts.push(samples);
    this.#samples += samples.length;
  }

  mark(name: string): void {
    this.#parts.push(name);
  }

  /** The next samples, null without any, and the marks that they reached. */
  take(count: number): { samples: Int16Array | null; marks: string[] } {
    const marks: string[] = [];
    let taken: Int16Array | null = null;
    let filled = 0;
    for (let [head] = this.#parts; head !== undefined; [head] = this.#parts) {
      if (typeof head === 'string') marks.push(head);
      else if (filled === count) break;
      else {
        taken ??= new Int16Array(count);
        const piece = head.subarray(this.#offset, this.#offset + count - filled);
        taken.set(piece, filled);
        filled += piece.length;
        this.#offset += piece.length;
        if (this.#offset < head.length) break;
        this.#offset = 0;
      }
      this.#parts.shift();
    }
    this.#samples -= filled;
    return { samples: taken, marks };
  }

  /** Drops everything; every mark returns, heard or not. */
  clear(): { marks: string[]; droppedMs: number } {
    const marks = this.#parts.filter((part) => typeof part === 'string');
    const droppedMs = this.queuedMs;
    this.#parts = [];
    this.#offset = 0;
    this.#samples = 0;
    return { marks, droppedMs };
  }
}

const maxMs = 500;
/** Weight of the newest measurement against the average of those before it. */
const newestWeight = 0.3;

/** Our names are shorter: `m1`, `m2`, … */
const maxMarkLength = 16;

/** Whether the other end may have returned a mark of ours by this name. */
export const isMarkName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= maxMarkLength;

/** Time from our clock to the person's ear: an estimate until a mark comes back, then measured. */
export class Latency {
  readonly #estimatedMs: number;
  /** For each open mark, when the sound before it has been played at zero latency. */
  readonly #marks = new Map<string, number>();
  #measuredMs: number | null = null;
  #count = 0;

  constructor(estimatedMs: number) {
    this.#estimatedMs = estimatedMs;
  }

  get ms(): number {
    return this.#measuredMs ?? this.#estimatedMs;
  }

  /** Whether a mark has come back. */
  get isMeasured(): boolean {
    return this.#measuredMs !== null;
  }

  /** Names a new mark behind sound that ends at `playedAtMs` of the clock. */
  mark(playedAtMs: number): string {
    this.#count += 1;
    const name = `m${this.#count}`;
    this.#marks.set(name, playedAtMs);
    return name;
  }

  /** Measures by a returned mark. Returns its `playedAtMs`, or null for an unknown or forgotten mark. */
  returned(name: string, nowMs: number): number | null {
    const playedAtMs = this.#marks.get(name);
    if (playedAtMs === undefined) return null;
    this.#marks.delete(name);
    const newMs = Math.min(Math.max(0, nowMs - playedAtMs), maxMs);
    this.#measuredMs =
      this.#measuredMs === null ? newMs : this.#measuredMs + newestWeight * (newMs - this.#measuredMs);
    return playedAtMs;
  }

  forgetMarks(): void {
    this.#marks.clear();
  }
}

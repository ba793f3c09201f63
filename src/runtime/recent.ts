import type { Clock } from './clock.ts';

/** Maximum number of answers kept. */
const maxKept = 10_000;

/** Remembers answers for a short time, so that most of those who ask do not ask the database. */
export class Recent<Answer> {
  readonly #clock: Clock;
  readonly #forMs: number;
  readonly #kept = new Map<string | number, { answer: Answer; sinceMs: number }>();

  constructor(clock: Clock, { forMs }: { forMs: number }) {
    this.#clock = clock;
    this.#forMs = forMs;
  }

  /** The answer of the last `forMs`, or that of `read`. Null is not kept. */
  async find<Found extends Answer | null>(
    key: string | number,
    read: () => Promise<Found>,
  ): Promise<Answer | Found> {
    const nowMs = this.#clock.now().getTime();
    const kept = this.#kept.get(key);
    // guarantee: revocation-acts-within-a-second
    if (kept !== undefined && Math.abs(nowMs - kept.sinceMs) < this.#forMs) return kept.answer;
    const answer = await read();
    if (this.#kept.size >= maxKept) this.#kept.clear();
    if (answer === null) this.#kept.delete(key);
    else this.#kept.set(key, { answer, sinceMs: nowMs });
    return answer;
  }

  forget(): void {
    this.#kept.clear();
  }
}

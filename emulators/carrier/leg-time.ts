/** The leg has ended, so a wait on it cannot complete. */
export class LegOver extends Error {}

interface Waiter {
  isDone: (at: number) => boolean;
  resolve: (at: number) => void;
  reject: (error: LegOver) => void;
}

/** Waits in the time of a leg. Conditions are checked with each frame. */
export class LegTime {
  #waiters: Waiter[] = [];
  #now = Date.now();
  #isOver = false;

  get now(): number {
    return this.#now;
  }

  frame(at: number): void {
    this.#now = at;
    const done = this.#waiters.filter(({ isDone }) => isDone(at));
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((each) => !done.includes(each));
    for (const { resolve } of done) resolve(at);
  }

  /** The leg has ended: every current and later wait throws. */
  end(): void {
    this.#isOver = true;
    for (const { reject } of this.#waiters.splice(0)) reject(new LegOver());
  }

  async pause(ms: number): Promise<void> {
    const until = this.#now + ms;
    await this.until((at) => at >= until);
  }

  /** Answers with the time of the frame in which the condition held. Throws LegOver. */
  async until(isDone: (at: number) => boolean): Promise<number> {
    if (this.#isOver) throw new LegOver();
    return await new Promise((resolve, reject) => this.#waiters.push({ isDone, resolve, reject }));
  }
}

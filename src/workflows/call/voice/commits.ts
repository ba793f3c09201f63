import { CancellationScope, condition, log } from '@temporalio/workflow';
import { rootOf } from '../failures.ts';

/**
 * Turns that are committed behind the conversation, in order, one at a time. A commit that began is not
 * cancelled. One that MySQL refuses for good, as when the call's data were erased meanwhile, is left out: the
 * conversation goes on.
 */
export class Commits {
  readonly #waiting: (() => Promise<void>)[] = [];
  #isRunning = false;

  get pending(): number {
    return this.#waiting.length + (this.#isRunning ? 1 : 0);
  }

  /** Returns at once. */
  add(commit: () => Promise<void>): void {
    this.#waiting.push(commit);
    if (!this.#isRunning) void CancellationScope.nonCancellable(() => this.#run());
  }

  /** Waits for all of them, at most `limitMs`; false when some are left. */
  async drained(limitMs?: number): Promise<boolean> {
    if (this.pending === 0) return true;
    if (limitMs !== undefined) return await condition(() => this.pending === 0, limitMs);
    await condition(() => this.pending === 0);
    return true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        await this.#commit(next);
    } finally {
      this.#isRunning = false;
    }
  }

  async #commit(commit: () => Promise<void>): Promise<void> {
    try {
      await commit();
    } catch (error) {
      log.error('A turn was not committed', { fault: rootOf(error).message });
    }
  }
}

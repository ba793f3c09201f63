import { CancellationScope, condition, log } from '@temporalio/workflow';
import { rootOf } from '../failures.ts';

/**
 * Commits turns behind the conversation, in order, one at a time. Once begun, a commit is not cancelled. A
 * commit that MySQL finally refuses, for example after an erasure of the call's data, is skipped, and the
 * conversation continues.
 */
export class Commits {
  readonly #waiting: (() => Promise<void>)[] = [];
  #isRunning = false;

  get pending(): number {
    return this.#waiting.length + (this.#isRunning ? 1 : 0);
  }

  /** Queues a commit and returns at once. */
  add(commit: () => Promise<void>): void {
    this.#waiting.push(commit);
    if (!this.#isRunning) void CancellationScope.nonCancellable(() => this.#run());
  }

  /** Waits for all commits, at most `limitMs`; false when some are still pending. */
  async drained(limitMs?: number): Promise<boolean> {
    if (this.pending === 0) return true;
    if (limitMs !== undefined)
      return await condition(() => this.pending === 0, limitMs, {
        summary: 'Wait for the turns to be stored',
      });
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

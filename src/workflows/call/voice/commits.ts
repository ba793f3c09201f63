import { CancellationScope, condition, log } from '@temporalio/workflow';
import type { CommitTurnInput } from '../../../activities/call.ts';
import { rootOf } from '../failures.ts';

type Commit = () => Promise<void>;

/**
 * Commits turns behind the conversation, in order, one at a time. Once begun, a commit is not cancelled. A
 * commit that MySQL finally refuses, for example after an erasure of the call's data, is skipped, and the
 * conversation continues.
 *
 * A turn that nothing waits for is carried by the next step to its host, which writes it while it speaks. If
 * the host does not say so, an activity commits the turn after all; writing it twice changes nothing.
 */
export class Commits {
  readonly #waiting: Commit[] = [];
  #carried: { record: CommitTurnInput; commit: Commit } | null = null;
  #isRunning = false;

  get pending(): number {
    return this.#waiting.length + (this.#isRunning ? 1 : 0);
  }

  /** The turn that the next step carries; undefined when there is none. */
  get carried(): CommitTurnInput | undefined {
    return this.#carried?.record;
  }

  /** Queues a commit and returns at once. */
  add(commit: Commit): void {
    this.#unload();
    this.#queue(commit);
  }

  /** Lets the next step carry the turn, or queues its commit behind those that wait. */
  carry(record: CommitTurnInput, commit: Commit): void {
    this.#unload();
    if (this.pending > 0) this.#queue(commit);
    else this.#carried = { record, commit };
  }

  /** The host has written the carried turn. */
  written(): void {
    this.#carried = null;
  }

  /** Waits for all commits, at most `limitMs`; false when some are still pending. */
  async drained(limitMs?: number): Promise<boolean> {
    this.#unload();
    if (this.pending === 0) return true;
    if (limitMs !== undefined)
      return await condition(() => this.pending === 0, limitMs, {
        summary: 'Wait for the turns to be stored',
      });
    await condition(() => this.pending === 0);
    return true;
  }

  /** Queues the commit of a turn that no host is known to have written. */
  #unload(): void {
    const carried = this.#carried;
    this.#carried = null;
    // guarantee: carried-turn-is-committed
    if (carried !== null) this.#queue(carried.commit);
  }

  #queue(commit: Commit): void {
    this.#waiting.push(commit);
    if (!this.#isRunning) void CancellationScope.nonCancellable(() => this.#run());
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

import { condition } from '@temporalio/workflow';

/** A lock with one holder at a time. Waiting ends with a CancelledFailure when the call is cancelled. */
export class Lock {
  #held = false;

  get isHeld(): boolean {
    return this.#held;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // Several waiters may wake at once: each checks again before it takes the lock.
    while (this.#held) await condition(() => !this.#held);
    this.#held = true;
    try {
      return await work();
    } finally {
      this.#held = false;
    }
  }
}

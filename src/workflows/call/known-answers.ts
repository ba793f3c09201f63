import { currentUpdateInfo } from '@temporalio/workflow';
import type { Lock } from './lock.ts';
import type { SessionAnswer } from './messages.ts';
import type { KnownAnswer } from './state.ts';

/** Answers that are kept for Updates that a client may send again. */
const keptAnswers = 20;

/**
 * Temporal answers a repeated Update within one run; over continue-as-new this does, and for a request with a
 * key that comes under another update id because a turn failed meanwhile.
 */
export class KnownAnswers {
  readonly #lock: Lock;
  readonly #answers: KnownAnswer[];

  constructor({ lock, answers }: { lock: Lock; answers: readonly KnownAnswer[] }) {
    this.#lock = lock;
    this.#answers = [...answers];
  }

  get latest(): KnownAnswer[] {
    return this.#answers.slice(-keptAnswers);
  }

  /**
   * The answer of the present Update, which holds the lock meanwhile, or the one that was given to it before.
   */
  async once(
    { requestId }: { requestId?: string | undefined },
    work: () => Promise<SessionAnswer>,
  ): Promise<SessionAnswer> {
    const updateId = currentUpdateInfo()?.id ?? '';
    const known = () =>
      this.#answers.find(
        (each) => each.updateId === updateId || (requestId !== undefined && each.requestId === requestId),
      )?.answer;
    // It may be carried out while this waits for the lock.
    return (
      known() ??
      (await this.#lock.run(async () => known() ?? this.#keep({ updateId, requestId, answer: await work() })))
    );
  }

  #keep({
    updateId,
    requestId,
    answer,
  }: {
    updateId: string;
    requestId: string | undefined;
    answer: SessionAnswer;
  }): SessionAnswer {
    this.#answers.push({ updateId, answer, ...(requestId === undefined ? {} : { requestId }) });
    this.#answers.splice(0, Math.max(0, this.#answers.length - keptAnswers));
    return answer;
  }
}

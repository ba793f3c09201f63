import { currentUpdateInfo } from '@temporalio/workflow';
import type { Lock } from './lock.ts';
import type { SessionAnswer } from './messages.ts';
import type { KnownAnswer } from './state.ts';

/** Maximum number of answers kept for Updates that a client may repeat. */
const maxKeptAnswers = 20;

/**
 * Answers repeated Updates when Temporal cannot: after continue-as-new, and for a request with a key whose
 * update id changed because a turn failed in the meantime.
 */
export class KnownAnswers {
  readonly #lock: Lock;
  readonly #answers: KnownAnswer[];

  constructor({ lock, answers }: { lock: Lock; answers: readonly KnownAnswer[] }) {
    this.#lock = lock;
    this.#answers = [...answers];
  }

  get latest(): KnownAnswer[] {
    return this.#answers.slice(-maxKeptAnswers);
  }

  /** Carries out the current Update under the lock, or returns the answer that it already got. */
  async once(
    { requestId }: { requestId?: string | undefined },
    work: () => Promise<SessionAnswer>,
  ): Promise<SessionAnswer> {
    const updateId = currentUpdateInfo()?.id ?? '';
    const known = () =>
      this.#answers.find(
        (each) => each.updateId === updateId || (requestId !== undefined && each.requestId === requestId),
      )?.answer;
    // Another Update may carry it out while this one waits for the lock.
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
    this.#answers.splice(0, Math.max(0, this.#answers.length - maxKeptAnswers));
    return answer;
  }
}

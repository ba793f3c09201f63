import { currentUpdateInfo } from '@temporalio/workflow';
import type { SessionAnswer } from './messages.ts';
import type { KnownAnswer } from './state.ts';

/** Answers that are kept for Updates that a client may send again. */
const keptAnswers = 20;

/** Temporal answers a repeated Update within one run; over continue-as-new this does. */
export class KnownAnswers {
  readonly #answers: KnownAnswer[];

  constructor(answers: readonly KnownAnswer[]) {
    this.#answers = [...answers];
  }

  get latest(): KnownAnswer[] {
    return this.#answers.slice(-keptAnswers);
  }

  /** The answer of the present Update, or the one that was given to it before. */
  async once(work: () => Promise<SessionAnswer>): Promise<SessionAnswer> {
    const updateId = currentUpdateInfo()?.id ?? '';
    const known = this.#answers.find((each) => each.updateId === updateId);
    if (known !== undefined) return known.answer;
    const answer = await work();
    this.#answers.push({ updateId, answer });
    this.#answers.splice(0, Math.max(0, this.#answers.length - keptAnswers));
    return answer;
  }
}

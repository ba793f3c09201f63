import { ApplicationFailure, condition } from '@temporalio/workflow';
import { closed, conflict } from './failures.ts';
import { KnownAnswers } from './known-answers.ts';
import type { LiveCall } from './live-call.ts';
import { Lock } from './lock.ts';
import type { EndRequest, MessageRequest, RewindRequest, SessionAnswer } from './messages.ts';
import { prepareOpening } from './prepare.ts';
import { rewind } from './rewind.ts';
import type { CallContinuation, Line } from './state.ts';
import { takeTurn } from './turn.ts';

/**
 * What people do to a call, each an Update, and its invariants:
 *
 * T1. One turn, rewind or end at a time (the lock); the revision is looked at after the lock was taken.
 * T2. No turn begins in a call that is over.
 */
export class Conversation {
  readonly #call: LiveCall;
  readonly #lock = new Lock();
  readonly #answers: KnownAnswers;
  #isPrepared: boolean;

  constructor(call: LiveCall) {
    const { continued } = call.input;
    this.#call = call;
    this.#isPrepared = continued !== undefined;
    this.#answers = new KnownAnswers({ lock: this.#lock, answers: continued?.answers ?? [] });
  }

  get isBusy(): boolean {
    return this.#lock.isHeld;
  }

  /** The opening turn; opened already, it answers where the call stands. */
  async open(): Promise<SessionAnswer> {
    const call = this.#call;
    await condition(() => call.isAdmitted || call.isFinished || call.isOver);
    if (!call.isAdmitted || call.isOver) throw closed(call.state);
    return await this.#lock.run(async () => {
      await this.#mustBeOpened();
      return this.#standing();
    });
  }

  /** One message and the turn that answers it. */
  async say(request: MessageRequest): Promise<SessionAnswer> {
    return await this.#answers.once(request, async () => {
      this.#mustStandAt(request.expectedRevision);
      await this.#mustBeOpened();
      const at = new Date().toISOString();
      await this.#turn({
        speaker: 'user',
        text: request.text,
        at,
        nodeId: this.#call.checkpoint.nodeId,
        kind: 'utterance',
      });
      return this.#standing();
    });
  }

  /** Back to an earlier turn; before the first one, the agent opens again. */
  async rewind(request: RewindRequest): Promise<SessionAnswer> {
    return await this.#answers.once(request, async () => {
      this.#mustStandAt(request.expectedRevision);
      const { input, checkpoint, failures } = this.#call;
      this.#call.rewound(
        await rewind({ input, checkpoint, cursorTurnUuid: request.cursorTurnUuid, failures }),
      );
      await this.#openAgain();
      return this.#standing();
    });
  }

  /** The user's end; answers when the record is complete. */
  async end({ expectedRevision }: EndRequest): Promise<SessionAnswer> {
    await this.#lock.run(async () => {
      this.#mustStandAt(expectedRevision);
      this.#call.over('user_hangup');
    });
    await condition(() => this.#call.isFinished);
    return this.#standing();
  }

  /**
   * Validator of Updates: a call that is over, or that never was, takes none. Repeated ones are answered all
   * the same.
   */
  refuseWhenOver(_request: MessageRequest | RewindRequest | EndRequest): void {
    if (this.#call.isOver || this.#call.isFinished) throw closed(this.#call.state);
  }

  /** What a fresh run is to know. */
  continuation(): CallContinuation {
    return { ...this.#call.continuation(), answers: this.#answers.latest };
  }

  /** An opening that failed is made up for before the first message is answered. */
  async #mustBeOpened(): Promise<void> {
    if (this.#call.checkpoint.nodeId !== null) return;
    if (!this.#isPrepared) await prepareOpening(this.#call.input);
    this.#isPrepared = true;
    await this.#turn(null);
  }

  /**
   * The rewind stands whatever becomes of the opening: one that failed is on record, and made up for before
   * the next message.
   */
  async #openAgain(): Promise<void> {
    try {
      await this.#mustBeOpened();
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
    }
  }

  async #turn(utterance: Line | null): Promise<void> {
    const call = this.#call;
    const { input, checkpoint, failures } = call;
    const start = { kind: utterance === null ? ('opening' as const) : ('utterance' as const) };
    try {
      const outcome = await takeTurn({ input, checkpoint, start, utterance, failures });
      if (outcome.kind === 'committed') return call.committed(outcome);
      call.turnFailed(outcome.error);
      throw outcome.error;
    } finally {
      call.changes += 1;
      call.showState();
    }
  }

  #mustStandAt(expectedRevision: number): void {
    const { isOver, state, checkpoint } = this.#call;
    if (isOver) throw closed(state);
    // guarantee: two-messages-saw-same
    if (expectedRevision !== checkpoint.revision) throw conflict(expectedRevision, checkpoint.revision);
  }

  #standing(): SessionAnswer {
    return { revision: this.#call.checkpoint.revision, closed: this.#call.isOver };
  }
}

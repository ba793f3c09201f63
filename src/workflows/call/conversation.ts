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
 * The Updates that people send to a call. Invariants:
 *
 * T1. One turn, rewind or end runs at a time (the lock). The revision is checked after the lock is taken.
 *
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

  /** Runs the opening turn. If the call is already open, it only returns the call's current state. */
  async open(): Promise<SessionAnswer> {
    const call = this.#call;
    await condition(() => call.isAdmitted || call.isFinished || call.isOver);
    if (!call.isAdmitted || call.isOver) throw closed(call.state);
    return await this.#lock.run(async () => {
      await this.#ensureOpened();
      return this.#answer();
    });
  }

  /** Takes one message and runs the turn that answers it. */
  async say(request: MessageRequest): Promise<SessionAnswer> {
    return await this.#answers.once(request, async () => {
      this.#requireRevision(request.expectedRevision);
      await this.#ensureOpened();
      const at = new Date().toISOString();
      await this.#turn({
        speaker: 'user',
        text: request.text,
        at,
        nodeId: this.#call.checkpoint.nodeId,
        kind: 'utterance',
      });
      return this.#answer();
    });
  }

  /** Rewinds to an earlier turn. A rewind to before the first turn opens again. */
  async rewind(request: RewindRequest): Promise<SessionAnswer> {
    return await this.#answers.once(request, async () => {
      this.#requireRevision(request.expectedRevision);
      const { input, checkpoint, failures } = this.#call;
      this.#call.rewound(
        await rewind({ input, checkpoint, cursorTurnUuid: request.cursorTurnUuid, failures }),
      );
      await this.#openAgain();
      return this.#answer();
    });
  }

  /** Ends the call for the user. Returns when the record is complete. */
  async end({ expectedRevision }: EndRequest): Promise<SessionAnswer> {
    await this.#lock.run(async () => {
      this.#requireRevision(expectedRevision);
      this.#call.over('user_hangup');
    });
    await condition(() => this.#call.isFinished);
    return this.#answer();
  }

  /**
   * Validator of Updates: a call that is over or was refused takes none. Temporal still answers a repeated
   * Update.
   */
  refuseWhenOver(_request: MessageRequest | RewindRequest | EndRequest): void {
    if (this.#call.isOver || this.#call.isFinished) throw closed(this.#call.state);
  }

  /** The state for a fresh run. */
  continuation(): CallContinuation {
    return { ...this.#call.continuation(), answers: this.#answers.latest };
  }

  /** Opens the call if needed: an opening that failed is repeated before the first message is answered. */
  async #ensureOpened(): Promise<void> {
    if (this.#call.checkpoint.nodeId !== null) return;
    if (!this.#isPrepared) await prepareOpening(this.#call.input);
    this.#isPrepared = true;
    await this.#turn(null);
  }

  /**
   * The rewind remains valid when the opening fails. The failure is recorded, and the opening is repeated
   * before the next message.
   */
  async #openAgain(): Promise<void> {
    try {
      await this.#ensureOpened();
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
      call.lastActiveMs = Date.now();
      call.showState();
    }
  }

  #requireRevision(expectedRevision: number): void {
    const { isOver, state, checkpoint } = this.#call;
    if (isOver) throw closed(state);
    // guarantee: stale-message-refused-with-revision
    if (expectedRevision !== checkpoint.revision) throw conflict(expectedRevision, checkpoint.revision);
  }

  #answer(): SessionAnswer {
    return { revision: this.#call.checkpoint.revision, closed: this.#call.isOver };
  }
}

import { ApplicationFailure, condition, setCurrentDetails } from '@temporalio/workflow';
import { initialCheckpoint } from '../../domain/call/checkpoint.ts';
import type { Disposition } from '../../domain/call/dispositions.ts';
import { currentDetails, nodeName } from './details.ts';
import { Extractions } from './extractions.ts';
import { closed, conflict } from './failures.ts';
import { KnownAnswers } from './known-answers.ts';
import { Lock } from './lock.ts';
import type { CallInput, CallResult, CallStateAnswer, EndRequest, MessageRequest, RewindRequest, SessionAnswer, TranscriptEntry } from './messages.ts';
import { prepareOpening } from './prepare.ts';
import { rewind } from './rewind.ts';
import { showFailure, showProgress, showTalking } from './search-attributes.ts';
import type { CallContinuation, Checkpoint, Line } from './state.ts';
import { summarizeBeside } from './summary.ts';
import { takeTurn, type TurnOutcome } from './turn.ts';

/** Lines that `transcriptQuery` can answer with. */
const keptLines = 200;

/**
 * What a running call knows, and its invariants:
 *
 * C1. One turn or one end at a time (`lock`); the revision is looked at after the lock was taken.
 * C2. `checkpoint` changes only when MySQL has committed the same.
 * C3. Once `disposition` is set nothing changes it, and no further turn begins.
 */
export class LiveCall {
  readonly input: CallInput;
  readonly extractions: Extractions;
  readonly transcript: TranscriptEntry[] = [];
  checkpoint: Checkpoint;
  /** Lines of the last committed turn. */
  lastLineCount: number;
  /** Failed turns so far: part of the identity of a repeated message. */
  failures: number;
  /** Grows with everything that counts as a sign of life. */
  changes = 0;
  turnsThisRun = 0;
  deliveries = 0;
  disposition: Disposition | null = null;
  /** The model's own word for ending the conversation by a tool. */
  endReason: string | null = null;
  #state: CallStateAnswer['state'];
  #startedAt: string | null;
  #finished = false;
  #isPrepared: boolean;
  readonly #lock = new Lock();
  readonly #answers: KnownAnswers;

  constructor(input: CallInput) {
    const { continued } = input;
    this.input = input;
    this.checkpoint = continued?.checkpoint ?? initialCheckpoint;
    this.lastLineCount = continued?.lastLineCount ?? 0;
    this.failures = continued?.failures ?? 0;
    this.#state = continued === undefined ? 'pending' : 'talking';
    this.#startedAt = continued?.startedAt ?? null;
    this.#isPrepared = continued !== undefined;
    this.#answers = new KnownAnswers({ lock: this.#lock, answers: continued?.answers ?? [] });
    this.extractions = new Extractions({ input, done: continued?.extractions ?? { results: [], failed: [] }, onChange: () => this.showState() });
    this.showState();
  }

  get isAdmitted(): boolean {
    return this.#startedAt !== null;
  }

  get isOver(): boolean {
    return this.disposition !== null;
  }

  get isBusy(): boolean {
    return this.#lock.isHeld;
  }

  get turnCount(): number {
    return this.checkpoint.turnIndex + 1;
  }

  get startedAt(): string {
    return this.#startedAt ?? '';
  }

  admitted(startedAt: string): void {
    this.#startedAt = startedAt;
    showTalking(startedAt);
    this.move('talking');
  }

  refused(): void {
    this.move('refused');
  }

  /** Ends the conversation, once. */
  over(disposition: Disposition): void {
    this.disposition ??= disposition;
  }

  /** The record is complete. */
  closed({ revision }: { revision: number }): void {
    this.checkpoint = { ...this.checkpoint, revision };
    this.move('ended');
  }

  move(state: CallStateAnswer['state']): void {
    this.#state = state;
    this.#finished = state === 'ended' || state === 'refused';
    this.showState();
  }

  showState(): void {
    setCurrentDetails(currentDetails(this.answer()));
  }

  /** The opening turn; opened already, it answers where the call stands. */
  async open(): Promise<SessionAnswer> {
    await condition(() => this.isAdmitted || this.#finished || this.isOver);
    if (!this.isAdmitted || this.isOver) throw closed(this.#state);
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
      await this.#turn({ speaker: 'user', text: request.text, at, nodeId: this.checkpoint.nodeId, kind: 'utterance' });
      return this.#standing();
    });
  }

  /** Back to an earlier turn; before the first one, the agent opens again. */
  async rewind(request: RewindRequest): Promise<SessionAnswer> {
    return await this.#answers.once(request, async () => {
      this.#mustStandAt(request.expectedRevision);
      const { input, checkpoint, failures } = this;
      this.#rewound(await rewind({ input, checkpoint, cursorTurnUuid: request.cursorTurnUuid, failures }));
      await this.#openAgain();
      return this.#standing();
    });
  }

  /** The user's end; answers when the record is complete. */
  async end({ expectedRevision }: EndRequest): Promise<SessionAnswer> {
    await this.#lock.run(async () => {
      this.#mustStandAt(expectedRevision);
      this.over('user_hangup');
    });
    await condition(() => this.#finished);
    return this.#standing();
  }

  /** Validator of Updates: a call that is over, or that never was, takes none. Repeated ones are answered all the same. */
  refuseWhenOver(_request: MessageRequest | RewindRequest | EndRequest): void {
    if (this.isOver || this.#finished) throw closed(this.#state);
  }

  answer(): CallStateAnswer {
    const { nodeId, revision } = this.checkpoint;
    return {
      state: this.#state,
      nodeId,
      nodeName: nodeId === null ? null : nodeName(this.input.plan, nodeId),
      revision,
      turnCount: this.turnCount,
      disposition: this.disposition,
      pendingExtractions: this.extractions.pending,
    };
  }

  continuation(): CallContinuation {
    return { startedAt: this.startedAt, checkpoint: this.checkpoint, lastLineCount: this.lastLineCount, extractions: this.extractions.done, failures: this.failures, answers: this.#answers.latest };
  }

  result(): CallResult {
    return { state: this.#state === 'refused' ? 'refused' : 'ended', disposition: this.disposition, turnCount: this.turnCount, revision: this.checkpoint.revision, deliveries: this.deliveries };
  }

  /** An opening that failed is made up for before the first message is answered. */
  async #mustBeOpened(): Promise<void> {
    if (this.checkpoint.nodeId !== null) return;
    if (!this.#isPrepared) await prepareOpening(this.input);
    this.#isPrepared = true;
    await this.#turn(null);
  }

  /** The rewind stands whatever becomes of the opening: one that failed is on record, and made up for before the next message. */
  async #openAgain(): Promise<void> {
    try {
      await this.#mustBeOpened();
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
    }
  }

  #rewound({ checkpoint, lineCount }: { checkpoint: Checkpoint; lineCount: number }): void {
    this.checkpoint = checkpoint;
    this.lastLineCount = lineCount;
    this.turnsThisRun += 1;
    this.changes += 1;
    const kept = this.transcript.filter(({ turnIndex }) => turnIndex <= checkpoint.turnIndex);
    this.transcript.splice(0, this.transcript.length, ...kept);
    showProgress({ turnCount: this.turnCount, nodesVisited: checkpoint.nodesVisited });
    this.showState();
  }

  async #turn(utterance: Line | null): Promise<void> {
    const { input, checkpoint, failures } = this;
    const start = { kind: utterance === null ? ('opening' as const) : ('utterance' as const) };
    try {
      const outcome = await takeTurn({ input, checkpoint, start, utterance, failures });
      if (outcome.kind === 'failed') throw this.#failed(outcome.error);
      this.#committed(outcome);
    } finally {
      this.changes += 1;
      this.showState();
    }
  }

  #committed({ result, lines, endReason }: Extract<TurnOutcome, { kind: 'committed' }>): void {
    const entered = result.checkpoint.visitIndex !== this.checkpoint.visitIndex;
    this.checkpoint = result.checkpoint;
    this.lastLineCount = lines.length;
    this.turnsThisRun += 1;
    this.transcript.push(...lines.map((line) => ({ turnIndex: result.checkpoint.turnIndex, ...line })));
    this.transcript.splice(0, Math.max(0, this.transcript.length - keptLines));
    if (entered) showProgress({ turnCount: this.turnCount, nodesVisited: this.checkpoint.nodesVisited });
    this.extractions.start(result.extractions);
    if (entered && result.end === null) summarizeBeside(this.input, this.checkpoint);
    if (result.end === null) return;
    this.endReason = endReason;
    this.over(result.end.reason);
  }

  #failed(error: Error): Error {
    this.failures += 1;
    showFailure(error instanceof ApplicationFailure ? (error.type ?? 'unexpected') : 'unexpected');
    return error;
  }

  #mustStandAt(expectedRevision: number): void {
    if (this.isOver) throw closed(this.#state);
    if (expectedRevision !== this.checkpoint.revision) throw conflict(expectedRevision, this.checkpoint.revision);
  }

  #standing(): SessionAnswer {
    return { revision: this.checkpoint.revision, closed: this.isOver };
  }
}

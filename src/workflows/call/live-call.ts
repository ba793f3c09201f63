import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import { initialCheckpoint } from '../../domain/call/checkpoint.ts';
import type { Disposition } from '../../domain/call/dispositions.ts';
import { currentDetails, nodeName } from './details.ts';
import { Extractions } from './extractions.ts';
import type { CallInput, CallResult, CallStateAnswer, TranscriptEntry } from './messages.ts';
import { showFailure, showProgress, showTalking } from './search-attributes.ts';
import type { CallContinuation, Checkpoint } from './state.ts';
import { summarizeInBackground } from './summary.ts';
import type { TakenTurn } from './turn.ts';

/** Maximum number of lines that `transcriptQuery` returns. */
const maxKeptLines = 200;

/**
 * The state of a running call. Invariants:
 *
 * C1. In text, `checkpoint` changes only after MySQL has committed the same change. In speech it runs ahead
 * of MySQL: the turns behind it are committed in order (voice/commits.ts), before a new host gets the call
 * and before the record is completed.
 *
 * C2. Once `disposition` is set, it never changes.
 */
export class LiveCall {
  readonly input: CallInput;
  readonly extractions: Extractions;
  readonly transcript: TranscriptEntry[] = [];
  checkpoint: Checkpoint;
  /** Number of lines of the last committed turn. */
  lastLineCount: number;
  /** Failed turns so far: part of the identity of a repeated message. */
  failures: number;
  /** When the inactivity timeout last began anew, in milliseconds. */
  lastActiveMs = Date.now();
  turnsThisRun = 0;
  deliveries = 0;
  disposition: Disposition | null = null;
  /** The model's own reason, when a tool ended the conversation. */
  endReason: string | null = null;
  #state: CallStateAnswer['state'];
  #startedAt: string | null;

  constructor(input: CallInput) {
    const { continued } = input;
    this.input = input;
    this.checkpoint = continued?.checkpoint ?? initialCheckpoint;
    this.lastLineCount = continued?.lastLineCount ?? 0;
    this.failures = continued?.failures ?? 0;
    this.#state = continued === undefined ? 'pending' : 'talking';
    this.#startedAt = continued?.startedAt ?? null;
    this.extractions = new Extractions({
      input,
      done: continued?.extractions ?? { results: [], failed: [] },
      onChange: () => this.showState(),
    });
    this.showState();
  }

  get isAdmitted(): boolean {
    return this.#startedAt !== null;
  }

  get isOver(): boolean {
    return this.disposition !== null;
  }

  /** True when the record is complete or the call was refused. */
  get isFinished(): boolean {
    return this.#state === 'ended' || this.#state === 'refused';
  }

  get state(): CallStateAnswer['state'] {
    return this.#state;
  }

  get turnCount(): number {
    return this.checkpoint.turnIndex + 1;
  }

  get startedAt(): string {
    return this.#startedAt ?? '';
  }

  admitted(startedAt: string): void {
    this.#startedAt = startedAt;
    if (this.input.channel.kind !== 'text') return this.move('admitted');
    this.talking(startedAt);
  }

  /** The conversation begins; `since` is ISO 8601. */
  talking(since: string): void {
    this.lastActiveMs = Date.now();
    showTalking(since);
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
    this.showState();
  }

  showState(): void {
    setCurrentDetails(currentDetails(this.answer()));
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

  /** The state for a fresh run, without the known answers, which the conversation adds. */
  continuation(): Omit<CallContinuation, 'answers'> {
    return {
      startedAt: this.startedAt,
      checkpoint: this.checkpoint,
      lastLineCount: this.lastLineCount,
      extractions: this.extractions.done,
      failures: this.failures,
    };
  }

  result(): CallResult {
    return {
      state: this.#state === 'refused' ? 'refused' : 'ended',
      disposition: this.disposition,
      turnCount: this.turnCount,
      revision: this.checkpoint.revision,
      deliveries: this.deliveries,
    };
  }

  /** MySQL has committed the rewind. */
  rewound({ checkpoint, lineCount }: { checkpoint: Checkpoint; lineCount: number }): void {
    this.checkpoint = checkpoint;
    this.lastLineCount = lineCount;
    this.turnsThisRun += 1;
    this.lastActiveMs = Date.now();
    const kept = this.transcript.filter(({ turnIndex }) => turnIndex <= checkpoint.turnIndex);
    this.transcript.splice(0, this.transcript.length, ...kept);
    showProgress({ turnCount: this.turnCount, nodesVisited: checkpoint.nodesVisited });
    this.showState();
  }

  /** MySQL has committed the turn. */
  committed(turn: TakenTurn): void {
    const entered = this.advanced(turn);
    this.startExtractions(turn, entered);
    this.endedBy(turn);
  }

  /** Moves the conversation past the turn. Returns whether another visit has begun. */
  advanced({ result, lines }: TakenTurn): boolean {
    const entered = result.checkpoint.visitIndex !== this.checkpoint.visitIndex;
    this.checkpoint = result.checkpoint;
    this.lastLineCount = lines.length;
    this.turnsThisRun += 1;
    this.transcript.push(...lines.map((line) => ({ turnIndex: result.checkpoint.turnIndex, ...line })));
    this.transcript.splice(0, Math.max(0, this.transcript.length - maxKeptLines));
    if (entered) showProgress({ turnCount: this.turnCount, nodesVisited: this.checkpoint.nodesVisited });
    return entered;
  }

  /** Starts the extractions and the summary that read the turn from MySQL. */
  startExtractions({ result }: TakenTurn, entered: boolean): void {
    this.extractions.start(result.extractions);
    if (entered && result.end === null) summarizeInBackground(this.input, result.checkpoint);
  }

  /** Ends the conversation if the turn ended it. */
  endedBy({ result, endReason }: TakenTurn): void {
    if (result.end === null) return;
    this.endReason = endReason;
    this.over(result.end.reason);
  }

  /** Counts a failed turn, which changed nothing else. */
  turnFailed(error: Error): void {
    this.failures += 1;
    showFailure(error instanceof ApplicationFailure ? (error.type ?? 'unexpected') : 'unexpected');
  }
}

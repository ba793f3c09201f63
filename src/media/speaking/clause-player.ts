import type { Line, LineKind } from '../../domain/call/line.ts';
import { heardText } from '../../domain/speech/heard-text.ts';
import { guarded } from '../../runtime/guarded.ts';
import type { SpeechPace } from '../../domain/speech/speech-pace.ts';
import type { JournaledClause } from '../../domain/speech/journal.ts';
import type { Heard, PlayoutEvent, VoiceLeg } from '../leg.ts';
import type { StepJournal } from './journal-writer.ts';
import { isoOf, type HostClocks } from './now.ts';

/** A clause of a step on its way to the person. */
export interface SpokenClause {
  /** Its id in the playout. */
  readonly id: number;
  readonly entry: JournaledClause;
  /** Milliseconds of the clock; null before its first frame was sent. */
  beganAtMs: number | null;
  isOver: boolean;
  /** Length of its sound so far. */
  fedMs: number;
  isFed: boolean;
}

/** A clause to say. */
export interface ClauseMade {
  text: string;
  lineKind: LineKind;
  isFiller?: boolean;
  recordingId?: string | null;
  /** Position of a clause that an earlier host made; without it, the next one. */
  position?: number;
}

/** How often to check whether a voice has fallen silent. */
const dryCheckMs = 60;

/** Callbacks of a step. */
export interface ClauseListener {
  /** Called when the playback goes from silence to speech, and back. */
  onStarted(atMs: number): void;
  onDrained(atMs: number): void;
  onClauseBegan(clause: SpokenClause): void;
}

/**
 * The clauses of a step, from the text to the end of the playback. The journal and the lines of the step
 * follow what the person heard by the playout's clock, not what was made.
 */
export class ClausePlayer {
  readonly #leg: VoiceLeg;
  readonly #clocks: HostClocks;
  readonly #journal: StepJournal;
  readonly #listener: ClauseListener;
  readonly #clauses: SpokenClause[] = [];
  readonly #pace: SpeechPace;
  readonly #nextId: () => number;
  readonly #unsubscribe: () => void;
  readonly #onFault: (error: unknown) => void;
  #nextPosition: number;
  #isSounding = false;
  #waiting: (() => void)[] = [];
  #isCut = false;
  #watch: NodeJS.Timeout | undefined;

  constructor({
    leg,
    clocks,
    journal,
    listener,
    pace,
    nextId,
    firstPosition,
    onFault,
  }: {
    leg: VoiceLeg;
    clocks: HostClocks;
    journal: StepJournal;
    listener: ClauseListener;
    pace: SpeechPace;
    nextId: () => number;
    firstPosition: number;
    onFault: (error: unknown) => void;
  }) {
    this.#onFault = onFault;
    this.#pace = pace;
    this.#leg = leg;
    this.#clocks = clocks;
    this.#journal = journal;
    this.#listener = listener;
    this.#nextId = nextId;
    this.#nextPosition = firstPosition;
    this.#unsubscribe = leg.playout.on((event) => this.#take(event));
  }

  /** The position of the next clause. */
  get nextPosition(): number {
    return this.#nextPosition;
  }

  get entries(): JournaledClause[] {
    return this.#clauses.map(({ entry }) => ({ ...entry }));
  }

  /** Adds a clause; `feed` brings its sound. */
  add({
    text,
    lineKind,
    isFiller = false,
    recordingId = null,
    position = this.#nextPosition,
  }: ClauseMade): SpokenClause {
    this.#nextPosition = Math.max(this.#nextPosition, position + 1);
    const entry: JournaledClause = {
      kind: 'clause',
      position,
      text,
      lineKind,
      isFiller,
      recordingId,
      sentAt: null,
      playedAt: null,
      heardText: null,
    };
    const clause: SpokenClause = {
      id: this.#nextId(),
      entry,
      beganAtMs: null,
      isOver: this.#isCut,
      fedMs: 0,
      isFed: false,
    };
    this.#clauses.push(clause);
    if (!this.#isCut) this.#journal.note({ ...entry });
    return clause;
  }

  feed(clause: SpokenClause, samples: Int16Array, isLast: boolean): void {
    if (this.#isCut || clause.isOver) return;
    clause.fedMs += (samples.length * 1000) / this.#leg.sampleRate;
    clause.isFed = isLast;
    if (isLast) this.#pace.learn(clause.entry.text, clause.fedMs);
    if (clause.entry.playedAt !== null) this.#settleEntry(clause, null);
    this.#leg.playout.add({ clauseId: clause.id, samples, isLast });
    if (!isLast) this.#watch ??= this.#lookSoon();
  }

  /** Its sound is most likely complete, although the voice has not marked its end. */
  isLikelyWhole({ entry, fedMs }: SpokenClause): boolean {
    return this.#pace.isWhole(entry.text, fedMs);
  }

  /**
   * Some voices do not mark the end of a clause. When such a clause was heard to the end of its sound, it is
   * most likely whole: the journal then says so, and no host repeats it. More sound revokes that.
   */
  #look(): void {
    this.#watch = undefined;
    const open = this.#clauses.find((each) => !each.isOver && !each.isFed && each.fedMs > 0);
    if (open === undefined || this.#isCut) return;
    const heardMs = this.#leg.playout.heard().find(({ clauseId }) => clauseId === open.id)?.heardMs ?? 0;
    if (heardMs >= open.fedMs - 1 && open.entry.playedAt === null && this.isLikelyWhole(open))
      this.#settleEntry(open, this.#clocks.nowMs());
    this.#watch = this.#lookSoon();
  }

  #lookSoon(): NodeJS.Timeout {
    return setTimeout(
      guarded(() => this.#look(), this.#onFault),
      dryCheckMs,
    );
  }

  #settleEntry({ entry }: SpokenClause, atMs: number | null): void {
    entry.playedAt = atMs === null ? null : isoOf(this.#clocks, atMs);
    this.#journal.note({ ...entry });
  }

  /**
   * Drops a clause whose voice failed. Its text is cleared: it was said in part at most, and is said again or
   * lost.
   */
  abandon(clause: SpokenClause): void {
    clause.entry.text = '';
    this.feed(clause, new Int16Array(0), true);
    this.#journal.note({ ...clause.entry });
  }

  /** Stops at once. Only what was heard until then counts. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    if (this.#isSilent) return; // everything counts as heard, although the other end may still play the last of it
    const heard = new Map(this.#leg.playout.clear().map((each) => [each.clauseId, each]));
    for (const clause of this.#clauses.filter(({ isOver }) => !isOver)) {
      const known = heard.get(clause.id);
      const text = known === undefined ? '' : this.#heardOf(clause, known);
      this.#close(clause, {
        heardText: text === clause.entry.text ? null : text,
        atMs: this.#clocks.nowMs(),
      });
    }
    this.#isSounding = false;
    this.#settle();
  }

  #heardOf({ entry: { text }, fedMs, isFed }: SpokenClause, { heardMs, totalMs }: Heard): string {
    const isWhole =
      (totalMs !== null && heardMs >= totalMs) ||
      (!isFed && heardMs >= fedMs - 1 && this.#pace.isWhole(text, fedMs));
    // guarantee: interrupted-reply-keeps-heard-words
    return heardText({ text, heardMs, totalMs: totalMs ?? this.#pace.lengthMs(text, fedMs), isWhole });
  }

  /** Resolves when every clause has been heard or dropped. */
  whenSilent(): Promise<void> {
    return this.#isSilent ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * The lines that were heard so far. Consecutive clauses of one kind are one line; a filler is a separate
   * line.
   */
  lines(nodeId: string): Line[] {
    return this.#asLines(nodeId, ({ entry, isOver }) =>
      isOver && entry.playedAt !== null ? (entry.heardText ?? entry.text) : '',
    );
  }

  #asLines(nodeId: string, textOf: (clause: SpokenClause) => string): Line[] {
    const lines: (Line & { isFiller: boolean })[] = [];
    for (const clause of this.#clauses) {
      const [{ entry, beganAtMs }, said] = [clause, textOf(clause)];
      if (said.trim() === '') continue;
      const last = lines.at(-1);
      if (last !== undefined && last.kind === entry.lineKind && !last.isFiller && !entry.isFiller)
        last.text += said;
      else
        lines.push({
          speaker: 'assistant',
          text: said,
          at: isoOf(this.#clocks, beganAtMs ?? this.#clocks.nowMs()),
          nodeId,
          kind: entry.lineKind,
          isFiller: entry.isFiller,
        });
    }
    const wasCutOff = this.#clauses.some(({ entry }) => entry.heardText !== null);
    return lines.map(({ isFiller: _, ...line }, index) => ({
      ...line,
      text: line.text.trim(),
      ...(wasCutOff && index === lines.length - 1 ? { wasInterrupted: true as const } : {}),
    }));
  }

  /** The lines of the step if everything that was made for it is heard. */
  madeLines(nodeId: string): Line[] {
    return this.#asLines(nodeId, ({ entry }) => entry.text);
  }

  close(): void {
    clearTimeout(this.#watch);
    this.#unsubscribe();
  }

  get #isSilent(): boolean {
    return this.#clauses.every(({ isOver }) => isOver);
  }

  #settle(): void {
    if (!this.#isSilent) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #take(event: PlayoutEvent): void {
    switch (event.kind) {
      case 'clause_began':
        return this.#began(event);
      case 'clause_played': {
        const clause = this.#clauses.find(({ id }) => id === event.clauseId);
        if (clause !== undefined && !clause.isOver)
          this.#close(clause, { heardText: null, atMs: event.atMs });
        return this.#settle();
      }
      case 'drained':
        if (this.#isSounding) this.#listener.onDrained(event.atMs);
        this.#isSounding = false;
        return;
    }
  }

  #began({ clauseId, atMs }: { clauseId: number; atMs: number }): void {
    const clause = this.#clauses.find(({ id }) => id === clauseId);
    if (clause === undefined || clause.isOver) return;
    clause.beganAtMs = atMs;
    clause.entry.sentAt = isoOf(this.#clocks, atMs);
    this.#journal.note({ ...clause.entry });
    this.#listener.onClauseBegan(clause);
    if (!this.#isSounding) {
      this.#isSounding = true;
      this.#listener.onStarted(atMs);
    }
  }

  #close(clause: SpokenClause, { heardText: text, atMs }: { heardText: string | null; atMs: number }): void {
    clause.isOver = true;
    clause.entry.heardText = text;
    clause.entry.playedAt = isoOf(this.#clocks, atMs);
    this.#journal.note({ ...clause.entry });
  }
}

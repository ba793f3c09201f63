import type { Line, LineKind } from '../../domain/call/line.ts';
import { heardText } from '../../domain/speech/heard-text.ts';
import type { SpeechPace } from '../../domain/speech/speech-pace.ts';
import type { JournaledClause } from '../../domain/speech/journal.ts';
import type { Heard, PlayoutEvent, VoiceLeg } from '../leg.ts';
import type { StepJournal } from './journal-writer.ts';
import { isoOf, type HostClocks } from './now.ts';

/** One clause of a step on its way to the person. */
export interface SpokenClause {
  /** Of the playout. */
  readonly id: number;
  readonly entry: JournaledClause;
  /** Milliseconds of the clock; null before its first frame went out. */
  beganAtMs: number | null;
  isOver: boolean;
  /** Of its sound, so far. */
  fedMs: number;
  isFed: boolean;
}

/** What a clause is. */
export interface ClauseMade {
  text: string;
  lineKind: LineKind;
  isFiller?: boolean;
  recordingId?: string | null;
  /** Of a clause that a host before this one made; absent = the next. */
  position?: number;
}

/** How often it is looked whether a voice has fallen silent. */
const dryCheckMs = 60;

/** What a step wants to know. */
export interface MouthListener {
  /** The wire goes from silence to speech, and back. */
  onStarted(atMs: number): void;
  onDrained(atMs: number): void;
  onClauseBegan(clause: SpokenClause): void;
}

/**
 * The clauses of one step, from the moment they are cut until they were heard: what is said, journaled and
 * remembered of it. What was heard is decided by the playout's clock, never by what was made.
 */
export class Mouth {
  readonly #leg: VoiceLeg;
  readonly #clocks: HostClocks;
  readonly #journal: StepJournal;
  readonly #listener: MouthListener;
  readonly #clauses: SpokenClause[] = [];
  readonly #pace: SpeechPace;
  readonly #nextId: () => number;
  readonly #leave: () => void;
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
  }: {
    leg: VoiceLeg;
    clocks: HostClocks;
    journal: StepJournal;
    listener: MouthListener;
    pace: SpeechPace;
    nextId: () => number;
    firstPosition: number;
  }) {
    this.#pace = pace;
    this.#leg = leg;
    this.#clocks = clocks;
    this.#journal = journal;
    this.#listener = listener;
    this.#nextId = nextId;
    this.#nextPosition = firstPosition;
    this.#leave = leg.playout.on((event) => this.#take(event));
  }

  /** Where the next clause of the step goes. */
  get nextPosition(): number {
    return this.#nextPosition;
  }

  get entries(): JournaledClause[] {
    return this.#clauses.map(({ entry }) => ({ ...entry }));
  }

  /** The clause will be said; its sound follows by `feed`. */
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
    if (!isLast) this.#watch ??= setTimeout(() => this.#look(), dryCheckMs);
  }

  /** Its sound is most likely complete, although nobody said so. */
  isLikelyWhole({ entry, fedMs }: SpokenClause): boolean {
    return this.#pace.isWhole(entry.text, fedMs);
  }

  /**
   * A voice that does not say where a clause ends has said it, most likely, when it was heard to the end of
   * what there is: that is written down, so that nobody says it again. More sound of it takes that back.
   */
  #look(): void {
    this.#watch = undefined;
    const open = this.#clauses.find((each) => !each.isOver && !each.isFed && each.fedMs > 0);
    if (open === undefined || this.#isCut) return;
    const heardMs = this.#leg.playout.heard().find(({ clauseId }) => clauseId === open.id)?.heardMs ?? 0;
    if (heardMs >= open.fedMs - 1 && open.entry.playedAt === null && this.isLikelyWhole(open))
      this.#settleEntry(open, this.#clocks.nowMs());
    this.#watch = setTimeout(() => this.#look(), dryCheckMs);
  }

  #settleEntry({ entry }: SpokenClause, atMs: number | null): void {
    entry.playedAt = atMs === null ? null : isoOf(this.#clocks, atMs);
    this.#journal.note({ ...entry });
  }

  /**
   * The clause gets no more sound: its voice failed. Words of which a part may have been heard are said again
   * or are lost; it counts for nothing.
   */
  abandon(clause: SpokenClause): void {
    clause.entry.text = '';
    this.feed(clause, new Int16Array(0), true);
    this.#journal.note({ ...clause.entry });
  }

  /** Stops at once. What was heard until then is what counts. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    if (this.#isSilent) return; // the other end may still play a last moment of what is taken for heard
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
    // guarantee: caller-cuts-finds-no
    return heardText({ text, heardMs, totalMs: totalMs ?? this.#pace.lengthMs(text, fedMs), isWhole });
  }

  /** All that was added has been heard, or never will be. */
  whenSilent(): Promise<void> {
    return this.#isSilent ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * What was heard so far, as lines: clauses of one kind that follow each other are one, an aside is one of
   * its own.
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

  /** What was made for the step, as lines, if all of it will have been heard. */
  madeLines(nodeId: string): Line[] {
    return this.#asLines(nodeId, ({ entry }) => entry.text);
  }

  leave(): void {
    clearTimeout(this.#watch);
    this.#leave();
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

import type { Heard } from '../leg.ts';

/**
 * The speech to play, as one sequence of samples: clauses in order, each with its position. Positions only
 * grow. The playout keeps one for what it sent and one for what was heard.
 */
export interface SpeechQueue {
  add(part: { clauseId: number; samples: Int16Array; isLast: boolean }): void;
  /** Copies samples from `position` on into `frame`, and returns how many. */
  read(position: number, frame: Int16Array): number;
  /** Forgets samples before `position`; clauses stay known. */
  release(position: number): void;
  /** Drops everything that was not heard: clauses end there, and later parts of them are ignored. */
  cut(heardPosition: number): void;
  /** Position after the last sample. */
  readonly end: number;
  /** False while more of the last clause may follow. */
  readonly isComplete: boolean;
  /** Clauses that began before `position`; each is returned once. */
  takeBegun(position: number): number[];
  /** Complete clauses that end at or before `position`; each is returned once. */
  takePlayed(position: number): number[];
  /** For every clause that began, how much of it is before `heardPosition`. */
  heard(heardPosition: number): Heard[];
}

interface Clause {
  id: number;
  start: number;
  end: number;
  isComplete: boolean;
  isBegun: boolean;
  isPlayed: boolean;
  /** Samples of it that were heard before it was cut; null when it was not cut. */
  cutAt: number | null;
}

interface Chunk {
  start: number;
  samples: Int16Array;
}

/** Number of clauses that stay known: several steps of a call, for late questions. */
const maxClauses = 64;

/** An empty queue. */
export function createSpeechQueue(sampleRate: number): SpeechQueue {
  return new ClauseQueue(sampleRate);
}

class ClauseQueue implements SpeechQueue {
  readonly #sampleRate: number;
  #clauses: Clause[] = [];
  #chunks: Chunk[] = [];
  #end = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  add({ clauseId, samples, isLast }: { clauseId: number; samples: Int16Array; isLast: boolean }): void {
    const clause = this.#clauseOf(clauseId);
    if (clause.cutAt !== null || clause.isComplete) return;
    if (samples.length > 0) this.#chunks.push({ start: this.#end, samples });
    this.#end += samples.length;
    clause.end = this.#end;
    clause.isComplete = isLast;
  }

  read(position: number, frame: Int16Array): number {
    let filled = 0;
    for (const { start, samples } of this.#chunks) {
      const from = position + filled - start;
      if (from < 0 || from >= samples.length) continue;
      const part = samples.subarray(from, from + frame.length - filled);
      frame.set(part, filled);
      filled += part.length;
      if (filled === frame.length) break;
    }
    return filled;
  }

  release(position: number): void {
    const chunks = this.#chunks;
    while (chunks[0] !== undefined && chunks[0].start + chunks[0].samples.length <= position) chunks.shift();
  }

  cut(heardPosition: number): void {
    for (const clause of this.#clauses) {
      if (clause.cutAt === null && !(clause.isComplete && clause.end <= heardPosition))
        clause.cutAt = Math.max(0, heardPosition - clause.start);
    }
    this.#chunks = [];
  }

  get end(): number {
    return this.#end;
  }

  get isComplete(): boolean {
    const last = this.#clauses.at(-1);
    return last === undefined || last.isComplete || last.cutAt !== null;
  }

  takeBegun(position: number): number[] {
    return this.#takeDue(
      'isBegun',
      ({ start, end, isComplete }) => start < position || (isComplete && end <= position),
    );
  }

  takePlayed(position: number): number[] {
    return this.#takeDue('isPlayed', ({ end, isComplete }) => isComplete && end <= position);
  }

  heard(heardPosition: number): Heard[] {
    return this.#clauses
      .filter(({ isBegun }) => isBegun)
      .map(({ id, start, end, isComplete, cutAt }) => ({
        clauseId: id,
        heardMs: this.#msOf(cutAt ?? Math.min(Math.max(0, heardPosition - start), end - start)),
        totalMs: isComplete ? this.#msOf(end - start) : null,
      }));
  }

  /** The clause of this id. A new one begins at the end of the queue. */
  #clauseOf(id: number): Clause {
    const known = this.#clauses.findLast((each) => each.id === id);
    if (known !== undefined) return known;
    const last = this.#clauses.at(-1);
    if (last !== undefined) last.isComplete = true; // a clause is complete when the next one begins
    const clause = {
      id,
      start: this.#end,
      end: this.#end,
      isComplete: false,
      isBegun: false,
      isPlayed: false,
      cutAt: null,
    };
    this.#clauses = [...this.#clauses.slice(1 - maxClauses), clause];
    return clause;
  }

  /** Sets the flag of the clauses that are due, and returns their ids. */
  #takeDue(flag: 'isBegun' | 'isPlayed', isDue: (clause: Clause) => boolean): number[] {
    const due = this.#clauses.filter((each) => each.cutAt === null && !each[flag] && isDue(each));
    for (const each of due) each[flag] = true;
    return due.map(({ id }) => id);
  }

  #msOf(samples: number): number {
    return (samples * 1000) / this.#sampleRate;
  }
}

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

export function createSpeechQueue(sampleRate: number): SpeechQueue {
  let clauses: Clause[] = [];
  let chunks: Chunk[] = [];
  let end = 0;
  const msOf = (samples: number) => (samples * 1000) / sampleRate;

  function clauseOf(id: number): Clause {
    const known = clauses.findLast((each) => each.id === id);
    if (known !== undefined) return known;
    const last = clauses.at(-1);
    if (last !== undefined) last.isComplete = true; // a clause is complete when the next one begins
    const clause = { id, start: end, end, isComplete: false, isBegun: false, isPlayed: false, cutAt: null };
    clauses = [...clauses.slice(1 - maxClauses), clause];
    return clause;
  }

  function take(flag: 'isBegun' | 'isPlayed', isDue: (clause: Clause) => boolean): number[] {
    const due = clauses.filter((each) => each.cutAt === null && !each[flag] && isDue(each));
    for (const each of due) each[flag] = true;
    return due.map(({ id }) => id);
  }

  return {
    add({ clauseId, samples, isLast }) {
      const clause = clauseOf(clauseId);
      if (clause.cutAt !== null || clause.isComplete) return;
      if (samples.length > 0) chunks.push({ start: end, samples });
      end += samples.length;
      clause.end = end;
      clause.isComplete = isLast;
    },
    read(position, frame) {
      let filled = 0;
      for (const { start, samples } of chunks) {
        const from = position + filled - start;
        if (from < 0 || from >= samples.length) continue;
        const part = samples.subarray(from, from + frame.length - filled);
        frame.set(part, filled);
        filled += part.length;
        if (filled === frame.length) break;
      }
      return filled;
    },
    release(position) {
      while (chunks[0] !== undefined && chunks[0].start + chunks[0].samples.length <= position)
        chunks.shift();
    },
    cut(heardPosition) {
      for (const clause of clauses) {
        if (clause.cutAt === null && !(clause.isComplete && clause.end <= heardPosition))
          clause.cutAt = Math.max(0, heardPosition - clause.start);
      }
      chunks = [];
    },
    get end() {
      return end;
    },
    get isComplete() {
      const last = clauses.at(-1);
      return last === undefined || last.isComplete || last.cutAt !== null;
    },
    takeBegun: (position) =>
      take('isBegun', ({ start, end: to, isComplete }) => start < position || (isComplete && to <= position)),
    takePlayed: (position) => take('isPlayed', ({ end: to, isComplete }) => isComplete && to <= position),
    heard: (heardPosition) =>
      clauses
        .filter(({ isBegun }) => isBegun)
        .map(({ id, start, end: to, isComplete, cutAt }) => ({
          clauseId: id,
          heardMs: msOf(cutAt ?? Math.min(Math.max(0, heardPosition - start), to - start)),
          totalMs: isComplete ? msOf(to - start) : null,
        })),
  };
}

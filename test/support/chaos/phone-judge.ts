import type { Clause } from './phone-desk.ts';

/** A word that a person heard, and when it had ended (milliseconds since 1970; about 60 ms off). */
export interface HeardWord {
  text: string;
  endedAt: number;
}

export interface Evidence {
  /** All that the person heard of the agent, in order. */
  words: readonly HeardWord[];
  /** What the person had to hear. */
  clauses: readonly Clause[];
  /** Lines that may be said besides, once after each loss. */
  fillers: readonly string[];
  /** When a media host of the call was killed. */
  lostAt: readonly number[];
  /**
   * When the person talked: over a line that is said besides, too, which is then broken off as any line is.
   */
  saying: readonly { from: number; until: number }[];
}

export type Violation =
  /** Said again although it had been heard to its end, more than 300 ms before any loss. */
  | { kind: 'repeated'; clause: string; heardAt: number; againAt: number }
  /** Never heard to its end. */
  | { kind: 'dropped'; clause: string }
  /** Broken off, with nobody to blame. */
  | { kind: 'cut'; heard: string; at: number }
  /** An apology without a loss. */
  | { kind: 'needless'; filler: string; at: number }
  /** Nothing that the agent has to say. */
  | { kind: 'unknown'; heard: string; at: number };

/**
 * Clauses that ended so shortly before a kill may be said again: nobody could know that they were heard. The
 * log is about 60 ms off.
 */
const excusedMs = 300 + 60;
/**
 * After a loss nobody of the old host is heard for longer than this: what had been sent is dropped with the
 * socket.
 */
const echoMs = 400;

/** A letter that was heard. A line that stood still for a moment splits a word, so words are no measure. */
interface Letter {
  text: string;
  /** About when it had ended. */
  at: number;
  /** How what was heard reads from here on. */
  word: string;
}

/** So long a character sounds (the modem of the emulators). */
const letterMs = 60;

function lettersOf(words: readonly HeardWord[]): Letter[] {
  return words.flatMap(({ text, endedAt }) =>
    Array.from(text).map((letter, index, all) => ({
      text: letter,
      at: endedAt - (all.length - 1 - index) * letterMs,
      word: index === 0 ? ` ${letter}` : letter,
    })),
  );
}

/** What is wrong with what one person heard; empty = nothing. Pure: the evidence is the carrier's. */
export function judgeHearing({ words, clauses, fillers, lostAt, saying }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const heardAt = new Map<number, number>();
  const letters = lettersOf(words);
  let due = 0;
  for (let at = 0; at < letters.length;) {
    const rest = letters.slice(at);
    const known = clauses.findIndex((clause, index) => index >= due && isWhole(rest, clause.text));
    const whole =
      known === -1
        ? clauses.findLastIndex((clause, index) => index < due && isWhole(rest, clause.text))
        : known;
    const clause = clauses[whole];
    if (clause !== undefined) {
      const length = lettersIn(clause.text).length;
      const endedAt = rest[length - 1]?.at ?? 0;
      const before = heardAt.get(whole);
      if (before !== undefined && !lostAt.some((moment) => Math.abs(moment - before) <= excusedMs))
        violations.push({ kind: 'repeated', clause: clause.text, heardAt: before, againAt: endedAt });
      for (const skipped of clauses.slice(due, whole))
        if (skipped.mayBeCut !== true) violations.push({ kind: 'dropped', clause: skipped.text });
      heardAt.set(whole, endedAt);
      due = Math.max(due, whole + 1);
      at += length;
      continue;
    }
    const filler = fillers.find((each) => isWhole(rest, each));
    if (filler !== undefined) {
      const beganAt = rest[0]?.at ?? 0;
      if (!lostAt.some((moment) => moment < beganAt))
        violations.push({ kind: 'needless', filler, at: beganAt });
      at += lettersIn(filler).length;
      continue;
    }
    const texts = [...clauses.map(({ text }) => text), ...fillers];
    const part = longestPart(rest, texts);
    const length = part === 0 ? unknownLength(rest, texts) : part;
    const heard = readable(rest.slice(0, length));
    const endedAt = rest[length - 1]?.at ?? 0;
    const mayBeCut =
      clauses.some(
        ({ text, mayBeCut: may }) => may === true && lettersIn(text).startsWith(lettersIn(heard)),
      ) ||
      (fillers.some((text) => lettersIn(text).startsWith(lettersIn(heard))) &&
        saying.some(({ from, until }) => endedAt >= from && endedAt <= until + echoMs));
    if (part === 0) violations.push({ kind: 'unknown', heard, at: endedAt });
    else if (
      !mayBeCut &&
      !lostAt.some((moment) => endedAt > moment - echoMs - excusedMs && endedAt < moment + echoMs)
    )
      violations.push({ kind: 'cut', heard, at: endedAt });
    at += length;
  }
  for (const clause of clauses.slice(due))
    if (clause.mayBeCut !== true) violations.push({ kind: 'dropped', clause: clause.text });
  return violations;
}

const lettersIn = (text: string): string => text.replaceAll(/\s/g, '');
const readable = (letters: readonly Letter[]): string =>
  letters
    .map(({ word }) => word)
    .join('')
    .trim();

/** Whether what was heard begins with all of the text. */
function isWhole(heard: readonly Letter[], text: string): boolean {
  return partOf(heard, text) === lettersIn(text).length;
}

/** How many letters are the beginning of one of the texts. */
function longestPart(heard: readonly Letter[], texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => partOf(heard, text)));
}

function partOf(heard: readonly Letter[], text: string): number {
  const own = lettersIn(text);
  let length = 0;
  while (length < own.length && heard[length]?.text === own[length]) length += 1;
  return length;
}

/** Until one of the texts begins. */
function unknownLength(heard: readonly Letter[], texts: readonly string[]): number {
  let length = 1;
  while (length < heard.length && !texts.some((text) => isWhole(heard.slice(length), text))) length += 1;
  return length;
}

/**
 * A loss, and how long the person then heard nothing of the agent: from the last sound of either side before
 * it.
 */
export interface Silence {
  lostAt: number;
  ms: number;
}

/**
 * `spans`: when the agent was heard; `saidUntil`: when the person's own sentences ended. Losses after which
 * the agent says nothing more are left out.
 */
export function silencesOf({
  lostAt,
  spans,
  saidUntil,
  endedAt,
}: {
  lostAt: readonly number[];
  spans: readonly { beganAt: number; endedAt: number }[];
  saidUntil: readonly number[];
  endedAt: number;
}): Silence[] {
  return lostAt.flatMap((moment) => {
    const next = spans.find(({ beganAt }) => beganAt > moment + echoMs && beganAt < endedAt);
    if (next === undefined) return [];
    const agent = spans
      .filter(({ beganAt }) => beganAt <= moment + echoMs)
      .map((span) => Math.min(span.endedAt, moment + echoMs));
    const lastSound = Math.max(
      ...agent,
      ...saidUntil.filter((until) => until <= next.beganAt && until <= moment),
      0,
    );
    return lastSound === 0 ? [] : [{ lostAt: moment, ms: next.beganAt - lastSound }];
  });
}

import type { Clause } from './phone-desk.ts';

/** A word that a person heard, and when it ended (milliseconds since 1970, accurate to about 60 ms). */
export interface HeardWord {
  text: string;
  endedAt: number;
}

export interface Evidence {
  /** All words that the person heard from the agent, in order. */
  words: readonly HeardWord[];
  /** The clauses that the person had to hear. */
  clauses: readonly Clause[];
  /** Additional lines that are allowed once after each loss. */
  fillers: readonly string[];
  /** When a media host of the call was killed. */
  lostAt: readonly number[];
  /** When a worker was killed, after which a media host may fill the wait for the next one. */
  unservedAt?: readonly number[];
  /** When the person talked, possibly over a filler, which is then cut off like any line. */
  saying: readonly { from: number; until: number }[];
}

export type Violation =
  /** Repeated although it was heard completely, more than 300 ms before any loss. */
  | { kind: 'repeated'; clause: string; heardAt: number; againAt: number }
  /** Never heard completely. */
  | { kind: 'dropped'; clause: string }
  /** Cut off without a reason. */
  | { kind: 'cut'; heard: string; at: number }
  /** An apology without a loss. */
  | { kind: 'needless'; filler: string; at: number }
  /** Not a text of the agent. */
  | { kind: 'unknown'; heard: string; at: number };

/**
 * Clauses that ended this shortly before a kill may be repeated, because no process could know that they were
 * heard. The log is accurate to about 60 ms.
 */
const excusedMs = 300 + 60;
/** After a loss the old host is heard for at most this long: audio in transit is dropped with the socket. */
const echoMs = 400;

/** A letter that was heard. A pause of the sound splits a word, so words are not suitable. */
interface Letter {
  text: string;
  /** The approximate time of its end. */
  at: number;
  /** The heard text from here on. */
  word: string;
}

/** Duration of a character (the modem of the emulators). */
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

/** The faults in what one person heard; empty = none. Pure: the evidence is the carrier's. */
export function judgeHearing({
  words,
  clauses,
  fillers,
  lostAt,
  unservedAt = [],
  saying,
}: Evidence): Violation[] {
  const violations: Violation[] = [];
  const heardAt = new Map<number, number>();
  const letters = lettersOf(words);
  let due = 0;
  /** How far the latest clause was heard. */
  let latest: Progress | null = null;
  const isExcused = (at: number) => lostAt.some((moment) => Math.abs(moment - at) <= excusedMs);
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
      if (before !== undefined && !isExcused(before))
        violations.push({ kind: 'repeated', clause: clause.text, heardAt: before, againAt: endedAt });
      for (const skipped of clauses.slice(due, whole))
        if (skipped.mayBeCut !== true) violations.push({ kind: 'dropped', clause: skipped.text });
      heardAt.set(whole, endedAt);
      due = Math.max(due, whole + 1);
      latest = { index: whole, letters: length, at: endedAt };
      at += length;
      continue;
    }
    const tail: Tail | null =
      latest === null ? null : tailOf(rest, clauses[latest.index]?.text ?? '', latest.letters);
    if (latest !== null && tail !== null) {
      const endedAt: number = rest[tail.length - 1]?.at ?? 0;
      if (tail.isAgain && !isExcused(latest.at))
        violations.push({ kind: 'repeated', clause: tail.text, heardAt: latest.at, againAt: endedAt });
      heardAt.set(latest.index, endedAt);
      due = Math.max(due, latest.index + 1);
      latest = { index: latest.index, letters: tail.until, at: endedAt };
      at += tail.length;
      continue;
    }
    const filler = fillers.find((each) => isWhole(rest, each));
    if (filler !== undefined) {
      const beganAt = rest[0]?.at ?? 0;
      if (![...lostAt, ...unservedAt].some((moment) => moment < beganAt))
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
    if (part > 0 && part === partOf(rest, clauses[due]?.text ?? ''))
      latest = { index: due, letters: part, at: endedAt };
    at += length;
  }
  for (const clause of clauses.slice(due))
    if (clause.mayBeCut !== true) violations.push({ kind: 'dropped', clause: clause.text });
  return violations;
}

/** The end of a clause. */
interface Tail {
  text: string;
  length: number;
  /** The number of letters of the whole clause. */
  until: number;
  /** Some of it had been heard before. */
  isAgain: boolean;
}

interface Progress {
  index: number;
  /** The number of its letters that were heard, from the beginning. */
  letters: number;
  at: number;
}

/**
 * The end of a clause, from a word that follows directly on the heard letters or is among them. A host that
 * completes a reply may have cut the clause in two, because its first clause is short; after another loss it
 * is then continued between its words. Null if the heard text does not begin with such an end.
 */
function tailOf(heard: readonly Letter[], text: string, heardLetters: number): Tail | null {
  for (const { index } of text.matchAll(/(?<=\s)\S/g)) {
    const before = lettersIn(text.slice(0, index)).length;
    const tail = text.slice(index);
    if (before <= heardLetters && isWhole(heard, tail))
      return {
        text: tail,
        length: lettersIn(tail).length,
        until: lettersIn(text).length,
        isAgain: before < heardLetters,
      };
  }
  return null;
}

const lettersIn = (text: string): string => text.replaceAll(/\s/g, '');
const readable = (letters: readonly Letter[]): string =>
  letters
    .map(({ word }) => word)
    .join('')
    .trim();

/** Whether the heard text begins with the complete text. */
function isWhole(heard: readonly Letter[], text: string): boolean {
  return partOf(heard, text) === lettersIn(text).length;
}

/** The number of letters that begin one of the texts. */
function longestPart(heard: readonly Letter[], texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => partOf(heard, text)));
}

function partOf(heard: readonly Letter[], text: string): number {
  const own = lettersIn(text);
  let length = 0;
  while (length < own.length && heard[length]?.text === own[length]) length += 1;
  return length;
}

/** The number of letters before one of the texts begins. */
function unknownLength(heard: readonly Letter[], texts: readonly string[]): number {
  let length = 1;
  while (length < heard.length && !texts.some((text) => isWhole(heard.slice(length), text))) length += 1;
  return length;
}

/**
 * A loss, and how long the person then heard nothing from the agent: from the last sound of either side
 * before it.
 */
export interface Silence {
  lostAt: number;
  ms: number;
}

/**
 * `spans`: when the agent was heard; `saidUntil`: when the person's own sentences ended. Losses after which
 * the agent says nothing are left out.
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

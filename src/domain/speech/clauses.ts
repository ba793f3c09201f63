import { boundaryAt, isSpeakable, wordCount, type Boundary } from './boundaries.ts';

/**
 * Cuts a language model's text into clauses for a voice while it streams. The first clause is short because
 * the caller waits for it: it ends at a comma or after four to six words. Then whole sentences follow, which
 * voices speak better. Numbers, abbreviations and addresses stay whole.
 */
export interface ClauseCutter {
  /**
   * Returns the clauses that are complete now. Joined, all clauses of a reply are its text, spaces included.
   */
  push(text: string): string[];
  /** Returns the rest, or null when it has nothing to speak. The next push begins a new reply. */
  flush(): string | null;
}

const minFirstWordsAtComma = 2;
const minFirstWords = 4;
/** Four words may be only four syllables. */
const minFirstCharacters = 20;
const maxFirstWords = 6;
/** Maximum length of a clause without a boundary: voices have limits, and callers wait. */
export const maxClauseCharacters = 300;

export function createClauseCutter(): ClauseCutter {
  let rest = '';
  let isFirst = true;
  /** The text is never cut before this position. */
  let searched = 0;
  const take = (length: number): string => {
    const clause = rest.slice(0, length);
    rest = rest.slice(length);
    searched = 0;
    isFirst = false;
    return clause;
  };
  return {
    push(text) {
      rest += text;
      const clauses: string[] = [];
      for (;;) {
        const { cut, safe } = findCut(rest, { isFirst, from: searched });
        searched = safe;
        if (cut === null) return clauses;
        clauses.push(take(cut));
      }
    },
    flush() {
      const last = take(rest.length);
      isFirst = true;
      return isSpeakable(last) ? last : null;
    },
  };
}

function findCut(
  text: string,
  { isFirst, from }: { isFirst: boolean; from: number },
): { cut: number | null; safe: number } {
  const end = Math.min(text.length, maxClauseCharacters);
  for (let at = Math.max(1, from); at <= end; at += 1) {
    const boundary = boundaryAt(text, at);
    // After a trailing space, the next piece decides.
    if (boundary === 'open')
      return text.length > maxClauseCharacters ? { cut: longCut(text), safe: at } : { cut: null, safe: at };
    if (isCut(text.slice(0, at), boundary, isFirst)) return { cut: at, safe: at };
  }
  return { cut: text.length > maxClauseCharacters ? longCut(text) : null, safe: end + 1 };
}

function isCut(head: string, boundary: Boundary, isFirst: boolean): boolean {
  switch (boundary) {
    case 'none':
    case 'open':
      return false;
    case 'sentence':
      return isSpeakable(head);
    case 'clause':
      return isFirst && wordCount(head) >= minFirstWordsAtComma;
    case 'word': {
      const words = isFirst ? wordCount(head) : 0;
      return words >= maxFirstWords || (words >= minFirstWords && head.length >= minFirstCharacters);
    }
  }
}

function longCut(text: string): number {
  return bestCut(text, maxClauseCharacters);
}

/**
 * The best place to cut off at most `max` characters: after a sentence, a clause or a word, otherwise between
 * two characters.
 */
function bestCut(text: string, max: number): number {
  const found: Partial<Record<Boundary, number>> = {};
  for (let at = 1; at <= max; at += 1) {
    const boundary = boundaryAt(text, at);
    if (isSpeakable(text.slice(0, at))) found[boundary] = at;
  }
  const lastSpace = text.slice(0, max).search(/\s\S*$/) + 1;
  const whole = found.sentence ?? found.clause ?? found.word ?? (lastSpace > 1 ? lastSpace : max);
  const isInsidePair =
    whole > 1 && /[\uD800-\uDBFF]/.test(text[whole - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[whole] ?? '');
  return isInsidePair ? whole - 1 : whole;
}

/** Maximum text that a voice takes at once, in characters or in UTF-8 bytes. */
export type SpeechLimit = { characters: number } | { bytes: number };

/**
 * Splits a text into pieces within a voice's limit, at the least audible places. Joined, they are the text.
 * Returns no piece for a text that has nothing to speak.
 */
export function splitForSpeech(text: string, limit: SpeechLimit): string[] {
  if (!isSpeakable(text)) return [];
  const pieces: string[] = [];
  let rest = text;
  for (let max = fitting(rest, limit); max < rest.length; max = fitting(rest, limit)) {
    const cut = bestCut(rest, Math.max(1, max));
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

/** How many UTF-16 units from the beginning are within the limit. */
function fitting(text: string, limit: SpeechLimit): number {
  if ('characters' in limit) return Math.min(text.length, limit.characters);
  let bytes = 0;
  let units = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
    if (bytes > limit.bytes) return units;
    units += character.length;
  }
  return units;
}

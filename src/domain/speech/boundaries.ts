/** Where speech may be cut. Each function looks at one place in a text; the language is unknown. */

/**
 * Words with a dot that end no sentence, in the most frequent languages of agents. Lower case, without the
 * dot.
 */
const abbreviations = new Set(
  'mr mrs ms dr prof st sr jr vs no vol approx dept est inc ltd co corp gen col lt capt rev hon ext tel fig ave blvd rd apt jan feb mar apr jun jul aug sep sept oct nov dec nr hr fr str bzw ca evtl ggf inkl exkl usw mme mlle av sra srta ud uds núm pág dott sig ing mevr dhr bv'.split(
    ' ',
  ),
);

const sentenceEnd = /[.!?…]/;
const wideSentenceEnd = /[。！？｡]/;
const clauseEnd = /[,;:–—]/;
const wideClauseEnd = /[，、；：]/;
const closers = /["'”’»)\]]+$/;
const space = /\s/;
const digit = /\d/;

/** What a place in the text is; `open` depends on what comes next. */
export type Boundary = 'sentence' | 'clause' | 'word' | 'none' | 'open';

/** The kind of cut that is possible right before position `at`, which may be the length of the text. */
export function boundaryAt(text: string, at: number): Boundary {
  const last = text[at - 1] ?? '';
  if (wideSentenceEnd.test(last)) return 'sentence';
  if (wideClauseEnd.test(last)) return 'clause';
  // Cuts go behind the first space, so the pieces joined are the text.
  if (!space.test(last) || space.test(text[at - 2] ?? ' ')) return 'none';
  if (last === '\n') return 'sentence';
  const word = wordBefore(text, at - 1);
  const mark = word.replace(closers, '').at(-1) ?? '';
  if (sentenceEnd.test(mark)) return endsSentence(word) ? 'sentence' : 'none';
  const next = nextVisible(text, at);
  if (next === null) return 'open';
  // A number that is spoken in groups or with its unit is not cut.
  if (digit.test(word) && digit.test(next)) return 'none';
  if (clauseEnd.test(mark) || word === '-') return 'clause';
  return digit.test(word) ? 'none' : 'word';
}

/** A dot after an abbreviation, an initial, or the number of a day or item does not end a sentence. */
function endsSentence(word: string): boolean {
  const bare = word.replace(closers, '');
  if (!bare.endsWith('.') || bare.endsWith('..')) return true;
  const name = bare.slice(0, -1).replace(/^["'“„‘«(¿¡[]+/, '');
  if (/^\d{1,2}$/.test(name)) return false;
  if (/^(?:\p{L}{1,2}\.)*\p{L}$/u.test(name) || /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u.test(name)) return false;
  return !abbreviations.has(name.toLowerCase());
}

function wordBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && !space.test(text[start - 1] ?? ' ')) start -= 1;
  return text.slice(start, end);
}

function nextVisible(text: string, at: number): string | null {
  for (let index = at; index < text.length; index += 1)
    if (!space.test(text[index] ?? ' ')) return text[index] ?? null;
  return null;
}

/** The text contains a letter or a digit. */
export const isSpeakable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

export const wordCount = (text: string): number => text.split(/\s+/u).filter(isSpeakable).length;

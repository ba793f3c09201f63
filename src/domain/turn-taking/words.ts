const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

interface Word {
  text: string;
  /** Where it begins in the text. */
  start: number;
}

/** Words in order, as they are written; scripts without spaces are cut by dictionary. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: token, index }): Word[] => {
    if (!unspaced.test(token)) return normalize(token) === '' ? [] : [{ text: token, start: index }];
    return [...segmenter.segment(token)]
      .filter(({ isWordLike }) => isWordLike === true)
      .map(({ segment, index: at }) => ({ text: segment, start: index + at }));
  });
}

/** How many words; interims and finals alike. */
export const countWords = (text: string): number => wordsOf(text).length;

/** Without case and punctuation, words parted by one space. */
export function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’ʼ]/g, '’')
    .replaceAll(/[^\p{L}\p{M}\p{N}’]+/gu, ' ')
    .trim();
}

/** True when only case and punctuation differ: a speculative answer still fits then. */
export const isSameText = (one: string, other: string): boolean => normalize(one) === normalize(other);

/** Texts said one after the other. */
export const joinTexts = (texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');

/**
 * What a transcript says beyond words that were already taken out of an earlier, provisional one. Recognizers
 * revise words in place, so words are compared by position; when fewer than half are the same, it is another
 * utterance and all of it counts.
 */
export function beyond(text: string, taken: string): string {
  const words = wordsOf(text);
  const takenWords = wordsOf(taken);
  if (takenWords.length === 0) return text;
  const same = takenWords.filter((each, index) => isSameText(each.text, words[index]?.text ?? '')).length;
  if (2 * same < takenWords.length) return text;
  const next = words[takenWords.length];
  return next === undefined ? '' : text.slice(next.start).trim();
}

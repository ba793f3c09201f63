const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

interface Word {
  text: string;
  /** Offset in the text. */
  start: number;
}

/** Words in order, as written. A dictionary cuts scripts without spaces. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: token, index }): Word[] => {
    if (!unspaced.test(token)) return normalize(token) === '' ? [] : [{ text: token, start: index }];
    return [...segmenter.segment(token)]
      .filter(({ isWordLike }) => isWordLike === true)
      .map(({ segment, index: at }) => ({ text: segment, start: index + at }));
  });
}

/** Number of words in an interim or a final. */
export const countWords = (text: string): number => wordsOf(text).length;

/** Lower case without punctuation, with single spaces between words. */
export function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’ʼ]/g, '’')
    .replaceAll(/[^\p{L}\p{M}\p{N}’]+/gu, ' ')
    .trim();
}

/** The texts differ only in case and punctuation, so a reply that was asked ahead still fits. */
export const isSameText = (one: string, other: string): boolean => normalize(one) === normalize(other);

/** Joins texts that were said one after the other. */
export const joinTexts = (texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');

/**
 * Returns what a transcript adds to words that were already taken from an earlier, provisional one.
 * Recognizers revise words in place, so words are compared by position. If fewer than half are equal, it is
 * another utterance, and all of it is new.
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

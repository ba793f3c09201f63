import { analyse } from 'chardet';
import { createDecoder, encodings, markedEncoding, type Encoding } from './encodings.ts';

export interface EncodingGuess {
  /** All encodings to choose from, the likeliest first. */
  ranked: Encoding[];
  /** The first is only a guess, and people should check it. */
  isUncertain: boolean;
}

/**
 * The likely encodings of a text, from a sample. A byte-order mark decides. Then zeros in every other byte,
 * because such a file passes as UTF-8. Then whether it is valid UTF-8. Otherwise the texts that each encoding
 * would produce are compared, because detectors are wrong about a few letters among ASCII.
 */
export function guessEncoding(sample: Uint8Array): EncodingGuess {
  const certain = markedEncoding(sample) ?? wideEncoding(sample) ?? (isMostlyUtf8(sample) ? 'utf8' : null);
  if (certain !== null) return { ranked: ledBy([certain]), isUncertain: false };
  const hints = new Map(analyse(sample).map(({ name, confidence }) => [iconvNames.get(name), confidence]));
  const scored = singleByteOrEastern.map((encoding) => ({
    encoding,
    score: plausibility(decode(sample, encoding)) + (hints.get(encoding) ?? 0) / 200,
  }));
  return {
    ranked: ledBy(scored.toSorted((one, other) => other.score - one.score).map(({ encoding }) => encoding)),
    isUncertain: true,
  };
}

const singleByteOrEastern = encodings.filter((encoding) => !encoding.startsWith('utf'));

/** By chardet's names. */
const iconvNames = new Map<string, Encoding>([
  ['windows-1250', 'win1250'],
  ['windows-1251', 'win1251'],
  ['windows-1252', 'win1252'],
  ['windows-1253', 'win1253'],
  ['windows-1254', 'win1254'],
  ['windows-1255', 'win1255'],
  ['windows-1256', 'win1256'],
  ['ISO-8859-1', 'win1252'],
  ['ISO-8859-2', 'win1250'],
  ['KOI8-R', 'koi8-r'],
  ['ISO-8859-5', 'iso8859-5'],
  ['ISO-8859-7', 'win1253'],
  ['ISO-8859-8', 'win1255'],
  ['ISO-8859-9', 'win1254'],
  ['Shift_JIS', 'shiftjis'],
  ['EUC-JP', 'eucjp'],
  ['EUC-KR', 'euckr'],
  ['Big5', 'big5'],
  ['GB18030', 'gb18030'],
]);

function ledBy(first: readonly Encoding[]): Encoding[] {
  return [...new Set([...first, ...encodings])];
}

/**
 * Texts in UTF-16 have a zero in most byte pairs, at least for separators, digits and line ends. Null for
 * other texts and for binary data.
 */
export function wideEncoding(bytes: Uint8Array): 'utf16le' | 'utf16be' | null {
  const pairs = Math.floor(Math.min(bytes.length, 65_536) / 2);
  let [even, odd] = [0, 0];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (bytes[2 * pair] === 0) even += 1;
    if (bytes[2 * pair + 1] === 0) odd += 1;
  }
  if (odd > pairs / 10 && even < pairs / 100) return 'utf16le';
  return even > pairs / 10 && odd < pairs / 100 ? 'utf16be' : null;
}

/** A damaged character here and there does not rule out UTF-8. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const text = decode(sample, 'utf8');
  let [good, bad] = [0, 0];
  for (const letter of text) {
    if (letter === '\uFFFD') bad += 1;
    else if (letter > '\u007F') good += 1;
  }
  return bad === 0 || good > 20 * bad;
}

/** A sample that ends within a character is read up to the character before. */
function decode(sample: Uint8Array, encoding: Encoding): string {
  return createDecoder(encoding).write(sample);
}

const words = /[^\s\d!-/:-@[-`{-~]*[^\p{ASCII}][^\s\d!-/:-@[-`{-~]*/gu;
const max = 5000;

/** How plausible the words with letters beyond ASCII are, from −1 to 1. */
function plausibility(text: string): number {
  let [sum, count] = [0, 0];
  for (const [word] of text.matchAll(words)) {
    sum += wordScore(word);
    count += 1;
    if (count === max) break;
  }
  return count === 0 ? 0 : sum / count;
}

/** Only letters, of one script, capitals first: wrong encodings rarely produce that. */
function wordScore(word: string): number {
  if (/[\uFFFD\u0080-\u009F]/.test(word)) return -1;
  if (/[^\p{L}\p{M}'’‘“”«»№–—…°©®™€£]/u.test(word)) return -0.6;
  const foreign = word.replaceAll(/[^\p{L}\p{M}]/gu, '');
  if (foreign === '') return 0.1;
  const scripts = scriptPatterns.filter((pattern) => pattern.test(foreign)).length;
  if (scripts !== 1) return -0.5;
  if (/\p{Ll}\p{Lu}/u.test(foreign)) return -0.3;
  if (/^\p{Script=Latin}+$/u.test(foreign))
    return /[^\p{ASCII}]{3}/u.test(foreign) || /^[ªºµ]/.test(foreign) ? -0.4 : 0.6;
  if (/^\p{Script=Cyrillic}+$/u.test(foreign)) return cyrillicScore(foreign);
  return foreign.length > 1 ? 0.3 : 0;
}

const scriptPatterns = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];

/**
 * Whether vowels and consonants of Russian and related languages have their usual frequency. Other Cyrillic
 * encodings swap the letters.
 */
function cyrillicScore(word: string): number {
  const common = word.match(/[аеиоунтрслвкдмпія]/gi)?.length ?? 0;
  const rare = word.match(/[^а-яё]/gi)?.length ?? 0;
  return Math.max(-0.5, 0.2 + (0.6 * common) / word.length - (0.5 * rare) / word.length);
}

import { createDecoder, decoded, encode, encodings, markedEncoding, type Encoding } from './encodings.ts';
import { linesOf } from './lines.ts';
import { clearly, likelihood } from './letter-statistics.ts';
import type { StoredFile } from './port.ts';
import { maxWordBytes } from './word-sample.ts';
import { findEvidence, type FoundLine, type FoundLines, type TextEvidence } from './text-evidence.ts';

export interface EncodingGuess {
  /** All encodings to choose from, the likeliest first. */
  ranked: Encoding[];
  /** Why the first is only a guess, and a line of the text under each candidate; null = it is certain. */
  doubt: string | null;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The likely encodings of a text, by all its bytes. Only a byte-order mark and valid UTF-8 are certain.
 * `head` is its beginning.
 */
export async function guessEncoding(file: StoredFile, head: Uint8Array): Promise<EncodingGuess> {
  const marked = markedEncoding(head);
  if (marked !== null && marked !== 'utf8') return certain(marked);
  const wide = marked === null ? wideEncoding(head) : null;
  if (wide !== null) return await wideGuess(file, wide);
  const lineBreak = head.includes(lineFeed) ? lineFeed : carriageReturn;
  // guarantee: encoding-found-from-late-letters
  const evidence = await findEvidence(file.read(), lineBreak);
  // guarantee: encoding-certain-or-a-guess
  if (evidence.other.count === 0) return certain('utf8');
  const ranked = rankedBy(evidence.words);
  const utf8 = trulyUtf8(evidence, ranked[0]);
  if (utf8.count === 0 && marked === null) return plainGuess(evidence.other, ranked);
  return mixedGuess({ utf8, other: evidence.other, ranked, isMarked: marked !== null });
}

const certain = (encoding: Encoding): EncodingGuess => ({ ranked: ledBy([encoding]), doubt: null });

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
  if (odd > pairs / 10 && even < odd / 8) return 'utf16le';
  return even > pairs / 10 && odd < even / 8 ? 'utf16be' : null;
}

/** Encodings that are rarer in contact files need more evidence. Logarithms, as of the likelihood. */
const priors: Partial<Record<Encoding, number>> = {
  cp850: -4,
  cp852: -4,
  macintosh: -4,
  maccenteuro: -5,
  maccyrillic: -4,
  cp866: -3,
  'koi8-r': -2,
  'koi8-u': -2.5,
  'iso8859-2': -2,
  'iso8859-5': -4,
  'iso8859-7': -2,
  'iso8859-15': -1,
};

const notUtf = encodings.filter((encoding) => !encoding.startsWith('utf'));

/** The encodings other than UTF, the likeliest first; last those that read all words as an earlier one does. */
function rankedBy(words: readonly Buffer[]): Encoding[] {
  const scored = notUtf.map((encoding) => {
    const decoded = words.map((word) => decodedWord(word, encoding));
    const score = likelihood(decoded, encoding) + (priors[encoding] ?? 0);
    return { encoding, score, text: decoded.join(' ') };
  });
  const sorted = scored.toSorted((one, other) => other.score - one.score);
  const isRepeated = sorted.map(({ text }, index) => sorted.findIndex((each) => each.text === text) < index);
  return [
    ...sorted.filter((_, index) => isRepeated[index] === false),
    ...sorted.filter((_, index) => isRepeated[index] === true),
  ].map(({ encoding }) => encoding);
}

function decodedWord(word: Buffer, encoding: Encoding): string {
  const decoder = createDecoder(encoding);
  const text = decoder.write(word);
  return word.length === maxWordBytes ? text : text + decoder.end();
}

/** Without lines that are valid UTF-8 by accident, as some words in Chinese and Korean encodings are. */
function trulyUtf8({ utf8 }: TextEvidence, otherwise: Encoding = 'win1252'): FoundLines {
  const first = utf8.first.filter(({ bytes }) => {
    const [one, other] = [decode(bytes, 'utf8'), decode(bytes, otherwise)];
    return likelihood([one], 'utf8') > likelihood([other], otherwise) + clearly;
  });
  const share = first.length / Math.max(1, utf8.first.length);
  return { count: Math.ceil(utf8.count * share), first };
}

const maxCandidates = 5;

function plainGuess({ first }: FoundLines, ranked: Encoding[]): EncodingGuess {
  return {
    ranked: ledBy(ranked),
    doubt: `The text is not UTF-8, and its encoding is a guess. ${choiceOf(first, ranked.slice(0, maxCandidates))}`,
  };
}

async function wideGuess(file: StoredFile, encoding: 'utf16le' | 'utf16be'): Promise<EncodingGuess> {
  const found = await firstForeignLine(decoded(file.read(), encoding));
  if (found === null) return certain(encoding);
  const candidates: Encoding[] = [encoding, encoding === 'utf16le' ? 'utf16be' : 'utf16le'];
  const line = { line: found.line, bytes: encode(found.text, encoding) };
  return {
    ranked: ledBy(candidates),
    doubt: `The text has no byte-order mark, and UTF-16 is a guess. ${choiceOf([line], candidates)}`,
  };
}

async function firstForeignLine(text: AsyncIterable<string>): Promise<{ line: number; text: string } | null> {
  let line = 0;
  for await (const { lines } of linesOf(text)) {
    for (const each of lines) {
      line += 1;
      const at = each.search(/[^\p{ASCII}]/u);
      if (at !== -1) return { line, text: each.slice(Math.max(0, at - maxShownCharacters / 2)) };
    }
  }
  return null;
}

function mixedGuess({
  utf8,
  other,
  ranked,
  isMarked,
}: {
  utf8: FoundLines;
  other: FoundLines;
  ranked: Encoding[];
  isMarked: boolean;
}): EncodingGuess {
  const isMostlyUtf8 = isMarked || utf8.count >= other.count;
  const odd = isMostlyUtf8 ? other : utf8;
  const all = isMostlyUtf8 ? ledBy(['utf8', ...ranked]) : ledBy([ranked[0] ?? 'win1252', 'utf8', ...ranked]);
  return {
    ranked: all,
    doubt: `The text mixes encodings: ${isMostlyUtf8 ? 'most of it is UTF-8, but not' : 'most of it is not UTF-8, but'} ${numbersOf(odd)}. ${choiceOf(odd.first, all.slice(0, maxCandidates))}`,
  };
}

const maxShownLines = 5;

function numbersOf({ count, first }: FoundLines): string {
  const shown = first.slice(0, maxShownLines).map(({ line }) => line);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `${count === 1 ? 'line' : 'lines'} ${shown.join(', ')}${more}`;
}

/** The first line that shows how the likeliest candidates differ. */
function choiceOf(lines: readonly FoundLine[], candidates: readonly Encoding[]): string {
  const [best = 'utf8', next = best] = candidates;
  const found = lines.find(({ bytes }) => textOf(bytes, best) !== textOf(bytes, next)) ?? lines[0];
  if (found === undefined) return '';
  const texts = candidates.map((encoding) => `${encoding}: «${textOf(found.bytes, encoding)}»`);
  return `Line ${found.line} is ${texts.join(', ')}`;
}

const maxShownCharacters = 80;

function textOf(bytes: Uint8Array, encoding: Encoding): string {
  return decode(bytes, encoding)
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxShownCharacters);
}

/** Bytes that end within a character are read up to the character before. */
function decode(bytes: Uint8Array, encoding: Encoding): string {
  return createDecoder(encoding).write(bytes);
}

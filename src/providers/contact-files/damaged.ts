import { isUtf8 } from 'node:buffer';
import { createDecoder, encode, type Encoding } from './encodings.ts';
import { clearly, likelihood } from './letter-statistics.ts';

const foreign = /[^\p{ASCII}]/u;

/** Whether a cell has characters that its encoding does not know, or is UTF-8 that was read as another one. */
export function isDamaged(cell: string, encoding: Encoding | null): boolean {
  if (!foreign.test(cell)) return false;
  // guarantee: garbled-cells-found-in-all-rows
  return cell.includes('\uFFFD') || mistakenFor(encoding).some((each) => isMistaken(cell, each));
}

/** Encodings in which programs read UTF-8 by mistake. */
const usual: readonly Encoding[] = ['win1252', 'win1251', 'win1250', 'macintosh'];
const severalBytes: readonly Encoding[] = ['gb18030', 'big5', 'shiftjis', 'eucjp', 'euckr'];

/** The text itself may be the mistake, or only some lines that this file has from another one. */
function mistakenFor(encoding: Encoding | null): readonly Encoding[] {
  const isOneByte = encoding !== null && !encoding.startsWith('utf') && !severalBytes.includes(encoding);
  return isOneByte ? [encoding] : usual;
}

/** As in “MÃ¼ller”: UTF-8 when it is encoded again, and then clearly likelier, unlike “CAFÉ–BAR”. */
function isMistaken(cell: string, encoding: Encoding): boolean {
  if (!patternOf(encoding).test(cell)) return false;
  const bytes = encode(cell, encoding);
  if (!isUtf8(bytes) || createDecoder(encoding).write(bytes) !== cell) return false;
  return likelihood([Buffer.from(bytes).toString()], 'utf8') > likelihood([cell], 'utf8') + clearly;
}

const patterns = new Map<Encoding, RegExp>();

/** What this encoding makes of a text in UTF-8, as far as one byte is one letter. */
function patternOf(encoding: Encoding): RegExp {
  const known = patterns.get(encoding);
  if (known !== undefined) return known;
  const next = `[${lettersOf(encoding, 0x80, 0xbf)}]`;
  const characters = [
    '\\p{ASCII}',
    `[${lettersOf(encoding, 0xc2, 0xdf)}]${next}`,
    `[${lettersOf(encoding, 0xe0, 0xef)}]${next}{2}`,
    `[${lettersOf(encoding, 0xf0, 0xf4)}]${next}{3}`,
  ];
  const pattern = new RegExp(`^(?:${characters.join('|')})*$`, 'u');
  patterns.set(encoding, pattern);
  return pattern;
}

function lettersOf(encoding: Encoding, from: number, to: number): string {
  const bytes = Buffer.from(Array.from({ length: to - from + 1 }, (_, index) => from + index));
  return createDecoder(encoding).write(bytes).replaceAll('\uFFFD', '');
}

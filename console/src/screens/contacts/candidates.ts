/** The rows of a file as one of its readings shows them. */
export interface Reading {
  columns: readonly string[];
  rows: readonly { cells: readonly string[] }[];
}

const maxTexts = 3;

/**
 * Texts that show how candidates read a file differently: those of the first cells on which they disagree, in the
 * same places for each. Where they agree, the first row. Answers one text for each candidate.
 */
export function samplesOf(candidates: readonly Reading[]): string[] {
  const places = differingPlaces(candidates);
  return candidates.map(({ columns, rows }) => {
    const at = (row: number, column: number) => (row < 0 ? columns[column] : rows[row]?.cells[column]) ?? '';
    return places.length === 0
      ? (rows[0]?.cells ?? columns).join(' · ')
      : places.map(([row, column]) => at(row, column).trim()).join(' · ');
  });
}

/** Row -1 is that of the names. Readings with other columns differ in the first row as a whole. */
function differingPlaces(candidates: readonly Reading[]): [number, number][] {
  const [first] = candidates;
  const width = first?.columns.length ?? 0;
  if (candidates.some(({ columns }) => columns.length !== width)) return [];
  const found: [number, number][] = [];
  const height = Math.max(...candidates.map(({ rows }) => rows.length), 0);
  for (let row = -1; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const texts = candidates.map(({ columns, rows }) =>
        row < 0 ? columns[column] : rows[row]?.cells[column],
      );
      if (new Set(texts).size > 1) found.push([row, column]);
      if (found.length === maxTexts) return found;
    }
  return found;
}

/** How often a replacement mark stands for letters that an encoding could not read. */
export const damagedLetters = (text: string): number => text.split('\uFFFD').length - 1;

/** Encodings whose letters have two or four bytes: a file of single bytes has no lines in them. */
const isWide = (encoding: string): boolean => /^utf(16|32)/.test(encoding);

/**
 * The candidates that a menu tries: the present one first, then those the service thinks likely and that read the
 * same bytes as lines.
 */
export function shownCandidates(choices: readonly string[], present: string | null, max = 5): string[] {
  const alike = choices.filter((each) => present === null || isWide(each) === isWide(present));
  const all = present === null ? alike : [present, ...alike.filter((each) => each !== present)];
  return all.slice(0, max);
}

const encodingNames: Readonly<Record<string, string>> = {
  utf8: 'UTF-8',
  utf16le: 'UTF-16 LE',
  utf16be: 'UTF-16 BE',
  utf32le: 'UTF-32 LE',
  utf32be: 'UTF-32 BE',
  macintosh: 'Mac Roman',
  maccenteuro: 'Mac Central European',
  maccyrillic: 'Mac Cyrillic',
  shiftjis: 'Shift JIS',
  eucjp: 'EUC-JP',
  euckr: 'EUC-KR',
  gb18030: 'GB 18030',
  big5: 'Big5',
};

/** The name of an encoding as spreadsheets show it. */
export function encodingName(code: string): string {
  const windows = /^win(\d+)$/.exec(code)?.[1];
  const iso = /^iso8859(\d+)$/.exec(code.replaceAll('-', ''))?.[1];
  const dos = /^cp(\d+)$/.exec(code)?.[1];
  if (windows !== undefined) return `Windows-${windows}`;
  if (iso !== undefined) return `ISO 8859-${iso}`;
  if (dos !== undefined) return `DOS ${dos}`;
  return encodingNames[code] ?? code.toUpperCase();
}

/** The number that a row would be dialed under, one for each candidate: of the first row on which they disagree. */
export function numbersOf(
  candidates: readonly { rows: readonly { phone_number: string | null }[] }[],
): string[] {
  const height = Math.max(...candidates.map(({ rows }) => rows.length), 0);
  const at = (row: number) => candidates.map(({ rows }) => rows[row]?.phone_number ?? null);
  const rows = Array.from({ length: height }, (_, row) => row);
  const telling = rows.find((row) => new Set(at(row)).size > 1) ?? 0;
  return at(telling).map((number) => (number === null ? '' : `+${number}`));
}

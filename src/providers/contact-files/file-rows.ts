import { isDamaged } from './damaged.ts';
import type { Encoding } from './encodings.ts';
import { limits, shownCharacters } from './limits.ts';
import type { CellFlag, FileRow } from './port.ts';

/** A record as the text or sheet reader found it. */
export interface FoundRecord {
  line: number;
  cells: string[];
  flags: CellFlag[] | null;
}

/**
 * A record as a row of a table with that many columns. Blank records have no cells, short ones are filled up,
 * cells after the last column are dropped, and cells that are too long are truncated. A flag reports each of
 * these, except that a sheet's row may end early, and damaged letters. `encoding` null = a sheet.
 */
export function toRow(
  record: FoundRecord,
  { columns, rowNumber, encoding }: { columns: number; rowNumber: number; encoding: Encoding | null },
): FileRow {
  const { line } = record;
  if (record.cells.every(isBlankCell)) return { line, rowNumber, isBlank: true, cells: [] };
  const flags = record.flags ?? [];
  let { cells } = record;
  if (cells.length > columns) {
    if (cells.slice(columns).some((cell) => !isBlankCell(cell)))
      flags.push({ column: null, code: 'cells_extra' });
    cells = cells.slice(0, columns);
  } else if (cells.length < columns) {
    if (encoding !== null) flags.push({ column: null, code: 'cells_missing' });
    cells = [...cells, ...Array.from({ length: columns - cells.length }, () => '')];
  }
  // guarantee: long-cell-leaves-out-its-row
  cells = withoutLongCells(cells, flags);
  const damaged = cells.findIndex((cell) => isDamaged(cell, encoding));
  if (damaged !== -1) flags.push({ column: damaged, code: 'text_damaged' });
  const within = flags.filter(({ column }) => column === null || column < columns);
  return within.length === 0
    ? { line, rowNumber, isBlank: false, cells }
    : { line, rowNumber, isBlank: false, cells, flags: within };
}

export function isBlankCell(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

function withoutLongCells(cells: string[], flags: CellFlag[]): string[] {
  let [sum, longest] = [0, 0];
  for (const { length } of cells) {
    sum += length;
    if (length > longest) longest = length;
  }
  if (sum <= limits.rowCharacters && longest <= limits.cellCharacters) return cells;
  const max = sum > limits.rowCharacters ? shownCharacters : limits.cellCharacters;
  const isTold = flags.some(({ code }) => code === 'cell_too_long');
  if (!isTold)
    flags.push({
      column: longest > limits.cellCharacters ? cells.findIndex(({ length }) => length === longest) : null,
      code: 'cell_too_long',
    });
  return cells.map((cell) => (cell.length > max ? `${cell.slice(0, shownCharacters)}…` : cell));
}

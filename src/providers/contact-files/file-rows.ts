import { limits, shownCharacters } from './limits.ts';
import type { CellFlag, FileRow } from './port.ts';

/** A record as a reader of texts or sheets found it. */
export interface FoundRecord {
  line: number;
  cells: string[];
  flags: CellFlag[] | null;
}

/**
 * A record as a row of a table of so many columns: blank ones without cells, short ones filled up, what stands behind the last column left out; cells that
 * are too long are cut. Each of these is said by a flag, except where a sheet's row ends early, which has no meaning there.
 */
export function toRow(record: FoundRecord, { columns, rowNumber, isSheet }: { columns: number; rowNumber: number; isSheet: boolean }): FileRow {
  const { line, cells } = record;
  if (cells.every(isBlankCell)) return { line, rowNumber, isBlank: true, cells: [] };
  const flags = record.flags ?? [];
  if (cells.length > columns) {
    if (cells.splice(columns).some((cell) => !isBlankCell(cell))) flags.push({ column: null, code: 'cells_extra' });
  } else if (cells.length < columns) {
    if (!isSheet) flags.push({ column: null, code: 'cells_missing' });
    while (cells.length < columns) cells.push('');
  }
  cutLongCells(cells, flags);
  const within = flags.filter(({ column }) => column === null || column < columns);
  return within.length === 0 ? { line, rowNumber, isBlank: false, cells } : { line, rowNumber, isBlank: false, cells, flags: within };
}

export function isBlankCell(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

function cutLongCells(cells: string[], flags: CellFlag[]): void {
  let sum = 0;
  for (const [column, cell] of cells.entries()) {
    sum += cell.length;
    if (cell.length <= limits.cellCharacters) continue;
    cells[column] = `${cell.slice(0, shownCharacters)}…`;
    flags.push({ column, code: 'cell_too_long' });
  }
  if (sum <= limits.rowCharacters) return;
  for (const [column, cell] of cells.entries()) if (cell.length > shownCharacters + 1) cells[column] = `${cell.slice(0, shownCharacters)}…`;
  if (!flags.some(({ code }) => code === 'cell_too_long')) flags.push({ column: null, code: 'cell_too_long' });
}

import { isDamaged } from './damaged.ts';
import type { Encoding } from './encodings.ts';
import { isBlankCell } from './file-rows.ts';
import { looksLikeData } from './header-line.ts';
import { refused, type Refusal } from './kind.ts';
import { limits } from './limits.ts';
import { ContactFileError, type CellFlag, type FileRow } from './port.ts';

/** Why this line cannot name the columns; null if it can. */
export function headerFault(
  header: readonly string[],
  flags: readonly CellFlag[] | null = null,
): Refusal | null {
  if (header.length > limits.columns)
    return refused(
      'too_many_columns',
      `The file has ${header.length} columns, and at most ${limits.columns} are allowed. Delete those that calls do not need`,
    );
  if (
    header.some((cell) => cell.length > nameCharacters) ||
    flags?.some(({ code }) => code === 'cell_too_long') === true
  )
    return refused(
      'header_too_long',
      `A column's name has more than ${nameCharacters} characters; choose the line that names the columns, and the right separator`,
    );
  return header.every(isBlankCell)
    ? refused('no_header', 'The line of column names is blank; choose the line that names the columns')
    : null;
}

const nameCharacters = 500;

/** The header's cells, for reading the rows below them. Throws ContactFileError. */
export function checkedHeader(cells: readonly string[], flags: readonly CellFlag[] | null = null): string[] {
  const fault = headerFault(cells, flags);
  if (fault !== null) throw new ContactFileError(fault.code, fault.message);
  return [...cells];
}

/** What people should check. */
export function warningsOf({
  rows,
  header,
  encoding,
}: {
  rows: readonly FileRow[];
  header: readonly string[];
  /** Null = a workbook. */
  encoding: Encoding | null;
}): string[] {
  return [
    ...(header.some((name) => isDamaged(name, encoding))
      ? ['Letters of the column names are damaged: choose another encoding, or correct the names in the file']
      : []),
    ...(looksLikeData(header)
      ? [
          'The line of column names holds a phone number, so it looks like a contact; choose the line that names the columns, or add one to the file',
        ]
      : []),
    ...(rows.length > 0 ? [] : ['There is no contact below the column names']),
  ];
}

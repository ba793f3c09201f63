import { createPhoneReader } from '../../domain/directory/read-phone.ts';
import { suggestMapping } from '../../domain/directory/suggest-mapping.ts';
import { PreconditionError } from '../../domain/errors.ts';

/** Where the numbers of a file are. */
export interface PhoneColumn {
  index: number;
  name: string;
  /** The first line is no header: it has a number itself. */
  isNumber: boolean;
}

/**
 * The column that is named, else the one whose name is that of a phone number, else the one whose «name» is a number (a file without a header), else the only
 * one. Throws PreconditionError (400).
 */
export function columnOf(columns: readonly string[], { column, defaultCountry }: { column: string | undefined; defaultCountry: string | null }): PhoneColumn {
  const read = createPhoneReader(defaultCountry);
  const found = column === undefined ? likeliest(columns, (name) => read(name).kind === 'phone') : columns.indexOf(column);
  const name = columns[found];
  if (name !== undefined) return { index: found, name, isNumber: read(name).kind === 'phone' };
  const shown = columns.slice(0, 20).map((each) => `'${each}'`).join(', ');
  throw new PreconditionError(column === undefined ? `None of the columns ${shown} looks like that of the numbers: name it as \`column\`` : `The file has no column '${column}'; it has ${shown}`, { status: 400 });
}

function likeliest(columns: readonly string[], isNumber: (name: string) => boolean): number {
  const named = suggestMapping([...columns])?.phone;
  if (named !== undefined) return columns.indexOf(named);
  return columns.length === 1 ? 0 : columns.findIndex(isNumber);
}

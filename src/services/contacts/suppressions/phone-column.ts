import { createPhoneReader } from '../../../domain/phone/read-phone.ts';
import { proposedPhones } from '../../../domain/directory/suggest-mapping.ts';
import { PreconditionError } from '../../../domain/errors.ts';

/** Where the numbers of a file are. */
export interface PhoneColumn {
  index: number;
  name: string;
  /** The first line is not a header, because it has a number itself, valid or not. */
  isNumber: boolean;
}

/** Column names have fewer digits. */
const minDigits = 6;

/**
 * The named column; otherwise the only one with the name of a phone column; otherwise the only one; otherwise the
 * one whose “name” is a number (a file without a header). Throws PreconditionError (400).
 */
export function columnOf(
  columns: readonly string[],
  { column, defaultCountry }: { column: string | undefined; defaultCountry: string | null },
): PhoneColumn {
  const read = createPhoneReader(defaultCountry);
  const isNumber = (name: string): boolean => read(name).kind === 'phone';
  const found = column === undefined ? likeliest(columns, isNumber) : columns.indexOf(column);
  const name = columns[found];
  // guarantee: suppression-file-loses-no-line
  if (name !== undefined) return { index: found, name, isNumber: isNumber(name) || hasManyDigits(name) };
  const shown = columns
    .slice(0, 20)
    .map((each) => `'${each}'`)
    .join(', ');
  throw new PreconditionError(
    column === undefined
      ? `${proposedPhones(columns).length > 1 ? 'Several' : 'None'} of the columns ${shown} may have the phone numbers: name one as \`column\``
      : `The file has no column '${column}'; it has ${shown}`,
    { status: 400 },
  );
}

function likeliest(columns: readonly string[], isNumber: (name: string) => boolean): number {
  const [named, ...others] = proposedPhones(columns);
  if (named !== undefined) return others.length === 0 ? columns.indexOf(named) : -1;
  if (columns.length === 1) return 0;
  const readable = columns.findIndex(isNumber);
  const [only, ...more] = columns.filter(hasManyDigits);
  return readable === -1 && only !== undefined && more.length === 0 ? columns.indexOf(only) : readable;
}

function hasManyDigits(name: string): boolean {
  return (name.match(/\d/g)?.length ?? 0) >= minDigits;
}

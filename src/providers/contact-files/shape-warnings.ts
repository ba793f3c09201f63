import { nameColumns } from '../../domain/directory/name-columns.ts';
import { proposedPhones } from '../../domain/directory/suggest-mapping.ts';
import { isPhoneNumberName } from '../../domain/directory/mapping-words.ts';
import { isBlankCell } from './file-rows.ts';
import type { FileRow } from './port.ts';

/** What was made of a file's shape in a way that people should check. */
export function shapeWarnings({
  header,
  headerLine,
  rows,
  isHeaderWished,
}: {
  header: readonly string[];
  headerLine: number;
  rows: readonly FileRow[];
  isHeaderWished: boolean;
}): string[] {
  const columns = nameColumns(header);
  return [
    ...(headerLine > 1 && !isHeaderWished
      ? [`Line ${headerLine} is taken for the column names; the lines above it are ignored`]
      : []),
    ...unnamedOrRenamed(header, columns),
    ...phoneWarning(columns),
    ...(rows.some(({ flags }) => flags?.some(({ code }) => code === 'quotes_broken') === true)
      ? ['Quotes in some rows do not end with their cells; these rows are read as they stand']
      : []),
  ];
}

function unnamedOrRenamed(header: readonly string[], columns: readonly string[]): string[] {
  const unnamed = columns.filter((_, index) => isBlankCell(header[index] ?? ''));
  const renamed = columns.filter(
    (name, index) =>
      !isBlankCell(header[index] ?? '') &&
      header.indexOf(header[index] ?? '') !== index &&
      name !== header[index],
  );
  return [
    ...(unnamed.length > 0 ? [`Columns without a name are called ${listed(unnamed)}`] : []),
    ...(renamed.length > 0
      ? [`Several columns have the same name; the later ones are called ${listed(renamed)}`]
      : []),
  ];
}

/** The proposal of a phone column, or why there is none. */
function phoneWarning(columns: readonly string[]): string[] {
  const proposed = proposedPhones(columns);
  const [first, ...others] = proposed;
  if (first === undefined || (others.length === 0 && isPhoneNumberName(first))) return [];
  return [
    others.length === 0
      ? `No column is called phone_number; ${first} is proposed for the phone numbers`
      : `${listed(proposed)} may have the phone numbers; choose one`,
  ];
}

const maxListed = 10;

function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return `${names.slice(0, maxListed).join(', ')}${more}`;
}

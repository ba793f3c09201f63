/** What the service reads from a row of a contact file. */
interface RowOfFile {
  row_number: number;
  phone_number: string | null;
  identifier: string | null;
  cells: readonly string[];
}

/** How the columns of a file are used. */
interface ColumnUse {
  phone: string | null;
  identifier: string | null;
  opening_line: { type: string; text: string | null; recording_id: string | null } | null;
  skipped: readonly string[];
}

/** The values that a call to the row begins with (contract 11.4), as far as prompts may use them. */
export function valuesOfRow(
  columns: readonly string[],
  use: ColumnUse,
  row: RowOfFile,
): Readonly<Record<string, string>> {
  const opening = use.opening_line;
  const taken = new Set([
    use.phone,
    use.identifier,
    opening?.type,
    opening?.text,
    opening?.recording_id,
    ...use.skipped,
  ]);
  const own = columns.flatMap((name, index): [string, string][] =>
    taken.has(name) || name === '' ? [] : [[name, row.cells[index] ?? '']],
  );
  // A column may also be named in lower case, unless another one has that name.
  const lower = own
    .map(([name, cell]): [string, string] => [name.toLowerCase(), cell])
    .filter(([name]) => !columns.includes(name));
  return Object.fromEntries([
    ...lower,
    ...own,
    ...(row.identifier === null ? [] : [['ext_customer_id', row.identifier] as const]),
    ...(row.phone_number === null ? [] : [['phone_number', row.phone_number] as const]),
  ]);
}

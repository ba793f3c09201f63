import type { Mapping } from './mapping.ts';

/**
 * Names that the service sets in every contact's call. A column with such a name is not available under it
 * (contract 11.4).
 */
export const ownNames: ReadonlySet<string> = new Set([
  'phone_number',
  'called_number',
  'ext_customer_id',
  'record_key',
  'greeting_override',
]);

export interface ExposedName {
  name: string;
  /** Index of its column. */
  index: number;
}

/**
 * Columns that the service uses itself and that become no variables, by their names in the file. The
 * mapping's rule columns remain variables (contract 11.4).
 */
export function takenColumns(mapping: Mapping): ReadonlySet<string> {
  const { phone, identifier, openingLine, skipped } = mapping;
  const taken = [
    phone,
    identifier,
    openingLine?.type,
    openingLine?.text,
    openingLine?.recordingId,
    ...skipped,
  ];
  return new Set(taken.filter((name) => typeof name === 'string'));
}

/**
 * The names of columns in a contact's call: their own, and in lower case if no other column and no value of
 * the service has that name (contract 11.2). Each name occurs once.
 */
export function exposedNames(columns: readonly string[], mapping: Mapping): ExposedName[] {
  const taken = takenColumns(mapping);
  const small = columns.map((column) => column.toLowerCase());
  const counts = new Map<string, number>();
  for (const name of small) counts.set(name, (counts.get(name) ?? 0) + 1);
  return columns.flatMap((column, index) => {
    // guarantee: identifier-column-has-one-name
    if (taken.has(column)) return [];
    const own = ownNames.has(column) ? [] : [{ name: column, index }];
    const lower = small[index] ?? column;
    return lower === column || ownNames.has(lower) || counts.get(lower) !== 1
      ? own
      : [...own, { name: lower, index }];
  });
}

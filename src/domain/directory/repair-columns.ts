import { nameColumns } from './name-columns.ts';

/** The columns that an error file adds to those of its directory. */
export const repairHeader: readonly string[] = ['line', 'column', 'code', 'message', 'suggestion'];

/**
 * The columns of a repaired error file: those of its origin, and those that the error file added. Null for
 * any other file.
 */
export function splitRepaired(columns: readonly string[]): { own: string[]; added: string[] } | null {
  const own = columns.slice(0, -repairHeader.length);
  if (own.length === 0 || !isSame(nameColumns([...own, ...repairHeader]), columns)) return null;
  return { own, added: columns.slice(own.length) };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

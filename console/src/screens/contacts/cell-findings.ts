import type { ContactFinding, ContactPage } from '../../../../src/contract/directories.ts';

/** A finding of the whole row, which stands at its number. */
export const wholeRow = -1;

/** How a cell looks: wrong, worth a look, or forbidden by the row or the list, which is no fault. */
export type Severity = 'bad' | 'warn' | 'machine';

/** Findings that say that somebody must not be called. */
const forbidding: ReadonlySet<string> = new Set(['do_not_call', 'suppressed']);

export function severityOf(findings: readonly ContactFinding[]): Severity {
  if (findings.some(({ code, level }) => level === 'error' && !forbidding.has(code))) return 'bad';
  return findings.some(({ code }) => forbidding.has(code)) ? 'machine' : 'warn';
}

/** The findings of a row by the index of their column; those without a column at `wholeRow`. */
export function findingsByCell(
  findings: readonly ContactFinding[],
  columns: readonly string[],
): ReadonlyMap<number, readonly ContactFinding[]> {
  const found = new Map<number, ContactFinding[]>();
  for (const finding of findings) {
    const index = finding.column === null ? wholeRow : columns.indexOf(finding.column);
    found.set(index, [...(found.get(index) ?? []), finding]);
  }
  return found;
}

/** Whether campaigns leave the row out. */
export const isLeftOut = ({ state }: Pick<ContactPage['items'][number], 'state'>): boolean => state !== 'ok';

/** Codes with their numbers of rows, the most frequent first. */
export const byFrequency = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts)
    .filter(([, rows]) => rows > 0)
    .toSorted(([a, many], [b, more]) => more - many || a.localeCompare(b));

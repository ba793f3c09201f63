import type { ContactFinding, ContactPage } from '../../../../src/contract/directories.ts';

/** A finding of the whole row, which stands at its number. */
export const wholeRow = -1;

/** What the console says of a row whose number other rows repeat: the way to them. */
export const repeated = 'repeated';

/** How a cell looks: wrong, worth a look, or forbidden by the row or the list, which is not a fault. */
export type Severity = 'bad' | 'warn' | 'machine';

/** Findings that leave a row out although nothing in it is wrong. */
const faultless: Readonly<Record<string, Severity>> = {
  do_not_call: 'machine',
  suppressed: 'machine',
  duplicate: 'warn',
  [repeated]: 'machine',
};

export function severityOf(findings: readonly ContactFinding[]): Severity {
  const all = findings.map(({ code, level }) => faultless[code] ?? (level === 'error' ? 'bad' : 'warn'));
  return (['bad', 'machine'] as const).find((each) => all.includes(each)) ?? 'warn';
}

/** Findings about a number that name no column. */
const ofNumber: ReadonlySet<string> = new Set(['duplicate', repeated, 'suppressed', 'do_not_call']);

/** The findings of a row by the index of their column; those of the whole row at `wholeRow`. */
export function findingsByCell(
  findings: readonly ContactFinding[],
  columns: readonly string[],
  phone: string | null,
): ReadonlyMap<number, readonly ContactFinding[]> {
  const found = new Map<number, ContactFinding[]>();
  for (const finding of findings) {
    const column = finding.column ?? (ofNumber.has(finding.code) ? phone : null);
    const index = column === null ? wholeRow : columns.indexOf(column);
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

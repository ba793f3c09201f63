import type { FindingCode } from './findings.ts';

/** What an import has found so far: rows by their state, findings by code. */
export interface ImportTotals {
  /** Records below the header, without blank ones. */
  rows: number;
  blank: number;
  ok: number;
  invalid: number;
  duplicate: number;
  noPhone: number;
  suppressed: number;
  doNotCall: number;
  /** Rows with a warning. */
  warned: number;
  findings: Partial<Record<FindingCode, number>>;
  /** By column, in order: callable rows whose cell is empty. Empty = not counted. */
  emptyCells: number[];
  /** Bytes of the file that were read, for progress. */
  bytesRead: number;
  /** While the import runs: the attempt that these totals belong to. Other attempts have to stop. */
  attempt?: string;
}

export const noTotals: ImportTotals = {
  rows: 0,
  blank: 0,
  ok: 0,
  invalid: 0,
  duplicate: 0,
  noPhone: 0,
  suppressed: 0,
  doNotCall: 0,
  warned: 0,
  findings: {},
  emptyCells: [],
  bytesRead: 0,
};

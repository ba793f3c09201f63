import type { FindingCode } from './findings.ts';

/** What an import has found so far: rows by what became of them, findings by code. */
export interface ImportTotals {
  /** Records behind the header, without blank ones. */
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
  /**
   * By column, in their order: rows that can be called and have nothing there. Empty = nobody has counted.
   */
  emptyCells: number[];
  /** Of the file that were read, for progress. */
  bytesRead: number;
  /** The attempt at the import that they are of, while it runs; others have to stop. */
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

import type { ContactState } from './contact-state.ts';
import type { Mapping } from './mapping.ts';
import { PhoneRows } from './phone-rows.ts';

/** What is known of a row on its own. */
export interface RowByItself {
  state: Extract<ContactState, 'ok' | 'invalid' | 'no_phone' | 'do_not_call'>;
  phone: string | null;
}

export interface JudgedRow {
  state: Exclude<ContactState, 'suppressed'>;
  /**
   * For a duplicate, the row that counts instead. For a number that another row forbids, that row. Null
   * otherwise.
   */
  otherRow: number | null;
}

/** Judges the rows of one file in order, by the rows before. */
export interface RowJudge {
  judge: (row: RowByItself, rowNumber: number) => JudgedRow;
  /** Numbers that passed and that a later row forbade. Their rows must not be dialed either. */
  forbiddenLater: () => string[];
}

/**
 * Judges rows with the same number: `first` and `last` pass one of them, `all` passes every one. If any row
 * forbids a number, no other row with it passes. `lastRows` are the rows that count under `last`, from an
 * earlier pass over the file.
 */
export function createRowJudge(duplicates: Mapping['duplicates'], lastRows = new PhoneRows()): RowJudge {
  const letThrough = new PhoneRows();
  const forbidden = new PhoneRows();
  const later = new Set<string>();

  const forbid = (phone: string, rowNumber: number): JudgedRow => {
    if (letThrough.get(phone) !== undefined) later.add(phone);
    if (forbidden.get(phone) === undefined) forbidden.set(phone, rowNumber);
    return { state: 'do_not_call', otherRow: null };
  };
  /** The row that counts for the number: this one or another. */
  const counting = (phone: string, rowNumber: number): number => {
    if (duplicates === 'all') return rowNumber;
    return (duplicates === 'last' ? lastRows.get(phone) : letThrough.get(phone)) ?? rowNumber;
  };

  return {
    judge({ state, phone }, rowNumber) {
      if (phone === null || state === 'invalid' || state === 'no_phone') return { state, otherRow: null };
      if (state === 'do_not_call') return forbid(phone, rowNumber);
      const forbiddenBy = forbidden.get(phone);
      if (forbiddenBy !== undefined) return { state: 'do_not_call', otherRow: forbiddenBy };
      const counts = counting(phone, rowNumber);
      if (counts !== rowNumber) return { state: 'duplicate', otherRow: counts };
      letThrough.set(phone, rowNumber);
      return { state: 'ok', otherRow: null };
    },
    forbiddenLater: () => [...later],
  };
}

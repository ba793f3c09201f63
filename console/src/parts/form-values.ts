/** A row of a field of kind `rows`. */
export type Row = Readonly<Record<string, string | boolean>>;
export type Value = string | number | boolean | null | readonly string[] | readonly Row[];
export type Values = Readonly<Record<string, Value>>;

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

/** A cell of a row. */
export interface Cell {
  name: string;
  label: string;
  kind: 'text' | 'select' | 'switch';
  options?: readonly Choice[];
  isCode?: boolean;
}

/**
 * A field of a form. Its name is the key of its value and a name in the place of a fault (`loc`), so that a
 * refused field shows why.
 */
export interface Field {
  name: string;
  label: string;
  /** `lines` is a list with one entry per line, `checks` the chosen ones of the options. */
  kind:
    | 'text'
    | 'password'
    | 'email'
    | 'url'
    | 'area'
    | 'json'
    | 'number'
    | 'switch'
    | 'select'
    | 'checks'
    | 'lines'
    | 'rows';
  hint?: string;
  options?: readonly Choice[];
  isRequired?: boolean;
  isCode?: boolean;
  /** Beside another one on a wide screen. */
  isHalf?: boolean;
  placeholder?: string;
  autoComplete?: string;
  inputMode?: 'numeric';
  /** Gets the focus when the form appears. */
  hasFocus?: boolean;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  cells?: readonly Cell[];
  /** Whether the field is there for the other values. Absent: always. */
  when?: (values: Values) => boolean;
}

/** A refused field of the API's answer. */
export interface Fault {
  loc: readonly (string | number)[];
  msg: string;
}

export const shownFields = (fields: readonly Field[], values: Values): readonly Field[] =>
  fields.filter(({ when }) => when === undefined || when(values));

/** The words of a field, empty if it has none. */
export const wordsOf = (values: Values, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

/** The rows of a field. */
export const rowsOf = (values: Values, name: string): readonly Row[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((each): each is Row => typeof each === 'object') : [];
};

/** The entries of a field of kind `lines` or `checks`. */
export const entriesOf = (values: Values, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
};

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** Names of shown required fields without a value. */
export const missingFields = (fields: readonly Field[], values: Values): readonly string[] =>
  shownFields(fields, values)
    .filter(({ isRequired, name }) => isRequired === true && isEmpty(values[name]))
    .map(({ name }) => name);

/** Whether a value of kind `json` cannot be read. */
export function isBadJson(value: Value | undefined): boolean {
  if (typeof value !== 'string' || value.trim() === '') return false;
  try {
    JSON.parse(value);
    return false;
  } catch {
    return true;
  }
}

/** The object that a field of kind `json` holds; null if there is none. */
export function objectOf(values: Values, name: string): Record<string, unknown> | null {
  const words = wordsOf(values, name).trim();
  return words === '' ? null : (JSON.parse(words) as Record<string, unknown>);
}

export const isChanged = (now: Values, before: Values): boolean =>
  JSON.stringify(now) !== JSON.stringify(before);

export interface PlacedFaults {
  byField: Readonly<Record<string, string>>;
  /** Faults of no shown field. */
  others: readonly string[];
}

/** Brings each fault to the shown field whose name is the first in its place: cells of rows have names, too. */
export function placeFaults(fields: readonly Field[], faults: readonly Fault[]): PlacedFaults {
  const names = new Set(fields.map(({ name }) => name));
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const { loc, msg } of faults) {
    const name = loc.find((part): part is string => typeof part === 'string' && names.has(part));
    if (name === undefined)
      others.push(loc.length > 1 ? `${loc.slice(1).join('.')}: ${plain(msg)}` : plain(msg));
    else byField[name] ??= withRow(loc, plain(msg));
  }
  return { byField, others };
}

const plain = (msg: string): string => {
  const words = msg.replace(/^Value error, /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function withRow(loc: readonly (string | number)[], msg: string): string {
  const index = loc.findLast((part): part is number => typeof part === 'number');
  return index === undefined ? msg : `${index + 1}: ${msg}`;
}

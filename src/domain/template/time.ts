/** The time variables (contract 7.3). */
const timeName = /^(current_time|current_weekday)(?:_(.*))?$/s;

export interface TimeName {
  kind: 'current_time' | 'current_weekday';
  /** As written; null without a suffix. */
  zone: string | null;
}

/** Splits a time variable's name; null for any other name. */
export function readTimeName(name: string): TimeName | null {
  const [, kind, zone = null] = timeName.exec(name) ?? [];
  return kind === 'current_time' || kind === 'current_weekday' ? { kind, zone } : null;
}

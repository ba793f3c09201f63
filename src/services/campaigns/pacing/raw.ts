/** A moment of a plain query comes as a date or as text in UTC, as the driver likes. */
export function readTimestamp(value: Date | string): Date {
  return value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);
}

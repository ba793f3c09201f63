/** Reads a timestamp of a raw query. Drivers give it as a date, or as text in UTC. */
export function readTimestamp(value: Date | string): Date {
  return value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`);
}

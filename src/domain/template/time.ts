import moment from 'moment-timezone';

/**
 * The time variables (contract 7.3). Time zones and their abbreviations are the IANA data of moment-timezone,
 * not of `Intl`.
 */
const timeName = /^(current_time|current_weekday)(?:_(.*))?$/s;

export interface TimeName {
  kind: 'current_time' | 'current_weekday';
  /** As written; null without a suffix. */
  zone: string | null;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Splits a time variable's name; null for any other name. */
export function readTimeName(name: string): TimeName | null {
  const [, kind, zone = null] = timeName.exec(name) ?? [];
  return kind === 'current_time' || kind === 'current_weekday' ? { kind, zone } : null;
}

let zoneNames: ReadonlySet<string> | undefined;

/** True for an exact IANA name, links such as `EST` included; letters must match in case. */
export function isZone(zone: string): boolean {
  zoneNames ??= new Set(moment.tz.names());
  return zoneNames.has(zone);
}

/** `2026-11-20 15:43:04 IST`, or the English name of the day. */
export function timeText({ kind, zone, now }: { kind: TimeName['kind']; zone: string; now: Date }): string {
  const local = moment.tz(now, zone).locale('en');
  return kind === 'current_weekday' ? (weekdays[local.day()] ?? '') : local.format('YYYY-MM-DD HH:mm:ss z');
}

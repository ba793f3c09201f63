import moment from 'moment-timezone';

let zoneNames: ReadonlySet<string> | undefined;

/**
 * True for an exact name in the IANA data of moment-timezone, links such as `EST` included; letters must
 * match in case.
 */
export function isZone(zone: string): boolean {
  zoneNames ??= new Set(moment.tz.names());
  return zoneNames.has(zone);
}

import { zonePrefixes } from './zone-prefixes.ts';

interface Place {
  /** As stored with a contact. */
  key: string;
  zones: readonly string[];
}

const places: ReadonlyMap<string, Place> = new Map(
  Object.entries(zonePrefixes).flatMap(([names, prefixes]) =>
    placesOf(names.split(' '), prefixes.split(' ')),
  ),
);
const longest = Math.max(...[...places.keys()].map(({ length }) => length));

/**
 * The zone of a number (digits with country code, no plus): an IANA name; `+` and a prefix if numbers of that
 * prefix are in several zones; empty if unknown. There are at most a few hundred different keys. It takes
 * some hundred nanoseconds, because it is called for every row of a file.
 */
export function zoneKeyOfPhone(phone: string): string {
  return placeOf(phone)?.key ?? '';
}

/**
 * All zones that contacts of a key may be in; none = unknown, so that the campaign's zone counts. A zone name
 * is its own zone.
 */
export function zonesOf(zoneKey: string): readonly string[] {
  if (zoneKey === '') return [];
  return zoneKey.startsWith('+') ? (placeOf(zoneKey.slice(1))?.zones ?? []) : [zoneKey];
}

function placesOf(zones: readonly string[], prefixes: readonly string[]): [string, Place][] {
  const [only] = zones;
  return prefixes.map((prefix) => [
    prefix,
    { key: zones.length === 1 && only !== undefined ? only : `+${prefix}`, zones },
  ]);
}

function placeOf(digits: string): Place | undefined {
  // guarantee: number-zone-matches-its-country
  for (let length = Math.min(longest, digits.length); length > 0; length -= 1) {
    const found = places.get(digits.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

import { zonePrefixes } from './zone-prefixes.ts';

interface Place {
  /** As it is stored with a contact. */
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
 * What is known of the time at a number (digits with country code, no plus): the IANA name of its zone; `+`
 * and a prefix where numbers of that prefix may be in several; empty where nothing is known. At most a few
 * hundred different ones. Some hundred nanoseconds: it is asked for every row of a file.
 */
export function zoneKeyOfPhone(phone: string): string {
  return placeOf(phone)?.key ?? '';
}

/**
 * All zones in which contacts of a key may be; none = unknown, the campaign's counts. A name is its own zone.
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
  // guarantee: number-zone-country
  for (let length = Math.min(longest, digits.length); length > 0; length -= 1) {
    const found = places.get(digits.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

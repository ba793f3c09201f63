import { describe, expect, test } from '@jest/globals';
import examples from 'libphonenumber-js/mobile/examples';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import moment from 'moment-timezone';
import { isZone } from '../../../src/contract/data/zones.ts';
import { zonePrefixes } from '../../../src/domain/phone/zone-prefixes.ts';
import { zoneKeyOfPhone, zonesOf } from '../../../src/domain/phone/zones.ts';

const prefixes = Object.values(zonePrefixes).flatMap((list) => list.split(' '));

describe('the zone of a number', () => {
  test.each([
    ['New York', '12125550100', 'America/New_York'],
    [
      'London, and mobile numbers of the islands, which have the same clocks',
      '447911123456',
      'Europe/London',
    ],
    ['Phoenix', '16025550100', 'America/Phoenix'],
    ['Moscow', '74951234567', 'Europe/Moscow'],
    ['Kaliningrad, which has no summer time, unlike its neighbors', '74012345678', 'Europe/Kaliningrad'],
    ['Saratov, an hour ahead of Moscow', '78452345678', 'Europe/Saratov'],
    ['Novosibirsk', '73832345678', 'Asia/Novosibirsk'],
    ['Perth has the zones of its area code', '61892345678', '+6189'],
    ['India, half an hour off', '919812345678', 'Asia/Kolkata'],
    ['an area code of two zones', '18505550100', '+1850'],
    ['its overlay has the same zones', '14485550100', '+1448'],
    ['a freephone number is anywhere', '18005550100', '+1'],
    ['a Russian mobile number may be anywhere from Kaliningrad to Kamchatka', '79161234567', '+7'],
    ['a Spanish one on the Canaries', '34612345678', '+34'],
    ['an unassigned country code', '99912345678', ''],
    ['nothing', '', ''],
  ])('%s', (_title, phone, key) => {
    expect(zoneKeyOfPhone(phone)).toBe(key);
  });

  test.each([
    ['+1850', ['America/Chicago', 'America/New_York']],
    ['+1448', ['America/Chicago', 'America/New_York']],
    ['+34', ['Atlantic/Canary', 'Europe/Madrid']],
    ['+18505551234, as in an older table', ['America/Chicago', 'America/New_York']],
    ['Asia/Kathmandu', ['Asia/Kathmandu']],
    ['', []],
    ['+999', []],
  ])('%s stands for its zones', (key, zones) => {
    expect(zonesOf(key.split(',')[0] ?? '')).toEqual(zones);
  });

  test('keys are short and few, and each stands for existing zones', () => {
    const keys = new Set(prefixes.map((prefix) => zoneKeyOfPhone(prefix)));
    expect(prefixes.length).toBe(new Set(prefixes).size);
    expect(keys.size).toBeLessThan(400);
    for (const key of keys) {
      expect(key.length).toBeLessThanOrEqual(64);
      expect(zonesOf(key).length).toBeGreaterThan(0);
      expect(zonesOf(key).filter((zone) => !isZone(zone))).toEqual([]);
    }
  });

  test('the key is that of a prefix of the number, whatever follows', () => {
    for (const prefix of prefixes) {
      const key = zoneKeyOfPhone(`${prefix}5550100`);
      expect(key === '' || (key.startsWith('+') && !`${prefix}5550100`.startsWith(key.slice(1)))).toBe(false);
    }
  });

  const year = Array.from({ length: 400 }, (_, index) => Date.UTC(2026, 11, 1 + index));
  const clockOf = (zone: string) => year.map((at) => moment.tz.zone(zone)?.utcOffset(at)).join(' ');
  const clocksOf = (country: string) => (moment.tz.zonesForCountry(country) ?? []).map(clockOf);

  // guarantee: number-zone-matches-its-country
  test('a mobile number of each country may be in a zone with a clock of that country', () => {
    const wrong = getCountries().flatMap((country) => {
      const found = zonesOf(zoneKeyOfPhone(getExampleNumber(country, examples)?.number.slice(1) ?? ''));
      const there = clocksOf(country);
      return there.length === 0 || found.some((zone) => there.includes(clockOf(zone)))
        ? []
        : [`${country}: ${found.join(' ')}`];
    });
    // Islands with mobile numbers of Australia, for which its cities count.
    expect(wrong.map((each) => each.slice(0, 2))).toEqual(['CC', 'CX']);
  });

  test('no number is in a zone that has the clock of no country with its code', () => {
    const ofCode = new Map<string, string[]>();
    for (const country of getCountries())
      ofCode.set(getCountryCallingCode(country), [
        ...(ofCode.get(getCountryCallingCode(country)) ?? []),
        ...clocksOf(country),
      ]);
    const wrong = prefixes.flatMap((prefix) => {
      const code = [1, 2, 3].map((length) => prefix.slice(0, length)).find((each) => ofCode.has(each)) ?? '';
      const there = ofCode.get(code) ?? [];
      return there.length === 0
        ? []
        : zonesOf(zoneKeyOfPhone(prefix)).flatMap((zone) =>
            there.includes(clockOf(zone)) ? [] : [`${prefix}: ${zone}`],
          );
    });
    expect(wrong).toEqual([]);
  });
});

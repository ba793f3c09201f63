import { afterEach, describe, expect, test } from '@jest/globals';
import { dayAfter, dayOf, startOfDay } from '../../../console/src/app/days.ts';
import { ownZone, setZone } from '../../../console/src/app/zone.ts';
import { apiFilters, parseFilters } from '../../../console/src/screens/calls/filters.ts';

describe('a day begins at its first moment', () => {
  test.each([
    ['2026-11-23', 'Asia/Tokyo', '2026-11-22T15:00:00.000Z'],
    ['2026-11-23', 'America/New_York', '2026-11-23T05:00:00.000Z'],
    ['2026-11-23', 'Asia/Kathmandu', '2026-11-22T18:15:00.000Z'],
    ['2026-11-23', 'Pacific/Kiritimati', '2026-11-22T10:00:00.000Z'],
    // Clocks change in this night, after midnight.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    // At midnight: the day begins at 01:00.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
    // At midnight back to 23:00: the day begins at the second midnight.
    ['2026-10-25', 'Asia/Beirut', '2026-10-24T22:00:00.000Z'],
  ])('%s in %s is %s', (day, zone, at) => {
    const begin = startOfDay(day, zone);
    expect(begin.toISOString()).toBe(at);
    expect(dayOf(begin, zone)).toBe(day);
    expect(dayOf(new Date(begin.getTime() - 1), zone)).toBe(dayAfter(day, -1));
  });
});

describe("the days of filters are those of the organization's zone, not the browser's", () => {
  const atStart = ownZone;
  afterEach(() => setZone(null));
  const away = atStart === 'Pacific/Auckland' ? 'America/Los_Angeles' : 'Pacific/Auckland';
  const at = new Date('2026-11-23T20:30:00Z');

  test("today's calls are filtered from its midnight, and a zone unknown to the browser is the browser's", () => {
    setZone(away);
    const filters = apiFilters(parseFilters('date:today').filters, { agents: [], now: at }).text ?? '';
    expect(filters).toContain(startOfDay(dayOf(at, away), away).toISOString());
    setZone('Mars/Olympus');
    expect(ownZone).toBe(atStart);
  });
});

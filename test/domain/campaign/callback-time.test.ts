import { describe, expect, test } from '@jest/globals';
import { readCallbackTime } from '../../../src/domain/campaign/callback-time.ts';

const now = new Date('2026-11-22T10:00:00Z');
const read = (value: unknown, { zone = 'Europe/Berlin', at = now } = {}) => {
  const found = readCallbackTime({ value, zone, now: at });
  return found.kind === 'at' ? found.at.toISOString() : found.reason;
};

describe('the requested time of a callback', () => {
  test.each([
    ['in the zone of the contact', '2026-11-26T15:00', '2026-11-26T14:00:00.000Z'],
    ['with seconds', '2026-11-26 15:00:30', '2026-11-26T14:00:30.000Z'],
    ['with an offset of its own', '2026-11-26T15:00:00+05:30', '2026-11-26T09:30:00.000Z'],
    ['in UTC', '2026-11-26T15:00:00Z', '2026-11-26T15:00:00.000Z'],
    ['half a minute ago is now', '2026-11-22T09:59:30Z', '2026-11-22T10:00:00.000Z'],
    ['longer ago', '2026-11-22T09:58:00Z', 'past'],
    ['thirty days ahead', '2026-12-22T10:00:00Z', '2026-12-22T10:00:00.000Z'],
    ['further ahead', '2026-12-22T10:01:00Z', 'too_far'],
    ['words', 'Thursday at three', 'unreadable'],
    ['a day without a time', '2026-11-26', 'unreadable'],
    ['an invalid day', '2026-11-31T10:00', 'unreadable'],
    ['an invalid hour', '2026-11-26T25:00', 'unreadable'],
    ['a blank value', ' ', 'absent'],
    ['no text', 1_764_000_000, 'absent'],
  ])('%s', (_title, value, expected) => {
    expect(read(value)).toBe(expected);
  });

  test('a skipped hour becomes the following one, and of a repeated hour the first counts', () => {
    expect(read('2026-03-29T02:30', { at: new Date('2026-03-28T12:00:00Z') })).toBe(
      '2026-03-29T01:30:00.000Z',
    );
    expect(read('2026-10-25T02:30', { at: new Date('2026-10-24T12:00:00Z') })).toBe(
      '2026-10-25T00:30:00.000Z',
    );
  });

  test('without a zone only a time with an offset can be promised', () => {
    expect(read('2026-11-26T15:00', { zone: 'Europe/Atlantis' })).toBe('unreadable');
    expect(read('2026-11-26T15:00Z', { zone: 'Europe/Atlantis' })).toBe('2026-11-26T15:00:00.000Z');
  });
});

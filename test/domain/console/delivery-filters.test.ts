import { describe, expect, test } from '@jest/globals';
import { boundsOf } from '../../../console/src/screens/webhooks/period.ts';
import { webhooksSearch } from '../../../console/src/screens/webhooks/search.ts';

const now = Date.UTC(2026, 10, 27, 12);

describe('the filters of deliveries', () => {
  test.each([
    [{}, {}],
    [{ period: 'hour' }, { from: '2026-11-27T11:00:00.000Z' }],
    [{ period: 'week' }, { from: '2026-11-20T12:00:00.000Z' }],
    [{ period: 'between' }, {}],
    [{ period: 'between', from: '2026-11-26T09:30' }, { from: new Date(2026, 10, 26, 9, 30).toISOString() }],
    [
      { period: 'between', from: '2026-11-26T09:30', to: '2026-11-26T10:00' },
      {
        from: new Date(2026, 10, 26, 9, 30).toISOString(),
        to: new Date(2026, 10, 26, 10).toISOString(),
      },
    ],
  ] as const)('%j are bounds that the API takes', (period, bounds) => {
    expect(boundsOf(period, now)).toEqual(bounds);
  });

  test('keep what an address says of them, and leave out the rest', () => {
    const filters = { state: 'pending', agent: 3, call: 12, period: 'between', from: '2026-11-26T09:30' };
    expect(webhooksSearch(filters)).toEqual(filters);
    expect(
      webhooksSearch({ state: 'lost', agent: 'x', call: -1, period: 'era', from: '2026-11-26T09:30' }),
    ).toEqual({});
    expect(webhooksSearch({ period: 'between', from: '2026-13-26T09:30', to: 'now' })).toEqual({
      period: 'between',
    });
    expect(webhooksSearch({ period: 'day', from: '2026-11-26T09:30' })).toEqual({ period: 'day' });
  });
});

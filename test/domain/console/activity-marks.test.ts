import { expect, test } from '@jest/globals';
import { bucketFor, marksOf, padded } from '../../../console/src/screens/campaigns/activity-marks.ts';

const from = (minute: number) => `2026-11-24T10:${String(minute).padStart(2, '0')}:00.000000Z`;
const entry = (ts: string, event: string) => ({
  ts,
  level: 'info' as const,
  event,
  message: event,
  details: {},
  by: null,
});

test('pauses, changes and faults mark the interval in which they happened, and other entries of the log mark none', () => {
  const buckets = [0, 5, 10].map((minute) => ({ from: from(minute), calls: 1, reached: 0 }));
  const logs = [
    entry('2026-11-24T09:59:59.000000Z', 'campaign_started'),
    entry(from(4), 'file_checked'),
    entry(from(4), 'campaign_paused'),
    entry(from(5), 'campaign_resumed'),
    entry(from(9), 'circuit_breaker_tripped'),
    entry(from(14), 'campaign_changed'),
    entry(from(15), 'carrier_down'),
  ];
  expect(marksOf(buckets, 300, logs).map((marks) => marks.map(({ is, message }) => [is, message]))).toEqual([
    [['hold', 'campaign_paused']],
    [
      ['go', 'campaign_resumed'],
      ['fault', 'circuit_breaker_tripped'],
    ],
    [['edit', 'campaign_changed']],
  ]);
});

test('few intervals are shown after empty ones, and many as they are', () => {
  const buckets = [0, 5].map((minute) => ({ from: from(minute), calls: 3, reached: 1 }));
  expect(
    padded(buckets, { bucketSeconds: 300, min: 4 }).map(({ from: at, calls }) => [
      new Date(at).toISOString(),
      calls,
    ]),
  ).toEqual([
    ['2026-11-24T09:50:00.000Z', 0],
    ['2026-11-24T09:55:00.000Z', 0],
    ['2026-11-24T10:00:00.000Z', 3],
    ['2026-11-24T10:05:00.000Z', 3],
  ]);
  expect(padded(buckets, { bucketSeconds: 300, min: 2 })).toEqual(buckets);
  expect(padded([], { bucketSeconds: 300, min: 2 })).toEqual([]);
});

test.each([
  [0, 300],
  [8 * 3600, 300],
  [8 * 3600 + 300, 900],
  [3 * 86_400, 3600],
  [200 * 86_400, 86_400],
])('%s s of a campaign are shown as a whole, in intervals of %s s', (span, bucket) => {
  expect(bucketFor(span)).toBe(bucket);
});

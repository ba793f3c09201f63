import { expect, test } from '@jest/globals';
import {
  judgeEndpoint,
  shownAddress,
  type AttemptResult,
} from '../../../src/domain/delivery/endpoint-health.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));
const attempts = (...results: [AttemptResult, number | null][]) =>
  results.map(([result, answeredAfterMs], index) => ({ at: at(index), result, answeredAfterMs }));

test.each<[string, Parameters<typeof judgeEndpoint>, object]>([
  ['without attempts it is unused', [[], { isOff: false }], { state: 'unused', failingSince: null }],
  [
    'it is healthy when the last attempt succeeded, and answers in the median of the answers',
    [attempts(['retried', 900], ['failed', null], ['ok', 100], ['ok', 200]), { isOff: false }],
    { state: 'healthy', failingSince: null, medianAnswerMs: 200 },
  ],
  [
    'it fails since the first failure after the last success',
    [attempts(['failed', 5], ['ok', 5], ['retried', null], ['failed', null]), { isOff: false }],
    { state: 'failing', failingSince: at(2), medianAnswerMs: 5 },
  ],
  [
    'off is off, whatever the attempts say',
    [attempts(['ok', 5], ['failed', null]), { isOff: true }],
    { state: 'off', failingSince: at(1) },
  ],
])('%s', (_title, given, expected) => {
  expect(judgeEndpoint(...given)).toMatchObject(expected);
});

test.each([
  ['https://user:secret@hooks.example.com:8443/in/a?key=secret#x', 'hooks.example.com:8443/in/a'],
  ['https://hooks.example.com/', 'hooks.example.com'],
  ['nonsense', 'an invalid URL'],
])('the address of %s is shown without secrets', (url, shown) => {
  expect(shownAddress(url)).toBe(shown);
});

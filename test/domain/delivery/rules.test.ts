import { describe, expect, test } from '@jest/globals';
import { isRefusedHeader } from '../../../src/domain/delivery/headers.ts';
import { isSecretHeader, maskSecret } from '../../../src/domain/delivery/masking.ts';
import { judgeStatus } from '../../../src/domain/delivery/outcome.ts';
import { readRetryAfter } from '../../../src/domain/delivery/retry-after.ts';
import { delayBeforeAttempt, deliveryScheduleMs } from '../../../src/domain/delivery/schedule.ts';

describe('schedule (contract 9.4)', () => {
  const seconds = [0, 5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

  test.each(seconds.map((wait, index) => [index, wait]))(
    'the attempt at index %i waits %i s',
    (index, wait) => {
      expect(delayBeforeAttempt({ index, retryAfterMs: null, random: 0 })).toBe(wait * 1000);
    },
  );

  test('attempts are spread over about three days', () => {
    expect(deliveryScheduleMs.reduce((sum, each) => sum + each, 0) / 86_400_000).toBeCloseTo(3.15, 1);
  });

  test('jitter lengthens a wait by at most a tenth', () => {
    expect(delayBeforeAttempt({ index: 2, retryAfterMs: null, random: 1 })).toBe(66_000);
    expect(delayBeforeAttempt({ index: 0, retryAfterMs: null, random: 1 })).toBe(0);
  });

  test.each([
    ['longer than planned replaces the plan', 120_000, 120_000],
    ['shorter than planned is ignored', 1000, 60_000],
    ['longer than a day counts as a day', 999_999_999, 86_400_000],
  ])('a Retry-After %s', (_row, retryAfterMs, expected) => {
    expect(delayBeforeAttempt({ index: 2, retryAfterMs, random: 0 })).toBe(expected);
  });
});

describe('outcome (contract 9.4)', () => {
  test.each([
    ['succeeded', [200, 201, 202, 204, 299]],
    ['retry', [408, 409, 425, 429, 500, 501, 502, 503, 504, 599]],
    ['dead_letter', [100, 301, 302, 304, 307, 400, 401, 403, 404, 405, 413, 422, 600]],
    ['endpoint_off', [410]],
  ])('judges statuses as %s', (judgment, statusCodes) => {
    expect(statusCodes.map(judgeStatus)).toEqual(statusCodes.map(() => judgment));
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-20T10:00:00Z');

  test.each<[value: string | null | undefined, expected: number | null]>([
    ['120', 120_000],
    [' 7 ', 7000],
    ['0', 0],
    ['999999999999', 86_400_000],
    ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000],
    ['Thu, 19 Nov 2026 10:00:00 GMT', 0],
    ['Fri, 20 Nov 2099 10:01:00 GMT', 86_400_000],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['Fri, 20 Foo 2026 10:01:00 GMT', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('%j is read as %j', (value, expected) => {
    expect(readRetryAfter(value, now)).toBe(expected);
  });
});

describe('headers (contract 9.2)', () => {
  test.each([
    ['sk-12345678', '*******5678'],
    ['12345', '*2345'],
    ['1234', '****'],
    ['', ''],
  ])('%j is shown as %j', (secret, shown) => {
    expect(maskSecret(secret)).toBe(shown);
  });

  test.each([
    'Authorization',
    'X-Auth',
    'My-Token',
    'client_secret',
    'Password',
    'passwd',
    'Cookie',
    'x-credential',
    'X-API-Key',
    'apikey',
    'api_key',
    'X-Access-Key',
  ])('%s looks secret', (name) => {
    expect(isSecretHeader(name)).toBe(true);
  });

  test.each(['X-Region', 'Accept', 'X-Tenant'])('%s does not look secret', (name) => {
    expect(isSecretHeader(name)).toBe(false);
  });

  test.each([
    'Host',
    'content-length',
    'Connection',
    'Transfer-Encoding',
    'webhook-id',
    'Webhook-Anything',
    ' host ',
  ])('a webhook node cannot set %s', (name) => {
    expect(isRefusedHeader(name)).toBe(true);
  });

  test.each(['Authorization', 'X-Webhook-Source', 'Accept'])('a webhook node can set %s', (name) => {
    expect(isRefusedHeader(name)).toBe(false);
  });
});

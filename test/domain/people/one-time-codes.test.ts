import { describe, expect, test } from '@jest/globals';
import {
  authenticatorUri,
  newRecoveryCodes,
  newSecret,
  readCode,
  stepOfCode,
} from '../../../src/domain/people/one-time-codes.ts';
import { randomIds } from '../../../src/runtime/ids.ts';

/** `12345678901234567890` in base32: the secret of the test vectors of RFC 6238, appendix B. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

describe('a one-time code', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %d seconds', (seconds, code) => {
    expect(stepOfCode({ secret, code, now: at(seconds) })).toBe(Math.floor(seconds / 30));
  });

  test.each([
    [1_111_111_109 - 60, null],
    [1_111_111_109 - 30, 37_037_036],
    [1_111_111_109 + 30, 37_037_036],
    [1_111_111_109 + 60, null],
  ])('is accepted one step early and one step late (at %d seconds: %s)', (seconds, step) => {
    expect(stepOfCode({ secret, code: '081804', now: at(seconds) })).toBe(step);
  });

  test.each(['', '81804', '0818040', 'abcdef'])('is not accepted in another form (%j)', (code) => {
    expect(stepOfCode({ secret, code, now: at(1_111_111_109) })).toBeNull();
  });

  test.each([
    ['081804', 'app', '081804'],
    [' 081 804\n', 'app', '081804'],
    ['081-804', 'app', '081804'],
    ['ABCD-efgh-2345-MNOP', 'recovery', 'abcdefgh2345mnop'],
    ['abcd efgh 2345 mnop', 'recovery', 'abcdefgh2345mnop'],
    ['0818045', 'recovery', '0818045'],
  ])('is read as people type and paste it (%j)', (typed, kind, code) => {
    expect(readCode(typed)).toEqual({ kind, code });
  });
});

test('a secret has 160 random bits, and its link names the service and the account', () => {
  const made = newSecret(randomIds);
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret(randomIds)).not.toBe(made);
  const uri = new URL(authenticatorUri({ secret: made, email: 'ada+1@example.com' }));
  expect(decodeURIComponent(uri.pathname)).toContain('Parlance:ada+1@example.com');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: made, issuer: 'Parlance' });
});

test('there are ten different recovery codes of 80 bits, which are read back as they are shown', () => {
  const made = newRecoveryCodes(randomIds);
  expect(new Set(made).size).toBe(10);
  for (const code of made) {
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(readCode(code).kind).toBe('recovery');
  }
});

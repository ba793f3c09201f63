import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createSessionTokens } from '../../../src/providers/secrets/session-tokens.ts';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const from = new Date('2026-11-21T10:00:00.000Z');
const until = new Date('2026-11-21T11:00:00.000Z');
const issue = (ring: string) => createSessionTokens(ring).issue({ id: 'a', userId: 7, from, until });

describe('session tokens', () => {
  test('are HS256 JWTs whose subject is the user id as text', async () => {
    const token = await issue(key('one', 1));
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', kid: 'one' });
    expect(decodeJwt(token)).toEqual({
      sub: '7',
      jti: 'a',
      iat: from.getTime() / 1000,
      exp: until.getTime() / 1000,
    });
    expect(await createSessionTokens(key('one', 1)).read(token, from)).toEqual({ userId: 7 });
  });

  test('survive a rotation while their key is in the ring', async () => {
    const token = await issue(key('one', 1));
    expect(await createSessionTokens(`${key('two', 2)},${key('one', 1)}`).read(token, from)).toEqual({
      userId: 7,
    });
    expect(await createSessionTokens(key('two', 2)).read(token, from)).toBeNull();
    expect(await createSessionTokens(key('one', 2)).read(token, from)).toBeNull();
  });

  test('expire', async () => {
    const tokens = createSessionTokens(key('one', 1));
    const token = await issue(key('one', 1));
    expect(await tokens.read(token, new Date(until.getTime() - 1))).toEqual({ userId: 7 });
    expect(await tokens.read(token, until)).toBeNull();
  });

  test.each([
    '',
    'x',
    'a.b.c',
    '..',
    'e30.e30.e30',
    `${Buffer.from('{"alg":"none","kid":"one"}').toString('base64url')}.${Buffer.from('{"sub":"7","exp":9999999999}').toString('base64url')}.`,
  ])('are not read from %j', async (token) => {
    expect(await createSessionTokens(key('one', 1)).read(token, from)).toBeNull();
  });
});

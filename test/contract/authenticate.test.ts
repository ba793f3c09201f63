import { describe, expect, test } from '@jest/globals';
import { UnauthenticatedError } from '../../src/domain/errors.ts';
import { authenticator, keyAuthenticator } from '../../src/api/middleware/authenticate.ts';

const authenticate = authenticator({
  byKey: (key) => Promise.resolve(key === 'live' ? { name: 'owner' } : null),
  bySession: (token) =>
    token === 'a.session.token'
      ? Promise.resolve({ name: 'user' })
      : Promise.reject(new UnauthenticatedError('Invalid or expired token')),
  byTicket: ({ ticket, address }) => Promise.resolve({ name: `${ticket} of ${address}` }),
});
const present = (apiKey?: string, authorization?: string, ticket?: string) =>
  authenticate(
    { apiKey, authorization, ticket: ticket === undefined ? undefined : { ticket, address: '/file' } },
    'request',
  );

describe('credentials (contract 5.6)', () => {
  test.each([
    ['a live key', 'live', undefined],
    ['a live key with an invalid Authorization', 'live', 'Bearer nonsense'],
    ['a live key as bearer', undefined, 'Bearer live'],
    ['a live key as bearer, other letter case and spaces', undefined, ' bearer   live '],
  ])('%s authenticates the caller', async (_name, key, authorization) => {
    expect(await present(key, authorization)).toEqual({ name: 'owner' });
  });

  test.each([['Bearer a.session.token'], ['a.session.token'], [' bearer  a.session.token ']])(
    'the session token %s authenticates its user',
    async (authorization) => {
      expect(await present(undefined, authorization)).toEqual({ name: 'user' });
    },
  );

  test('a ticket authenticates a download without other credentials, and counts beside none', async () => {
    expect(await present(undefined, undefined, 'ticket')).toEqual({ name: 'ticket of /file' });
    expect(await present('live', undefined, 'ticket')).toEqual({ name: 'owner' });
    expect(await present(undefined, 'a.session.token', 'ticket')).toEqual({ name: 'user' });
    await expect(present('dead', undefined, 'ticket')).rejects.toThrow('Invalid or expired API key');
  });

  test.each([
    ['an unknown key with a valid session', 'dead', 'a.session.token', 'Invalid or expired API key'],
    ['a session token as key', 'a.session.token', undefined, 'Invalid or expired API key'],
    ['another session token', undefined, 'another.session.token', 'Invalid or expired token'],
    ['a session token under another scheme', undefined, 'Basic a.session.token', 'Invalid or expired token'],
    ['an unknown key', 'dead', undefined, 'Invalid or expired API key'],
    ['an unknown key with a valid Authorization', 'dead', 'Bearer live', 'Invalid or expired API key'],
    ['an unknown bearer', undefined, 'Bearer dead', 'Invalid or expired token'],
    ['a live key without a scheme', undefined, 'live', 'Invalid or expired token'],
    ['another scheme', undefined, 'Basic live', 'Invalid or expired token'],
    ['an empty bearer', undefined, 'Bearer ', 'Invalid or expired token'],
    ['nothing', undefined, undefined, 'Authorization header required'],
  ])('%s is refused', async (_name, key, authorization, message) => {
    await expect(present(key, authorization)).rejects.toThrow(message);
  });
});

test('routes for keys alone refuse an unknown key with the text of contract 5.2', async () => {
  const byKey = keyAuthenticator((key) => Promise.resolve(key === 'live' ? { name: 'owner' } : null));
  expect(await byKey('live', 'request')).toEqual({ name: 'owner' });
  await expect(byKey('dead', 'request')).rejects.toThrow(/^Invalid API key$/);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { apiKeys } from '../../src/db/tables/api-keys.ts';
import { sessions } from '../../src/db/tables/sessions.ts';
import { users } from '../../src/db/tables/users.ts';
import { createSessionTokens } from '../../src/providers/secrets/session-tokens.ts';
import { hashKey } from '../../src/services/identity/api-keys/hash.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, databases, testKeyRing, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

type Presented = Record<string, string>;

describe.each(databases)('credentials on %s (contract 5.6)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let live: string;
  let archived: string;
  let session: string;
  let ended: string;
  let over: string;
  let ofNobody: string;
  let forged: string;
  let unsigned: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    live = (await createTenant(database.db)).key;
    const gone = await createTenant(database.db);
    archived = gone.key;
    await database.db
      .getRepository(apiKeys)
      .update({ organizationId: gone.organizationId }, { archivedAt: new Date() });
    const signUp = async (email: string) =>
      String(
        at((await api.ask(null, 'POST', '/auth/signup', { email, password: 'long enough' })).body, 'token'),
      );
    session = await signUp('one@example.com');
    ended = await signUp('two@example.com');
    await api.send({ authorization: ended }, 'POST', '/auth/logout');
    const tokens = createSessionTokens(testKeyRing);
    const [from, until] = [new Date(Date.now() - 7_200_000), new Date(Date.now() + 3_600_000)];
    over = await tokens.issue({ id: 'a', userId: 1, from, until: new Date(Date.now() - 3_600_000) });
    ofNobody = await tokens.issue({ id: 'b', userId: 999_999, from, until });
    forged = await createSessionTokens(`test:${Buffer.alloc(32, 8).toString('base64')}`).issue({
      id: 'c',
      userId: 1,
      from,
      until,
    });
    unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${session.split('.')[1]}.x`;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const list = (headers: Presented) => api.send(headers, 'GET', '/workflow/fetch');
  const refusals: [string, () => Presented, string][] = [
    ['X-API-Key unknown', () => ({ 'x-api-key': 'prl_unknown' }), 'Invalid or expired API key'],
    [
      'X-API-Key unknown with a valid session',
      () => ({ 'x-api-key': 'prl_unknown', authorization: `Bearer ${session}` }),
      'Invalid or expired API key',
    ],
    ['X-API-Key archived', () => ({ 'x-api-key': archived }), 'Invalid or expired API key'],
    [
      'X-API-Key archived with a valid key',
      () => ({ 'x-api-key': archived, authorization: `Bearer ${live}` }),
      'Invalid or expired API key',
    ],
    ['X-API-Key one letter too long', () => ({ 'x-api-key': `${live}x` }), 'Invalid or expired API key'],
    ['X-API-Key in capitals', () => ({ 'x-api-key': live.toUpperCase() }), 'Invalid or expired API key'],
    ['X-API-Key a session token', () => ({ 'x-api-key': session }), 'Invalid or expired API key'],
    [
      'Authorization: Bearer <archived key>',
      () => ({ authorization: `Bearer ${archived}` }),
      'Invalid or expired token',
    ],
    ['Authorization: <key>, no scheme', () => ({ authorization: live }), 'Invalid or expired token'],
    ['Authorization: Basic <key>', () => ({ authorization: `Basic ${live}` }), 'Invalid or expired token'],
    ['neither', () => ({}), 'Authorization header required'],
    ['both empty', () => ({ 'x-api-key': '', authorization: '' }), 'Authorization header required'],
    ['broken token', () => ({ authorization: 'Bearer a.b.c' }), 'Invalid or expired token'],
    [
      'token with another signature',
      () => ({ authorization: `Bearer ${session.slice(0, -4)}AAAA` }),
      'Invalid or expired token',
    ],
    [
      'token of another installation',
      () => ({ authorization: `Bearer ${forged}` }),
      'Invalid or expired token',
    ],
    [
      'token without a signature',
      () => ({ authorization: `Bearer ${unsigned}` }),
      'Invalid or expired token',
    ],
    ['token that is over', () => ({ authorization: `Bearer ${over}` }), 'Invalid or expired token'],
    ['token of an ended session', () => ({ authorization: `Bearer ${ended}` }), 'Invalid or expired token'],
    ['token of an unknown user', () => ({ authorization: `Bearer ${ofNobody}` }), 'User not found'],
  ];

  test.each<[string, () => Presented]>([
    ['X-API-Key valid', () => ({ 'x-api-key': live })],
    [
      'X-API-Key valid with an invalid Authorization',
      () => ({ 'x-api-key': live, authorization: 'Bearer nonsense' }),
    ],
    ['X-API-Key empty, a good key as bearer', () => ({ 'x-api-key': '', authorization: `Bearer ${live}` })],
    ['Authorization: Bearer <api key>', () => ({ authorization: `Bearer ${live}` })],
    ['Authorization: Bearer <session token>', () => ({ authorization: `Bearer ${session}` })],
    ['Authorization: <session token>', () => ({ authorization: session })],
    ['X-API-Key empty, a session token', () => ({ 'x-api-key': '', authorization: session })],
  ])('%s: accepted', async (_row, presented) => {
    expect(await list(presented())).toMatchObject({ status: 200, body: [] });
  });

  test.each(refusals)('%s: 401 without WWW-Authenticate', async (_row, presented, detail) => {
    const answer = await list(presented());
    expect(answer).toMatchObject({ status: 401, body: { detail, code: 'unauthenticated' } });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  test('a key acts as its creator in its organization, a session as its user; the key wins', async () => {
    const me = async (headers: Presented) => (await api.send(headers, 'GET', '/auth/me')).body;
    expect(at(await me({ 'x-api-key': live, authorization: session }), 'email')).not.toBe('one@example.com');
    expect(at(await me({ authorization: session }), 'email')).toBe('one@example.com');
  });

  test('a key and a session end with their user', async () => {
    await expect(database.db.getRepository(users).delete({ email: 'one@example.com' })).rejects.toThrow(
      /foreign key/i,
    );
    expect(await database.db.getRepository(sessions).countBy({})).toBe(2);
  });

  test('a token is never valid longer than its stored session', async () => {
    const key = new Uint8Array(32);
    expect(
      await list({
        authorization: await new SignJWT()
          .setProtectedHeader({ alg: 'HS256' })
          .setSubject('1')
          .setExpirationTime('1h')
          .sign(key),
      }),
    ).toMatchObject({ status: 401 });
    const unknown = await createSessionTokens(testKeyRing).issue({
      id: 'd',
      userId: 1,
      from: new Date(),
      until: new Date(Date.now() + 3_600_000),
    });
    expect(await list({ authorization: unknown })).toMatchObject({
      status: 401,
      body: { detail: 'Invalid or expired token' },
    });
  });

  test('malformed JSON is reported before the check of credentials, field faults after it', async () => {
    expect(await api.ask(null, 'POST', '/workflow/create/definition', '{')).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid' }] },
    });
    expect(await api.ask(null, 'POST', '/workflow/create/definition', { name: 1 })).toMatchObject({
      status: 401,
    });
    expect(await api.ask(live, 'POST', '/workflow/create/definition', { name: 1 })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'string_type' }, { type: 'missing' }] },
    });
  });

  test('using a key records the time', async () => {
    await list({ 'x-api-key': live });
    const used = await until(
      'the note of the use',
      async () =>
        (await database.db.getRepository(apiKeys).findOneBy({ keyHash: hashKey(live) }))?.lastUsedAt ??
        undefined,
    );
    expect(Math.abs(used.getTime() - Date.now())).toBeLessThan(60_000);
  });
});

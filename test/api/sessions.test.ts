import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSignIn } from '../../src/api/compose.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { sessions } from '../../src/db/tables/sessions.ts';
import { createArgon2 } from '../../src/providers/passwords/argon2.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { hashKey } from '../../src/services/identity/api-keys/hash.ts';
import { resetPassword } from '../../src/services/identity/users/reset-password.ts';
import {
  at,
  createTenant,
  idAt,
  startApi,
  testAccounts,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import {
  createTestClock,
  createTestDatabase,
  databases,
  testKeyRing,
  testSecrets,
  type TestClock,
  type TestDatabase,
} from '../support/database.ts';
import { codeOf, turnOnCodes } from '../support/one-time-codes.ts';
import { runNode } from '../support/process.ts';
import { until } from '../support/until.ts';

const password = 'correct horse';
const next = 'battery staple';
const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';

describe.each(databases)('the sessions and the password of a user on %s (contract 13.2)', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let api: ApiUnderTest;
  let other: ApiUnderTest;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock();
    api = await startApi(database.db, { clock });
    other = await startApi(database.db, { clock });
  });
  beforeEach(async () => void (await database.db.query('DELETE FROM attempts')));
  afterAll(async () => {
    await Promise.all([api.close(), other.close()]);
    await database.drop();
  });

  let people = 0;
  const newEmail = () => `person-${(people += 1)}@example.com`;
  const enter = async (how: 'signup' | 'login', email: string, given = password, agent = firefox) =>
    await api.send({ 'user-agent': agent }, 'POST', `/auth/${how}`, { email, password: given });
  const signUp = async (email: string) => String(at((await enter('signup', email)).body, 'token'));
  const logIn = async (email: string, given = password, agent = firefox) =>
    String(at((await enter('login', email, given, agent)).body, 'token'));
  const as = (token: string, method: string, path: string, body?: unknown) =>
    api.send({ authorization: `Bearer ${token}` }, method, path, body);
  const getOn = (on: ApiUnderTest, token: string, path = '/auth/me') =>
    on.send({ authorization: `Bearer ${token}` }, 'GET', path);
  /** Whether another process accepts the token, a second later. */
  const isLive = async (token: string) => {
    clock.advance(1000);
    return (await getOn(other, token)).status === 200;
  };
  const rowOf = async (token: string) =>
    await database.db.getRepository(sessions).findOneByOrFail({ tokenHash: hashKey(token) });
  const change = (token: string, current: string, fresh = next) =>
    as(token, 'POST', '/auth/password', { current_password: current, new_password: fresh });
  const audited = async (organizationId: number) =>
    (await database.db.getRepository(auditEvents).findBy({ organizationId }))
      .filter(({ action }) => /^(user\.(password|sessions|second|recovery)|session\.ended)/.test(action))
      .map(({ action, actorKind, changes }) => ({ action, actorKind, changes }));

  // guarantee: password-change-ends-other-sessions
  test('a changed password ends all other sessions of the user on all processes, and is audited', async () => {
    const [email, neighbor] = [newEmail(), await signUp(newEmail())];
    const mine = await signUp(email);
    const others = [await logIn(email), await logIn(email)];
    expect(await change(mine, password)).toMatchObject({ status: 200, body: { success: true, ended: 2 } });
    expect(await Promise.all([mine, neighbor, ...others].map(isLive))).toEqual([true, true, false, false]);
    expect((await enter('login', email)).status).toBe(401);
    expect((await enter('login', email, next)).status).toBe(200);
    expect(await audited((await rowOf(mine)).organizationId)).toEqual([
      { action: 'user.password_changed', actorKind: 'user', changes: { endedSessions: 2 } },
    ]);
  });

  // guarantee: password-change-counts-attempts
  test('a wrong current password changes nothing and counts like one at sign-in', async () => {
    const email = newEmail();
    const mine = await signUp(email);
    const second = await logIn(email);
    for (let tries = 0; tries < 10; tries += 1)
      expect(await change(mine, `guess ${tries}`)).toMatchObject({
        status: 400,
        body: { detail: 'The current password is wrong' },
      });
    for (const refused of [await change(mine, password), await enter('login', email)]) {
      expect(refused).toMatchObject({
        status: 429,
        body: {
          detail: expect.stringMatching(/^At most 10 password attempts at one account from one network/),
        },
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    await database.db.query('DELETE FROM attempts');
    expect(await isLive(second)).toBe(true);
    expect((await enter('login', email)).status).toBe(200);
    expect((await change(mine, password)).status).toBe(200);
    expect(await database.db.query("SELECT points FROM attempts WHERE `key` LIKE 'login_pair%'")).toEqual([]);
  });

  // guarantee: former-password-starts-no-session
  test('of two simultaneous changes one succeeds; a sign-in that began with the former password gets no session', async () => {
    const email = newEmail();
    const mine = await signUp(email);
    const answers = await Promise.all([
      change(mine, password, 'first of two'),
      change(mine, password, 'second of two'),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 400]);

    const current = answers[0].status === 200 ? 'first of two' : 'second of two';
    const signIn = createSignIn({
      db: database.db,
      secrets: testSecrets,
      keyRing: testKeyRing,
      accounts: testAccounts,
    });
    const passwords = {
      ...signIn.passwords,
      matches: async (given: string, hash: string | null) => {
        const isMatch = await signIn.passwords.matches(given, hash);
        expect((await change(mine, current)).status).toBe(200);
        return isMatch;
      },
    };
    const slow = await startApi(database.db, { clock, signIn: { ...signIn, passwords } });
    try {
      expect((await slow.ask(null, 'POST', '/auth/login', { email, password: current })).status).toBe(401);
    } finally {
      await slow.close();
    }
  });

  test('lists the live sessions of the caller alone, without tokens, and says which is the current one', async () => {
    const email = newEmail();
    await signUp(newEmail());
    const first = await signUp(email);
    const second = await logIn(email, password, 'curl/8.5.0');
    const ended = await logIn(email);
    await as(ended, 'POST', '/auth/logout');
    const [older, newer] = [await rowOf(first), await rowOf(second)];
    const listed = await as(second, 'GET', '/auth/sessions');
    const now = clock.now().toISOString().replace('Z', '000Z');
    const common = { created_at: now, last_used_at: now, expires_at: expect.any(String) };
    expect(listed).toMatchObject({ status: 200 });
    expect(listed.body).toEqual([
      { ...common, id: newer.id, user_agent: 'curl', current: true },
      { ...common, id: older.id, user_agent: 'Firefox on macOS', current: false },
    ]);
  });

  test('ends one session, or all others, of the caller', async () => {
    const email = newEmail();
    const [mine, second, third, fourth] = [
      await signUp(email),
      await logIn(email),
      await logIn(email),
      await logIn(email),
    ];
    const { id, organizationId } = await rowOf(second);
    expect((await as(mine, 'DELETE', `/auth/sessions/${id}`)).body).toEqual({ success: true });
    expect(await Promise.all([mine, second, third].map(isLive))).toEqual([true, false, true]);
    expect((await as(mine, 'DELETE', `/auth/sessions/${id}`)).status).toBe(404);
    expect((await as(mine, 'DELETE', '/auth/sessions')).body).toEqual({ success: true, ended: 2 });
    expect(await Promise.all([mine, third, fourth].map(isLive))).toEqual([true, false, false]);
    expect((await as(mine, 'DELETE', '/auth/sessions')).body).toEqual({ success: true, ended: 0 });
    expect(await audited(organizationId)).toEqual([
      { action: 'session.ended', actorKind: 'user', changes: {} },
      { action: 'user.sessions_ended', actorKind: 'user', changes: { endedSessions: 2 } },
      { action: 'user.sessions_ended', actorKind: 'user', changes: { endedSessions: 0 } },
    ]);
  });

  test('ends only sessions of the caller, and needs a session for it', async () => {
    const [mine, theirs] = [await signUp(newEmail()), await signUp(newEmail())];
    const { key } = await createTenant(database.db);
    const { id } = await rowOf(theirs);
    const byKey = { 'x-api-key': key };
    const byToken = { authorization: mine };
    const passwords = { current_password: password, new_password: next };
    const refusals: [Record<string, string>, string, string, unknown, number, string][] = [
      [byToken, 'DELETE', `/auth/sessions/${id}`, undefined, 404, 'Session not found'],
      [byToken, 'DELETE', '/auth/sessions/999999999', undefined, 404, 'Session not found'],
      [byKey, 'DELETE', `/auth/sessions/${id}`, undefined, 400, 'An API key has no session'],
      [byKey, 'DELETE', '/auth/sessions', undefined, 400, 'An API key has no session'],
      [byKey, 'GET', '/auth/second-factor', undefined, 400, 'An API key has no session'],
      [byKey, 'POST', '/auth/second-factor', { password }, 400, 'An API key has no session'],
      [byKey, 'POST', '/auth/second-factor/confirm', { code: '1' }, 400, 'An API key has no session'],
      [byKey, 'POST', '/auth/second-factor/off', { password, code: '1' }, 400, 'An API key has no session'],
      [byKey, 'GET', '/auth/sessions', undefined, 400, 'An API key has no session'],
      [byKey, 'POST', '/auth/password', passwords, 400, 'An API key has no session'],
      [{}, 'POST', '/auth/password', passwords, 401, 'Authorization header required'],
      [{}, 'GET', '/auth/sessions', undefined, 401, 'Authorization header required'],
    ];
    for (const [headers, method, path, body, status, detail] of refusals)
      expect([method, path, await api.send(headers, method, path, body)]).toMatchObject([
        method,
        path,
        { status, body: { detail: expect.stringContaining(detail) } },
      ]);
    const short = await as(mine, 'POST', '/auth/password', {
      current_password: password,
      new_password: 'short',
    });
    expect(short).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'new_password'] }] } });
    expect(await isLive(theirs)).toBe(true);
    expect(await isLive(mine)).toBe(true);
  });

  // guarantee: idle-session-expires
  test('a session expires when it is not used for the time that the operator set; a use keeps it, stored at most every five minutes', async () => {
    const accounts = { ...testAccounts, sessionIdleMs: 3_600_000 };
    const signIn = createSignIn({ db: database.db, secrets: testSecrets, keyRing: testKeyRing, accounts });
    const strict = await startApi(database.db, { clock, signIn });
    const me = async (token: string) => (await getOn(strict, token)).status;
    const lastUse = async (token: string) => (await rowOf(token)).lastUsedAt.toISOString();
    try {
      const email = newEmail();
      const [used, idle] = [await signUp(email), await logIn(email)];
      const begun = await lastUse(used);
      clock.advance(299_000);
      expect(await me(used)).toBe(200);
      expect(await lastUse(used)).toBe(begun);
      clock.advance(3_299_000);
      expect(await me(used)).toBe(200);
      await until('the use is stored', async () => (await lastUse(used)) === clock.now().toISOString());
      clock.advance(2000);
      expect(await me(idle)).toBe(401);
      const listed = await getOn(strict, used, '/auth/sessions');
      expect([idAt(listed.body, 0, 'id'), at(listed.body, 1)]).toEqual([
        String((await rowOf(used)).id),
        undefined,
      ]);
      clock.advance(3_600_000);
      expect(await me(used)).toBe(401);
      expect(await isLive(idle)).toBe(true);
    } finally {
      await strict.close();
    }
  });

  describe('with one-time codes', () => {
    const path = '/auth/second-factor';
    const turnOn = (token: string) =>
      turnOnCodes(api, {
        headers: { authorization: `Bearer ${token}` },
        password,
        now: () => clock.now(),
      });
    const logInWith = (email: string, code?: string, given = password, on = api) =>
      on.ask(null, 'POST', '/auth/login', {
        email,
        password: given,
        ...(code === undefined ? {} : { code }),
      });
    const statuses = (answers: readonly { status: number }[]) =>
      answers.map(({ status }) => String(status)).toSorted();
    const needed = { status: 401, body: { code: 'code_needed' } };
    const refused = {
      status: 401,
      body: { detail: 'The code is wrong, or was used already', code: 'unauthenticated' },
    };
    const wrong = {
      status: 401,
      body: { detail: 'Invalid email or password', code: 'unauthenticated' },
    };

    // guarantee: second-factor-is-demanded
    // guarantee: second-factor-ends-other-sessions
    test('a confirmed app makes every sign-in by password need a code, which only the right password reveals', async () => {
      const email = newEmail();
      const [mine, other] = [await signUp(email), await logIn(email)];
      const { organizationId } = await rowOf(mine);
      const begin = (given: string) => as(mine, 'POST', path, { password: given });
      const confirm = (code: string) => as(mine, 'POST', `${path}/confirm`, { code });
      expect((await confirm('000000')).status).toBe(409); // nothing has begun
      expect((await begin('not this one')).status).toBe(400);
      const abandoned = idAt((await begin(password)).body, 'secret');
      expect((await logInWith(email)).status).toBe(200); // nothing is demanded before it is confirmed
      await begin(password);
      expect((await confirm(codeOf(abandoned, clock.now()))).status).toBe(400);
      expect((await as(mine, 'GET', path)).body).toEqual({ on_since: null, recovery_codes_left: 0 });

      const { secret, code, recoveryCodes, ended } = await turnOn(mine);
      expect(ended).toBe(2);
      expect(await Promise.all([mine, other].map(isLive))).toEqual([true, false]);
      expect((await as(mine, 'GET', path)).body).toEqual({
        on_since: expect.stringMatching(/Z$/),
        recovery_codes_left: 10,
      });
      expect((await begin(password)).status).toBe(409);
      expect((await confirm(code(1))).status).toBe(409);

      expect(await logInWith(email)).toMatchObject(needed);
      expect(await enter('signup', email)).toMatchObject(needed);
      expect(await logInWith(email, '000000')).toMatchObject(refused);
      expect(await logInWith(email, code(1), 'not this one')).toMatchObject(wrong);
      expect(await logInWith(newEmail(), code(1))).toMatchObject(wrong);
      expect((await logInWith(email, code(1))).status).toBe(200);

      const stored = JSON.stringify([
        await database.db.query('SELECT * FROM second_factors'),
        await database.db.query('SELECT * FROM audit_events'),
      ]);
      for (const shown of [
        secret,
        ...recoveryCodes,
        ...recoveryCodes.map((each) => each.replaceAll('-', '')),
      ])
        expect(stored).not.toContain(shown);
      expect(await audited(organizationId)).toEqual([
        ...Array.from({ length: 3 }, () => ({
          action: 'user.second_factor_begun',
          actorKind: 'user',
          changes: {},
        })),
        { action: 'user.second_factor_turned_on', actorKind: 'user', changes: { endedSessions: 2 } },
      ]);
    });

    // guarantee: one-time-code-works-once
    test('a code works once, also of simultaneous requests, and no older one works after it', async () => {
      const email = newEmail();
      const { code } = await turnOn(await signUp(email));
      expect(await logInWith(email, code())).toMatchObject(refused); // it has turned codes on
      clock.advance(90_000);
      const same = await Promise.all([logInWith(email, code()), logInWith(email, code())]);
      expect(statuses(same)).toEqual(['200', '401']);
      expect(await logInWith(email, code(-1))).toMatchObject(refused);
      expect((await logInWith(email, code(1))).status).toBe(200);
      expect(await logInWith(email, code())).toMatchObject(refused);
      clock.advance(120_000);
      expect((await logInWith(email, code(-1))).status).toBe(200);
      expect(await logInWith(email, code(2))).toMatchObject(refused);
    });

    // guarantee: recovery-code-works-once
    test('each recovery code works once in place of a code, and is audited', async () => {
      const email = newEmail();
      const mine = await signUp(email);
      const { recoveryCodes } = await turnOn(mine);
      const [first = '', second = ''] = recoveryCodes;
      const answers = await Promise.all([logInWith(email, first), logInWith(email, first)]);
      expect(statuses(answers)).toEqual(['200', '401']);
      expect((await logInWith(email, second.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
      expect(await logInWith(email, second)).toMatchObject(refused);
      expect((await as(mine, 'GET', path)).body).toMatchObject({ recovery_codes_left: 8 });
      expect((await audited((await rowOf(mine)).organizationId)).slice(2)).toEqual(
        [9, 8].map((left) => ({ action: 'user.recovery_code_used', actorKind: 'user', changes: { left } })),
      );
    });

    // guarantee: ten-wrong-codes-block-account
    test('after ten wrong codes no code is accepted for a while, on any process, whatever right passwords are sent', async () => {
      const [email, neighbor] = [newEmail(), newEmail()];
      const { code, recoveryCodes } = await turnOn(await signUp(email));
      const { code: theirs } = await turnOn(await signUp(neighbor));
      clock.advance(60_000);
      const guesses: Awaited<ReturnType<typeof logInWith>>[] = [];
      for (let tries = 0; tries < 10; tries += 1) {
        guesses.push(await logInWith(email, `guess ${tries}`, password, tries % 2 === 0 ? api : other));
        expect(await logInWith(email)).toMatchObject(needed);
      }
      expect(statuses(guesses)).toEqual(Array<string>(10).fill('401'));
      for (const right of [code(), recoveryCodes[0]])
        expect(await logInWith(email, right, password, other)).toMatchObject({
          status: 429,
          body: {
            detail: expect.stringMatching(/^At most 10 wrong codes for one account within 15 minutes/),
          },
        });
      expect((await logInWith(neighbor, theirs())).status).toBe(200);
      await database.db.query('DELETE FROM attempts');
      for (let tries = 0; tries < 9; tries += 1) await logInWith(email, 'wrong');
      expect((await logInWith(email, code())).status).toBe(200);
      expect(await logInWith(email, 'wrong')).toMatchObject(refused); // the right one has reset the count
    });

    // guarantee: second-factor-off-needs-code
    test('codes are turned off with the password and a code; then neither codes nor recovery codes are left', async () => {
      const email = newEmail();
      const mine = await signUp(email);
      const { code, recoveryCodes } = await turnOn(mine);
      const off = (given: string, sent: string) =>
        as(mine, 'POST', `${path}/off`, { password: given, code: sent });
      clock.advance(60_000);
      expect((await off('not this one', code())).status).toBe(400);
      expect(await off(password, '000000')).toMatchObject({
        status: 400,
        body: { detail: 'The code is wrong, or was used already' },
      });
      expect(await logInWith(email)).toMatchObject(needed);
      expect((await off(password, code())).body).toEqual({ on_since: null, recovery_codes_left: 0 });
      expect((await off(password, recoveryCodes[0] ?? '')).status).toBe(409);
      expect((await logInWith(email)).status).toBe(200);
      expect((await turnOn(mine)).recoveryCodes).not.toEqual(recoveryCodes);
      expect(await logInWith(email, recoveryCodes[0])).toMatchObject(refused);
    });

    test('a changed or reset password leaves codes on; only the operator turns them off without one', async () => {
      const email = newEmail();
      const mine = await signUp(email);
      const { organizationId } = await rowOf(mine);
      await turnOn(mine);
      expect((await change(mine, password)).status).toBe(200);
      expect(await logInWith(email, undefined, next)).toMatchObject(needed);
      const deps = { db: database.db, clock, ids: randomIds, passwords: createArgon2() };
      expect(await resetPassword({ deps, input: { email, password } })).not.toHaveProperty('codesTurnedOff');
      expect(await logInWith(email)).toMatchObject(needed);
      const reset = async () =>
        (await resetPassword({ deps, input: { email, password, turnsOffCodes: true } })).codesTurnedOff;
      expect([await reset(), await reset()]).toEqual([true, false]);
      expect((await logInWith(email)).status).toBe(200);
      expect((await audited(organizationId)).slice(-2).map(({ changes }) => changes)).toEqual([
        { endedSessions: 0, codesTurnedOff: true },
        { endedSessions: 0, codesTurnedOff: false },
      ]);
    });
  });

  // guarantee: password-reset-ends-all-sessions
  test('the operator resets a password: all sessions end, and the audit says so without the password', async () => {
    const email = newEmail();
    const [mine, neighbor] = [await signUp(email), await signUp(newEmail())];
    const { organizationId } = await rowOf(mine);
    const deps = { db: database.db, clock, ids: randomIds, passwords: createArgon2() };
    expect(
      await resetPassword({ deps, input: { email: email.toUpperCase(), password: next } }),
    ).toMatchObject({ organizationIds: [organizationId], endedSessions: 1 });
    expect([await isLive(mine), await isLive(neighbor)]).toEqual([false, true]);
    expect((await enter('login', email)).status).toBe(401);
    expect((await enter('login', email, next)).status).toBe(200);
    expect(await audited(organizationId)).toEqual([
      { action: 'user.password_reset', actorKind: 'system', changes: { endedSessions: 1 } },
    ]);
    await expect(
      resetPassword({ deps, input: { email: 'nobody@example.com', password: next } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('npm run password:reset prints a new password, or takes one from standard input and prints none', async () => {
    const email = newEmail();
    await signUp(email);
    const reset = async (args: string[], input?: string) => {
      const running = runNode('src/services/identity/users/reset-password-main.ts', {
        args,
        env: { DATABASE_URL: database.url },
        ...(input === undefined ? {} : { input }),
      });
      const { code } = await running.ended;
      return { code, output: running.output() };
    };
    const made = await reset([email]);
    const printed = /"password": "([\w-]{20})"/.exec(made.output)?.[1] ?? '';
    expect((await enter('login', email, printed)).status).toBe(200);
    const given = await reset([email, '--stdin', '--turn-off-codes'], `${next}\n`);
    expect(given).toMatchObject({ code: 0, output: expect.not.stringContaining(next) });
    expect(given.output).toContain('"codesTurnedOff": false');
    expect((await enter('login', email, next)).status).toBe(200);
    expect(
      await Promise.all([
        reset([]),
        reset([email, next]),
        reset([email, '--stdin'], 'short\n'),
        reset(['nobody@example.com', '--turn-off-codes']),
      ]),
    ).toMatchObject([
      { code: 2, output: expect.stringContaining('Usage:') },
      { code: 2, output: expect.stringContaining('Usage:') },
      { code: 2, output: expect.stringContaining('at least 8 characters') },
      { code: 1, output: expect.stringContaining('No user has this email') },
    ]);
    expect((await enter('login', email, next)).status).toBe(200);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSignIn } from '../../src/api/compose.ts';
import { createDataSource } from '../../src/db/data-source.ts';
import { scopes } from '../../src/contract/data/scopes.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { sessions } from '../../src/db/tables/sessions.ts';
import { memberships } from '../../src/db/tables/memberships.ts';
import { users } from '../../src/db/tables/users.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { createSignInToken } from '../../src/services/identity/index.ts';
import { at, createTenant, startApi, testAccounts, type ApiUnderTest } from '../support/api-on-services.ts';
import { hashKey } from '../../src/services/identity/api-keys/hash.ts';
import {
  createTestClock,
  createTestDatabase,
  databases,
  testKeyRing,
  testSecrets,
  type TestClock,
  type TestDatabase,
} from '../support/database.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const password = 'correct horse';

describe.each(databases)('users and sessions on %s (contract 13.2)', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let api: ApiUnderTest;
  let other: ApiUnderTest;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock();
    api = await startApi(database.db, { clock, trustedProxies: ['loopback'] });
    other = await startApi(database.db, { clock, trustedProxies: ['loopback'] });
  });
  beforeEach(async () => void (await database.db.query('DELETE FROM attempts')));
  afterAll(async () => {
    await Promise.all([api.close(), other.close()]);
    await database.drop();
  });

  const signUp = (email: string, more: Record<string, unknown> = {}) =>
    api.ask(null, 'POST', '/auth/signup', { email, password, ...more });
  const logIn = (email: string, given = password, on = api, from = '203.0.113.9') =>
    on.send({ 'x-forwarded-for': from }, 'POST', '/auth/login', { email, password: given });
  const as = (token: unknown, method: string, path: string, body?: unknown) =>
    api.send({ authorization: `Bearer ${String(token)}` }, method, path, body);
  const signedUp = async (email: string) => at((await signUp(email)).body, 'token');

  const organizationOf = async (userId: number) =>
    (await database.db.getRepository(memberships).findOneByOrFail({ userId })).organizationId;

  test('sign-up makes an organization, a key that is never shown, and a session', async () => {
    const answer = await signUp('Ada@Example.com', { name: 'Ada' });
    const token = at(answer.body, 'token');
    const row = await database.db.getRepository(users).findOneByOrFail({ email: 'ada@example.com' });
    const organizationId = await organizationOf(row.id);
    const user = {
      id: row.id,
      email: 'ada@example.com',
      name: 'Ada',
      organization_id: organizationId,
      provider_id: row.uuid,
      role: 'owner',
      scopes: [...scopes],
    };
    expect(answer).toMatchObject({ status: 200, body: { user } });
    expect(await as(token, 'GET', '/auth/me')).toMatchObject({ status: 200, body: user });
    expect((await as(token, 'GET', '/user/auth/user')).body).toEqual({ id: row.id, is_superuser: false });
    const keys = await as(token, 'GET', '/user/api-keys');
    expect(keys.body).toMatchObject([
      { name: 'Default API Key', is_active: true, last_used_at: null, created_by: row.id },
    ]);
    expect(JSON.stringify([answer.body, keys.body])).not.toMatch(/prl_[\w-]{10}/);
    const audited = await database.db.getRepository(auditEvents).findBy({ organizationId });
    expect(audited.map(({ action, actorKind }) => `${action} by ${actorKind}`).toSorted()).toEqual([
      'api_key.created by system',
      'organization.created by system',
      'session.started by user',
      'user.created by system',
      'webhook_secret.added by system',
    ]);
  });

  test('passwords and tokens are not stored', async () => {
    const token = String(await signedUp('kept@example.com'));
    const row = await database.db.getRepository(users).findOneByOrFail({ email: 'kept@example.com' });
    expect(row.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const kept = JSON.stringify([
      await database.db.query('SELECT * FROM users'),
      await database.db.query('SELECT * FROM sessions'),
      await database.db.query('SELECT * FROM audit_events'),
    ]);
    expect(kept).not.toContain(password);
    expect(kept).not.toContain(token);
  });

  test('a sign-up with the email, in any letter case, and the password of a user signs in and creates nothing', async () => {
    const first = await signUp('once@example.com');
    const before = await database.db.getRepository(organizations).count();
    const again = await signUp('ONCE@example.com', { name: 'Another name' });
    expect(again).toMatchObject({ status: 200, body: { user: at(first.body, 'user') } });
    expect(at(again.body, 'token')).not.toBe(at(first.body, 'token'));
    expect((await as(at(again.body, 'token'), 'GET', '/auth/me')).status).toBe(200);
    expect(await database.db.getRepository(organizations).count()).toBe(before);
  });

  test('every refused email gets the same answer and takes the same work', async () => {
    const work: string[] = [];
    const signIn = createSignIn({
      db: database.db,
      secrets: testSecrets,
      keyRing: testKeyRing,
      accounts: testAccounts,
    });
    const passwords = {
      hash: (given: string) => (work.push('hash'), signIn.passwords.hash(given)),
      matches: (given: string, hash: string | null) => (
        work.push('matches'),
        signIn.passwords.matches(given, hash)
      ),
    };
    const watched = await startApi(database.db, { clock, signIn: { ...signIn, passwords } });
    const tenant = await createTenant(database.db);
    await database.db
      .getRepository(users)
      .update({ id: tenant.userId }, { email: 'no-password@example.com' });
    await signUp('refused@example.com');
    const before = await database.db.getRepository(organizations).count();
    try {
      const worked: string[][] = [];
      for (const email of ['refused@example.com', 'REFUSED@example.com', 'no-password@example.com']) {
        const answer = await watched.ask(null, 'POST', '/auth/signup', {
          email,
          password: 'not the password',
        });
        worked.push(work.splice(0));
        expect(answer).toMatchObject({
          status: 403,
          body: {
            detail: 'This email and password cannot sign up. If you have an account, sign in',
            code: 'forbidden',
          },
        });
        expect(Object.keys(Object(answer.body))).toEqual(['detail', 'code', 'request_id']);
      }
      await watched.ask(null, 'POST', '/auth/signup', { email: 'fresh@example.com', password });
      expect([...worked, work].map((each) => each.join())).toEqual(Array<string>(4).fill('matches,hash'));
      expect(await database.db.getRepository(organizations).count()).toBe(before + 1);
    } finally {
      await watched.close();
    }
  });

  test('of simultaneous sign-ups with one email and password one creates the user and the others sign in', async () => {
    const before = await database.db.getRepository(organizations).count();
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp('race@example.com')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => at(body, 'user', 'id'))).size).toBe(1);
    expect(await database.db.getRepository(organizations).count()).toBe(before + 1);
  });

  test('refused sign-ups count: as sign-ups of their network and as attempts at the password', async () => {
    await signUp('probed@example.com');
    await database.db.query('DELETE FROM attempts');
    const probe = (from: string, on = api) =>
      on.send({ 'x-forwarded-for': from }, 'POST', '/auth/signup', {
        email: 'probed@example.com',
        password: 'not the password',
      });
    for (let tries = 0; tries < 10; tries += 1) expect((await probe('203.0.113.20')).status).toBe(403);
    const refused = await probe('203.0.113.20', other);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        detail: 'At most 10 sign-ups from one network within 60 minutes; try again in 60 minutes',
        code: 'limit',
      },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(await logIn('probed@example.com', password, api, '203.0.113.20')).toMatchObject({
      status: 429,
      body: {
        detail:
          'At most 10 password attempts at one account from one network within 15 minutes; try again in 15 minutes',
      },
    });
    expect((await probe('203.0.113.21')).status).toBe(403);
  });

  test('the operator sets the maximum of sign-ups of a network', async () => {
    const accounts = { ...testAccounts, maxSignupsPerHour: 1 };
    const signIn = createSignIn({ db: database.db, secrets: testSecrets, keyRing: testKeyRing, accounts });
    const strict = await startApi(database.db, { clock, signIn });
    try {
      const ask = (email: string) => strict.ask(null, 'POST', '/auth/signup', { email, password });
      expect((await ask('only@example.com')).status).toBe(200);
      expect(await ask('second@example.com')).toMatchObject({
        status: 429,
        body: { detail: expect.stringMatching(/^At most 1 sign-ups from one network within 60 minutes;/) },
      });
    } finally {
      await strict.close();
    }
  });

  test('sign-in accepts the right password and starts a new session', async () => {
    const first = await signedUp('in@example.com');
    const answer = await logIn('IN@example.com');
    expect(answer).toMatchObject({ status: 200, body: { user: { email: 'in@example.com' } } });
    expect(at(answer.body, 'token')).not.toBe(first);
    expect((await as(at(answer.body, 'token'), 'GET', '/auth/me')).status).toBe(200);
  });

  test('a wrong password, an unknown email and a user without a password get the same answer', async () => {
    await signUp('known@example.com');
    const tenant = await createTenant(database.db);
    await database.db.getRepository(users).update({ id: tenant.userId }, { email: 'keys-only@example.com' });
    for (const email of ['known@example.com', 'unknown@example.com', 'keys-only@example.com']) {
      const answer = await logIn(email, 'wrong password');
      expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } });
      expect(Object.keys(Object(answer.body))).toEqual(['detail', 'code', 'request_id']);
    }
  });

  // guarantee: sign-in-hides-registered-emails
  test('an unknown email takes the same work as a wrong password', async () => {
    const looked: (string | null)[] = [];
    const signIn = createSignIn({
      db: database.db,
      secrets: testSecrets,
      keyRing: testKeyRing,
      accounts: testAccounts,
    });
    const passwords = {
      ...signIn.passwords,
      matches: (given: string, hash: string | null) => (
        looked.push(hash),
        signIn.passwords.matches(given, hash)
      ),
    };
    const watched = await startApi(database.db, { clock, signIn: { ...signIn, passwords } });
    try {
      await signUp('worked@example.com');
      await logIn('worked@example.com', 'wrong', watched);
      await logIn('unworked@example.com', 'wrong', watched);
      expect(looked).toEqual([expect.stringMatching(/^\$argon2id/), null]);
    } finally {
      await watched.close();
    }
  });

  // guarantee: ten-wrong-passwords-block-network
  test('after ten wrong passwords a network cannot sign in to the account for a while, on any process, even with the right one', async () => {
    await signUp('guessed@example.com');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        logIn('guessed@example.com', `guess ${index}`, index % 2 === 0 ? api : other),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array<number>(10).fill(401),
      429,
      429,
    ]);
    const refused = await logIn('guessed@example.com', password, other);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        detail: expect.stringMatching(/^At most 10 password attempts at one account from one network/),
      },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    await signUp('other@example.com');
    expect((await logIn('other@example.com')).status).toBe(200);
  });

  // guarantee: password-limit-is-per-network
  test('guesses do not lock out the owner, who can sign in from another network', async () => {
    await signUp('owner@example.com');
    for (let tries = 0; tries < 12; tries += 1)
      await logIn('owner@example.com', 'wrong one', api, '203.0.113.66');
    expect((await logIn('owner@example.com', password, api, '198.51.100.1')).status).toBe(200);
    expect((await logIn('owner@example.com', password, api, '203.0.113.66')).status).toBe(429);
  });

  test('guesses from many networks lock the account for all networks', async () => {
    await signUp('many@example.com');
    await logIn('many@example.com', 'wrong one', api, '203.0.113.1');
    await database.db.query("UPDATE attempts SET points = 50 WHERE `key` LIKE 'login_account%'");
    expect(await logIn('many@example.com', password, other, '198.51.100.2')).toMatchObject({
      status: 429,
      body: {
        detail: expect.stringMatching(/^At most 50 password attempts at one account within 15 minutes/),
      },
    });
  });

  test('an unknown account is limited like a known one', async () => {
    for (let tries = 0; tries < 10; tries += 1) await logIn('nobody@example.com', 'x');
    expect((await logIn('nobody@example.com', 'x')).status).toBe(429);
    expect((await logIn('nobody@example.com', 'x', api, '198.51.100.3')).status).toBe(401);
  });

  test('right passwords are not counted, and reset the count of the account', async () => {
    await signUp('often@example.com');
    for (let tries = 0; tries < 9; tries += 1) await logIn('often@example.com', 'wrong one');
    for (let tries = 0; tries < 3; tries += 1) expect((await logIn('often@example.com')).status).toBe(200);
    expect((await logIn('often@example.com', 'wrong one')).status).toBe(401);
    expect(
      await database.db.query("SELECT points FROM attempts WHERE `key` LIKE 'login_network%' AND points > 0"),
    ).toEqual([{ points: 10 }]);
  });

  test('a network with attempts on too many accounts is refused, others are not', async () => {
    await signUp('far@example.com');
    await database.db.query('DELETE FROM attempts');
    await logIn('a0@example.com', 'x', api, '2001:db8:1:2::5');
    await database.db.query("UPDATE attempts SET points = 100 WHERE `key` LIKE 'login_network%'");
    expect(await logIn('far@example.com', password, api, '2001:db8:1:2:ffff::1')).toMatchObject({
      status: 429,
      body: { detail: expect.stringMatching(/^At most 100 password attempts from one network within 15/) },
    });
    expect((await logIn('far@example.com', password, api, '2001:db8:1:3::1')).status).toBe(200);
  });

  test('X-Forwarded-For is only trusted from trusted proxies', async () => {
    const direct = await startApi(database.db, { clock });
    try {
      for (let tries = 0; tries < 10; tries += 1)
        expect(
          (
            await direct.send({ 'x-forwarded-for': `198.51.100.${tries}` }, 'POST', '/auth/signup', {
              email: `direct${tries}@example.com`,
              password,
            })
          ).status,
        ).toBe(200);
      expect(
        (
          await direct.send({ 'x-forwarded-for': '198.51.100.77' }, 'POST', '/auth/signup', {
            email: 'direct11@example.com',
            password,
          })
        ).status,
      ).toBe(429);
    } finally {
      await direct.close();
    }
  });

  const linkOf = async (email: string) => {
    const user = await database.db.getRepository(users).findOneByOrFail({ email });
    const organizationId = await organizationOf(user.id);
    return await createSignInToken({
      db: database.db,
      clock,
      ids: randomIds,
      user: { id: user.id, organizationId },
    });
  };
  const follow = (token: string, on = api, from = '203.0.113.9') =>
    on.send({ 'x-forwarded-for': from }, 'POST', '/auth/sign-in-link', { token });
  const refusedLink = { status: 401, body: { detail: 'The sign-in link is wrong, expired or used' } };

  // guarantee: sign-in-link-works-once
  test('of simultaneous requests with one sign-in link one succeeds, and none later', async () => {
    await signUp('linked@example.com');
    const token = await linkOf('linked@example.com');
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => follow(token, index % 2 === 0 ? api : other)),
    );
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      200, 401, 401, 401,
    ]);
    const signedIn = answers.find(({ status }) => status === 200);
    expect(signedIn?.body).toMatchObject({ user: { email: 'linked@example.com' } });
    expect(await as(at(signedIn?.body, 'token'), 'GET', '/auth/me')).toMatchObject({ status: 200 });
    expect(await follow(token)).toMatchObject(refusedLink);
  });

  test('an unknown, an expired and a replaced sign-in link get one answer; the table has no token', async () => {
    await signUp('late-link@example.com');
    const replaced = await linkOf('late-link@example.com');
    const token = await linkOf('late-link@example.com');
    expect(JSON.stringify(await database.db.query('SELECT * FROM sign_in_links'))).not.toContain(token);
    expect(await follow('no such token')).toMatchObject(refusedLink);
    expect(await follow(replaced)).toMatchObject(refusedLink);
    clock.advance(15 * 60_000);
    expect(await follow(token)).toMatchObject(refusedLink);
    expect((await follow(await linkOf('late-link@example.com'))).status).toBe(200);
  });

  test('refused sign-in links count for their network, used ones do not', async () => {
    await signUp('counted-link@example.com');
    const token = await linkOf('counted-link@example.com');
    for (let tries = 0; tries < 99; tries += 1) await follow(`guess ${tries}`);
    expect((await follow(token)).status).toBe(200);
    expect((await follow('one more')).status).toBe(401);
    expect((await follow(await linkOf('counted-link@example.com'), other)).status).toBe(429);
    expect((await logIn('counted-link@example.com')).status).toBe(429);
    expect((await follow(await linkOf('counted-link@example.com'), api, '198.51.100.4')).status).toBe(200);
  });

  test('counted attempts have no email and no address', async () => {
    await logIn('private@example.com', 'x', api, '203.0.113.77');
    expect(JSON.stringify(await database.db.query('SELECT * FROM attempts'))).not.toMatch(/private|203\.0/);
  });

  // guarantee: ended-session-refused-everywhere
  test('sign-out ends the session on all processes, and no other session', async () => {
    const [first, second] = [
      await signedUp('out@example.com'),
      at((await logIn('out@example.com')).body, 'token'),
    ];
    expect((await as(first, 'POST', '/auth/logout')).body).toEqual({ success: true });
    expect((await other.send({ authorization: String(first) }, 'GET', '/auth/me')).status).toBe(401);
    expect((await as(second, 'GET', '/auth/me')).status).toBe(200);
    const { key } = await createTenant(database.db);
    expect((await api.ask(key, 'POST', '/auth/logout')).status).toBe(400);
  });

  test('without MySQL sign-in and sign-up are 503, no password is called wrong, and the process keeps running', async () => {
    await signUp('away@example.com');
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const db = await createDataSource({ url: url.href, poolSize: 1 });
    const cutOff = await startApi(db, { clock });
    try {
      expect((await logIn('away@example.com', password, cutOff)).status).toBe(200);
      await proxy.cut();
      expect(await logIn('away@example.com', password, cutOff)).toMatchObject({
        status: 503,
        body: { code: 'unavailable' },
      });
      expect(
        (await cutOff.ask(null, 'POST', '/auth/signup', { email: 'cut@example.com', password })).status,
      ).toBe(503);
      expect((await cutOff.ask(null, 'GET', '/health')).status).toBe(200);
    } finally {
      await cutOff.close();
      await db.destroy();
      await proxy.close();
    }
  });

  test('a session expires after 720 hours, however recently it was used', async () => {
    const token = await signedUp('long@example.com');
    const lasting = { lastUsedAt: new Date(clock.now().getTime() + 720 * 3_600_000) };
    await database.db.getRepository(sessions).update({ tokenHash: hashKey(String(token)) }, lasting);
    clock.advance(720 * 3_600_000 - 1000);
    expect((await as(token, 'GET', '/auth/me')).status).toBe(200);
    clock.advance(1000);
    expect(await as(token, 'GET', '/auth/me')).toMatchObject({
      status: 401,
      body: { detail: 'Invalid or expired token' },
    });
    expect(await database.db.getRepository(sessions).existsBy({ expiresAt: clock.now() })).toBe(true);
  });

  test('with sign-up disabled it is refused and shown as disabled; existing users can sign in', async () => {
    await signUp('early@example.com');
    const closed = await startApi(database.db, { clock, isSignupEnabled: false });
    try {
      expect(
        await closed.ask(null, 'POST', '/auth/signup', { email: 'late@example.com', password }),
      ).toMatchObject({ status: 403, body: { detail: 'Signup is disabled' } });
      expect(at((await closed.ask(null, 'GET', '/health')).body, 'signup_enabled')).toBe(false);
      expect(at((await api.ask(null, 'GET', '/health')).body, 'signup_enabled')).toBe(true);
      expect((await logIn('early@example.com', password, closed)).status).toBe(200);
    } finally {
      await closed.close();
    }
  });

  test('a session can create keys, which act for its user in its organization only', async () => {
    const [mine, theirs] = [await signedUp('mine@example.com'), await signedUp('theirs@example.com')];
    const made = await as(mine, 'POST', '/user/api-keys', { name: 'From a session' });
    expect((await api.ask(String(at(made.body, 'api_key')), 'GET', '/auth/me')).body).toMatchObject({
      email: 'mine@example.com',
    });
    expect((await as(theirs, 'DELETE', `/user/api-keys/${String(at(made.body, 'id'))}`)).status).toBe(404);
  });

  test('the onboarding state belongs to a user and changes field by field', async () => {
    const [mine, theirs] = [await signedUp('board@example.com'), await signedUp('bored@example.com')];
    const untouched = { completed_at: null, skipped: false, seen_tooltips: [], completed_actions: [] };
    expect((await as(mine, 'GET', '/user/onboarding-state')).body).toEqual(untouched);
    await as(mine, 'PUT', '/user/onboarding-state', {
      seen_tooltips: ['editor'],
      completed_at: '2026-11-21T10:00:00Z',
    });
    expect((await as(mine, 'PUT', '/user/onboarding-state', { skipped: 'yes' })).body).toEqual({
      ...untouched,
      skipped: true,
      seen_tooltips: ['editor'],
      completed_at: '2026-11-21T10:00:00Z',
    });
    expect((await as(mine, 'PUT', '/user/onboarding-state', { completed_at: null })).body).toMatchObject({
      completed_at: null,
      skipped: true,
    });
    expect((await as(theirs, 'GET', '/user/onboarding-state')).body).toEqual(untouched);
  });
});

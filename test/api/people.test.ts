import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { roles, type Role, type Scope } from '../../src/contract/data/scopes.ts';
import { fullPath } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { invitations } from '../../src/db/tables/invitations.ts';
import { permits } from '../../src/domain/keys/permits.ts';
import { scopesOfRoles } from '../../src/domain/people/roles.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestClock, createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { turnOnCodes } from '../support/one-time-codes.ts';
import { invite, joinAs, testPassword, type Joined } from '../support/people.ts';

const dayMs = 86_400_000;

describe.each(databases)('people of an organization, on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  const clock = createTestClock();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { clock });
  });
  beforeEach(async () => void (await database.db.query('DELETE FROM attempts')));
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const newEmail = () => `${randomUUID()}@example.com`;
  const signUp = async (email = newEmail()) => {
    const { body } = await api.ask(null, 'POST', '/auth/signup', { email, password: testPassword });
    return {
      email,
      userId: Number(idAt(body, 'user', 'id')),
      organizationId: Number(idAt(body, 'user', 'organization_id')),
      headers: { authorization: `Bearer ${idAt(body, 'token')}` },
    };
  };
  const join = (
    owner: { headers: Record<string, string> },
    role: Role,
    email = newEmail(),
  ): Promise<Joined> => joinAs(api, owner.headers, { email, role });
  const accept = (token: string, password = testPassword) =>
    api.ask(null, 'POST', '/auth/invitation/accept', { token, password });
  const me = async ({ headers }: { headers: Record<string, string> }) =>
    await api.send(headers, 'GET', '/auth/me');
  const withCodes = (headers: Record<string, string>) =>
    turnOnCodes(api, { headers, password: testPassword, now: () => clock.now() });
  const unusable = { status: 401, body: { detail: 'The invitation is unknown, expired, revoked or used' } };

  describe('an invitation', () => {
    test('lets a new person join with its role, and only then shows up as a member', async () => {
      const owner = await signUp();
      const email = newEmail();
      const token = await invite(api, owner.headers, { email, role: 'campaign_manager' });
      expect((await api.send(owner.headers, 'GET', '/organizations/invitations')).body).toMatchObject([
        { email, role: 'campaign_manager', created_by: owner.userId },
      ]);
      expect((await api.ask(null, 'POST', '/auth/invitation', { token })).body).toMatchObject({
        email,
        role: 'campaign_manager',
      });
      const { status, body } = await accept(token);
      expect({
        status,
        role: at(body, 'user', 'role'),
        organization: at(body, 'user', 'organization_id'),
      }).toEqual({
        status: 200,
        role: 'campaign_manager',
        organization: owner.organizationId,
      });
      expect(at(body, 'user', 'scopes')).toEqual(expect.arrayContaining([...scopesOfRoles.campaign_manager]));
      expect((await api.send(owner.headers, 'GET', '/organizations/invitations')).body).toEqual([]);
      expect((await api.send(owner.headers, 'GET', '/organizations/members')).body).toMatchObject([
        { email: owner.email, role: 'owner', is_you: true },
        { email, role: 'campaign_manager', is_you: false },
      ]);
    });

    test('works while sign-up is closed', async () => {
      const owner = await signUp();
      const token = await invite(api, owner.headers, { email: newEmail(), role: 'operator' });
      const closed = await startApi(database.db, { clock, isSignupEnabled: false });
      try {
        expect(
          (await closed.ask(null, 'POST', '/auth/signup', { email: newEmail(), password: testPassword }))
            .status,
        ).toBe(403);
        expect(
          (await closed.ask(null, 'POST', '/auth/invitation/accept', { token, password: testPassword }))
            .status,
        ).toBe(200);
      } finally {
        await closed.close();
      }
    });

    // guarantee: invitation-works-once
    test('works once, also of simultaneous requests', async () => {
      const owner = await signUp();
      const known = await signUp();
      const token = await invite(api, owner.headers, { email: known.email, role: 'operator' });
      const answers = await Promise.all([accept(token), accept(token), accept(token)]);
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401']);
      expect(await accept(token)).toMatchObject(unusable);
      expect(await api.ask(null, 'POST', '/auth/invitation', { token })).toMatchObject(unusable);
    });

    // guarantee: invitation-is-no-second-factor
    test('does not stand for the code of an account that demands one', async () => {
      const owner = await signUp();
      const known = await signUp();
      const { recoveryCodes } = await withCodes(known.headers);
      const token = await invite(api, owner.headers, { email: known.email, role: 'operator' });
      const acceptWith = (code: string) =>
        api.ask(null, 'POST', '/auth/invitation/accept', { token, password: testPassword, code });
      expect(await accept(token, 'another password')).toMatchObject({ status: 403 });
      expect(await accept(token)).toMatchObject({ status: 401, body: { code: 'code_needed' } });
      expect(await acceptWith('000000')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      const members = await api.send(owner.headers, 'GET', '/organizations/members');
      expect(members.body).toMatchObject([{ email: owner.email }]);
      expect((await acceptWith(recoveryCodes[0] ?? '')).status).toBe(200);
    });

    // guarantee: invitation-expires
    test('works for seven days', async () => {
      const owner = await signUp();
      const [inTime, late] = [
        await invite(api, owner.headers, { email: newEmail(), role: 'operator' }),
        await invite(api, owner.headers, { email: newEmail(), role: 'operator' }),
      ];
      clock.advance(7 * dayMs - 60_000);
      expect((await accept(inTime)).status).toBe(200);
      clock.advance(120_000);
      expect(await accept(late)).toMatchObject(unusable);
      expect(
        (await api.send((await signIn(owner.email)).headers, 'GET', '/organizations/invitations')).body,
      ).toEqual([]);
    });

    // guarantee: revoked-invitation-opens-nothing
    test('that is revoked opens nothing, and is revoked once', async () => {
      const owner = await signUp();
      const token = await invite(api, owner.headers, { email: newEmail(), role: 'operator' });
      const listed = await api.send(owner.headers, 'GET', '/organizations/invitations');
      const path = `/organizations/invitations/${idAt(listed.body, 0, 'id')}`;
      expect((await api.send(owner.headers, 'DELETE', path)).status).toBe(200);
      expect(await accept(token)).toMatchObject(unusable);
      expect((await api.send(owner.headers, 'DELETE', path)).status).toBe(404);
    });

    // guarantee: invitation-stored-as-hash
    test('is stored as a hash', async () => {
      const owner = await signUp();
      const token = await invite(api, owner.headers, { email: newEmail(), role: 'operator' });
      const rows = JSON.stringify(await database.db.getRepository(invitations).find());
      expect(rows).toContain('"tokenHash"');
      expect(rows).not.toContain(token);
    });

    test('of an address with an account needs its password, and any other is refused without effect', async () => {
      const [owner, known] = [await signUp(), await signUp()];
      const token = await invite(api, owner.headers, { email: known.email, role: 'analyst' });
      expect((await accept(token, 'not that password')).status).toBe(403);
      expect((await accept(token)).status).toBe(200);
    });

    // guarantee: invitation-is-for-one-address
    test('is accepted by a signed-in person of its address, and by nobody else', async () => {
      const [owner, known, other] = [await signUp(), await signUp(), await signUp()];
      const token = await invite(api, owner.headers, { email: known.email, role: 'builder' });
      const as = (who: { headers: Record<string, string> }) =>
        api.send(who.headers, 'POST', '/user/invitations/accept', { token });
      expect((await as(other)).status).toBe(403);
      expect((await me(other)).status).toBe(200);
      const { status, body } = await as(known);
      expect({ status, organization: at(body, 'user', 'organization_id') }).toEqual({
        status: 200,
        organization: owner.organizationId,
      });
      expect((await me(known)).status).toBe(401); // its session was of the former organization
    });

    // guarantee: invitation-hides-registered-emails
    test('does not tell whether its address has an account; of members it does', async () => {
      const [owner, known] = [await signUp(), await signUp()];
      const shapeFor = async (email: string) => {
        const { status, body } = await api.send(owner.headers, 'POST', '/organizations/invitations', {
          email,
          role: 'operator',
        });
        const token = String(at(body, 'link')).replace(/^.*=/, '');
        const read = await api.ask(null, 'POST', '/auth/invitation', { token });
        return { status, keys: Object.keys(body ?? {}), read: [read.status, Object.keys(read.body ?? {})] };
      };
      const [registered, unknown] = [await shapeFor(known.email), await shapeFor(newEmail())];
      expect(registered).toEqual(unknown);
      expect(registered.status).toBe(200);
      const member = await join(owner, 'operator');
      expect(
        (
          await api.send(owner.headers, 'POST', '/organizations/invitations', {
            email: member.email,
            role: 'operator',
          })
        ).status,
      ).toBe(409);
    });
  });

  async function signIn(email: string) {
    const { status, body } = await api.ask(null, 'POST', '/auth/login', { email, password: testPassword });
    return { status, body, headers: { authorization: `Bearer ${String(at(body, 'token'))}` } };
  }

  describe('a link for a new password', () => {
    const linkFor = (who: { headers: Record<string, string> }, userId: number) =>
      api.send(who.headers, 'POST', `/organizations/members/${userId}/password-link`);
    const tokenFor = async (who: { headers: Record<string, string> }, userId: number) =>
      String(at((await linkFor(who, userId)).body, 'link')).replace(/^.*#new-password=/, '');
    const choose = (token: string, password = 'another battery') =>
      api.ask(null, 'POST', '/auth/password-link/use', { token, password });
    const voided = { status: 401, body: { detail: 'The link is unknown, expired, replaced or used' } };

    // guarantee: password-link-works-once
    // guarantee: password-link-ends-all-sessions
    test('sets it once, also of simultaneous requests, ends all sessions of the person, and signs them in', async () => {
      const owner = await signUp();
      const member = await join(owner, 'operator');
      const token = await tokenFor(owner, member.userId);
      expect((await me(member)).status).toBe(200); // nothing has changed yet
      expect((await api.ask(null, 'POST', '/auth/password-link', { token })).body).toMatchObject({
        email: member.email,
      });
      const answers = await Promise.all([choose(token), choose(token), choose(token)]);
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401']);
      expect(await choose(token)).toMatchObject(voided);
      expect(await api.ask(null, 'POST', '/auth/password-link', { token })).toMatchObject(voided);
      expect((await me(member)).status).toBe(401);
      const { body } = answers.find(({ status }) => status === 200) ?? {};
      expect((await me({ headers: { authorization: `Bearer ${idAt(body, 'token')}` } })).body).toMatchObject({
        email: member.email,
      });
      expect((await signIn(member.email)).status).toBe(401); // the former password
      const logIn = { email: member.email, password: 'another battery' };
      expect((await api.ask(null, 'POST', '/auth/login', logIn)).status).toBe(200);
      const log = await api.send(owner.headers, 'GET', '/organizations/audit-log?object_type=user');
      expect(log.body).toMatchObject({
        items: [
          { action: 'user.password_reset', actor: { id: member.userId } },
          { action: 'user.password_link_created', actor: { id: owner.userId } },
          {},
          {},
        ],
      });
    });

    // guarantee: password-link-expires
    test('works for 24 hours, until there is another one, the password is changed, or the person has left', async () => {
      const owner = await signUp();
      const member = await join(owner, 'operator');
      const replaced = await tokenFor(owner, member.userId);
      const late = await tokenFor(owner, member.userId);
      expect(await choose(replaced)).toMatchObject(voided);
      clock.advance(dayMs - 60_000);
      expect((await api.ask(null, 'POST', '/auth/password-link', { token: late })).status).toBe(200);
      clock.advance(120_000);
      expect(await choose(late)).toMatchObject(voided);
      const before = await tokenFor(owner, member.userId);
      await api.send((await signIn(member.email)).headers, 'POST', '/auth/password', {
        current_password: testPassword,
        new_password: 'one of my own',
      });
      expect(await choose(before)).toMatchObject(voided);
      const left = await tokenFor(owner, member.userId);
      await api.send(owner.headers, 'DELETE', `/organizations/members/${member.userId}`);
      expect(await choose(left)).toMatchObject(voided);
    });

    // guarantee: password-link-opens-no-other-organization
    test('is not for oneself, for people of another organization, or for an account that opens one', async () => {
      const [owner, known, other] = [await signUp(), await signUp(), await signUp()];
      expect((await linkFor(owner, owner.userId)).status).toBe(400);
      expect((await linkFor(owner, other.userId)).status).toBe(404);
      await join(owner, 'operator', known.email);
      expect((await linkFor(owner, known.userId)).status).toBe(409);
      const member = await join(owner, 'operator');
      const token = await tokenFor(owner, member.userId);
      await join(other, 'analyst', member.email);
      expect(await choose(token)).toMatchObject(voided);
      expect((await signIn(member.email)).status).toBe(200); // the password is the former one
    });

    // guarantee: password-link-is-no-second-factor
    test('does not stand for the code of an account that demands one', async () => {
      const owner = await signUp();
      const member = await join(owner, 'operator');
      const { recoveryCodes } = await withCodes(member.headers);
      const token = await tokenFor(owner, member.userId);
      const chooseWith = (code: string) =>
        api.ask(null, 'POST', '/auth/password-link/use', { token, password: 'another battery', code });
      expect(await choose(token)).toMatchObject({ status: 401, body: { code: 'code_needed' } });
      expect(await chooseWith('000000')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect((await me(member)).status).toBe(200); // nothing has changed yet
      expect((await chooseWith(recoveryCodes[0] ?? '')).status).toBe(200);
    });

    test('signs nobody in without a new password', async () => {
      const owner = await signUp();
      const token = await tokenFor(owner, (await join(owner, 'operator')).userId);
      expect((await api.ask(null, 'POST', '/auth/sign-in-link', { token })).status).toBe(401);
      expect((await choose(token, 'short')).status).toBe(422);
      expect((await choose(token)).status).toBe(200);
    });
  });

  describe('a member', () => {
    test('who is removed is refused with the next request, and cannot sign in to the organization', async () => {
      const owner = await signUp();
      const member = await join(owner, 'builder');
      await api.send(member.headers, 'POST', '/user/api-keys', {
        name: 'left behind',
        scopes: ['read', 'agents:write'],
      });
      const { status, body } = await api.send(
        owner.headers,
        'DELETE',
        `/organizations/members/${member.userId}`,
      );
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: true, ended_sessions: 1, live_api_keys: 1 },
      });
      expect((await me(member)).status).toBe(401);
      expect(await signIn(member.email)).toMatchObject({ status: 403 });
    });

    // guarantee: removed-member-refused-at-once
    test('loses access with the membership, even if the session has not ended', async () => {
      const owner = await signUp();
      const member = await join(owner, 'builder');
      await database.db.query('DELETE FROM memberships WHERE user_id = ?', [member.userId]);
      expect((await me(member)).status).toBe(401);
    });

    // guarantee: new-role-ends-sessions
    test('whose role changes signs in again, and then has the new role', async () => {
      const owner = await signUp();
      const member = await join(owner, 'operator');
      const change = (role: Role) =>
        api.send(owner.headers, 'PUT', `/organizations/members/${member.userId}`, { role });
      expect(await change('operator')).toMatchObject({ status: 200, body: { role: 'operator' } });
      expect((await me(member)).status).toBe(200); // nothing has changed
      expect(await change('analyst')).toMatchObject({ status: 200, body: { role: 'analyst' } });
      expect((await me(member)).status).toBe(401);
      expect(await signIn(member.email)).toMatchObject({ status: 200, body: { user: { role: 'analyst' } } });
    });

    test('leaves by themselves, and keeps their other organizations', async () => {
      const [owner, known] = [await signUp(), await signUp()];
      const member = await join(owner, 'operator', known.email);
      expect((await api.send(member.headers, 'POST', '/organizations/leave')).status).toBe(200);
      expect([(await me(member)).status, (await me(known)).status]).toEqual([401, 200]);
    });

    test('of another organization is unknown to this one', async () => {
      const [owner, stranger] = [await signUp(), await signUp()];
      for (const [method, body] of [
        ['PUT', { role: 'analyst' }],
        ['DELETE', undefined],
      ] as const)
        expect(
          (await api.send(owner.headers, method, `/organizations/members/${stranger.userId}`, body)).status,
        ).toBe(404);
      expect((await me(stranger)).status).toBe(200);
    });
  });

  describe('the last owner', () => {
    // guarantee: last-owner-stays
    test('can neither leave nor be removed or demoted; with a second one they can', async () => {
      const owner = await signUp();
      const path = `/organizations/members/${owner.userId}`;
      const attempts = async () => [
        (await api.send(owner.headers, 'POST', '/organizations/leave')).status,
        (await api.send(owner.headers, 'DELETE', path)).status,
        (await api.send(owner.headers, 'PUT', path, { role: 'builder' })).status,
      ];
      await join(owner, 'builder');
      expect(await attempts()).toEqual([409, 409, 409]);
      expect((await me(owner)).status).toBe(200);
      await join(owner, 'owner');
      expect((await api.send(owner.headers, 'POST', '/organizations/leave')).status).toBe(200);
    });

    test('is one of two owners who leave at once', async () => {
      const owner = await signUp();
      const second = await join(owner, 'owner');
      const answers = await Promise.all(
        [owner, second].map(({ headers }) => api.send(headers, 'POST', '/organizations/leave')),
      );
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
    });

    test('hands the ownership to a member, and both sign in again', async () => {
      const owner = await signUp();
      const member = await join(owner, 'operator');
      expect(
        await api.send(owner.headers, 'POST', `/organizations/members/${member.userId}/ownership`),
      ).toMatchObject({ status: 200, body: { role: 'owner' } });
      expect([(await me(owner)).status, (await me(member)).status]).toEqual([401, 401]);
      expect((await signIn(owner.email)).body).toMatchObject({ user: { role: 'builder' } });
      expect((await signIn(member.email)).body).toMatchObject({ user: { role: 'owner' } });
    });
  });

  test('a person of two organizations works in one at a time, and switches', async () => {
    const [owner, known] = [await signUp(), await signUp()];
    const there = await join(owner, 'analyst', known.email);
    const listed = await api.send(there.headers, 'GET', '/user/organizations');
    expect(listed.body).toMatchObject([
      { organization_id: known.organizationId, role: 'owner', is_current: false },
      { organization_id: owner.organizationId, role: 'analyst', is_current: true },
    ]);
    const go = (organization_id: number) =>
      api.send(there.headers, 'POST', '/user/organizations/switch', { organization_id });
    const neighbor = await createTenant(database.db);
    expect((await go(neighbor.organizationId)).status).toBe(404);
    expect((await me(there)).status).toBe(200);
    clock.advance(1000);
    const { body } = await go(known.organizationId);
    expect(body).toMatchObject({ user: { organization_id: known.organizationId, role: 'owner' } });
    expect((await me(there)).status).toBe(401); // the session was of the other organization
    expect((await signIn(known.email)).body).toMatchObject({
      user: { organization_id: known.organizationId },
    });
  });

  test('a key learns nothing of other organizations of its user, and cannot leave or switch', async () => {
    const owner = await signUp();
    const key = idAt(
      (await api.send(owner.headers, 'POST', '/user/api-keys', { name: 'k' })).body,
      'api_key',
    );
    for (const [method, path, body] of [
      ['GET', '/user/organizations', undefined],
      ['POST', '/user/organizations/switch', { organization_id: owner.organizationId }],
      ['POST', '/organizations/leave', undefined],
      ['POST', '/user/invitations/accept', { token: 'x' }],
    ] as const)
      expect((await api.ask(key, method, path, body)).status).toBe(400);
  });

  // guarantee: key-has-no-more-than-its-maker
  test('nobody makes, rotates, archives or revives a key with more scopes than their own', async () => {
    const owner = await signUp();
    const builder = await join(owner, 'builder');
    const make = (scopes: readonly string[] | null) =>
      api.send(builder.headers, 'POST', '/user/api-keys', { name: 'k', scopes });
    const own = await make(['read', 'keys:write']);
    expect([own.status, (await make(['read', 'admin'])).status, (await make(null)).status]).toEqual([
      200, 403, 403,
    ]);
    const whole = await api.send(owner.headers, 'POST', '/user/api-keys', { name: 'whole' });
    const path = `/user/api-keys/${idAt(whole.body, 'id')}`;
    const asKey = { 'x-api-key': idAt(own.body, 'api_key') };
    for (const headers of [builder.headers, asKey])
      for (const [method, rest] of [
        ['POST', '/rotate'],
        ['DELETE', ''],
        ['PUT', '/reactivate'],
      ] as const)
        expect((await api.send(headers, method, `${path}${rest}`, {})).status).toBe(403);
    expect(
      (await api.send(asKey, 'POST', '/user/api-keys', { name: 'k', scopes: ['agents:write'] })).status,
    ).toBe(403);
  });

  /** These end the session or membership of the test's person. */
  const last: readonly RouteName[] = ['logOut', 'leaveOrganization'];
  const guarded = Object.entries<Route>(routes).filter(
    (entry): entry is [string, Route & { auth: 'key'; scope: Scope }] =>
      entry[1].auth === 'key' && !last.some((name) => name === entry[0]),
  );
  test.each(roles)('a session of the role %s is open to the routes of its scopes alone', async (role) => {
    const owner = await signUp();
    const { headers } = await join(owner, role);
    const refused: string[] = [];
    for (const [name, route] of guarded) {
      const path = fullPath(route)
        .replace('/api/v1', '')
        .replaceAll(/\{\w+\}/g, '999999');
      const { status, body } = await api.send(
        headers,
        route.method.toUpperCase(),
        path,
        route.method === 'get' ? undefined : {},
      );
      if (status === 403 && String(at(body, 'detail')).startsWith('Your role lacks the scope'))
        refused.push(name);
    }
    expect(refused).toEqual(
      guarded.filter(([, { scope }]) => !permits(scopesOfRoles[role], scope)).map(([name]) => name),
    );
  });
});

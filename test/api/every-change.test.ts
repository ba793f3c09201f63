import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MoreThan } from 'typeorm';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { auditEvents, type AuditEventRow } from '../../src/db/tables/audit-events.ts';
import type { Asked } from '../support/api-on-services.ts';
import { createTestDatabase, databases } from '../support/database.ts';
import {
  changingRoutes,
  createDeedWorld,
  deeds,
  sendDeed,
  successOf,
  type ChangingRoute,
  type Deed,
  type DeedRequest,
  type DeedWorld,
} from '../support/deeds.ts';

const audited = changingRoutes.flatMap((name): [ChangingRoute, Deed][] => {
  const deed = deeds[name];
  return 'leaves' in deed ? [[name, deed]] : [];
});

test('every changing route is listed here, with its audit entries or the reason for none', () => {
  const changing = Object.entries<Route>(routes)
    .filter(([, { method }]) => method !== 'get')
    .map(([name]) => name);
  expect(changingRoutes.toSorted()).toEqual(changing.toSorted());
  for (const name of changingRoutes)
    expect(JSON.stringify(deeds[name])).toMatch(/leaves|unaudited":"\w+ \w+ \w+/);
});

/** Changes of the organization, of the caller, or of several objects. */
const namesNothing: ReadonlySet<ChangingRoute> = new Set([
  'resendWebhookDeliveries',
  'signUp',
  'logIn',
  'signInByLink',
  'logOut',
  'acceptOwnInvitation',
  'acceptInvitation',
  'switchOrganization',
  'leaveOrganization',
  'changePassword',
  'beginSecondFactor',
  'confirmSecondFactor',
  'turnOffSecondFactor',
  'endOtherSessions',
  'updatePreferences',
  'saveModelConfiguration',
  'saveUserConfiguration',
  'setRetention',
  'suppressNumbers',
  'importSuppressions',
  'setDialPolicy',
  'stopDialing',
  'resumeDialing',
  'updateOnboardingState',
]);

describe.each(databases)('every change by the API on %s', (kind) => {
  let world: DeedWorld;

  beforeAll(async () => {
    world = await createDeedWorld(await createTestDatabase(kind));
  });
  afterAll(async () => {
    await world.close();
    await world.database.drop();
  });

  const send = (name: ChangingRoute, request: DeedRequest, headers?: Record<string, string>) =>
    sendDeed(world, name, request, headers);
  const entries = () => world.database.db.getRepository(auditEvents);
  const newest = async () => (await entries().find({ order: { id: 'DESC' }, take: 1 }))[0]?.id ?? 0;
  const since = async (id: number): Promise<AuditEventRow[]> =>
    await entries().find({ where: { id: MoreThan(id) }, order: { id: 'ASC' } });

  /** All tables except those that every request may write: counted attempts and the log itself. */
  const everything = async () => {
    const tables: { TABLE_NAME: string }[] = await world.database.db.query(
      "SELECT TABLE_NAME FROM information_schema.tables WHERE table_schema = DATABASE() AND TABLE_NAME NOT IN ('attempts', 'audit_events', 'audit_events_away') ORDER BY TABLE_NAME",
    );
    const rows = await Promise.all(
      tables.map(
        async ({ TABLE_NAME }) =>
          [
            TABLE_NAME,
            await world.database.db.query<Record<string, unknown>[]>(
              `SELECT * FROM \`${TABLE_NAME}\` ORDER BY 1`,
            ),
          ] as const,
      ),
    );
    return JSON.stringify(
      rows.map(([name, found]) => [name, found.map(({ last_used_at: _, ...row }) => row)]),
    );
  };

  const withoutLog = async (act: () => Promise<Asked>): Promise<Asked> => {
    await world.database.db.query('RENAME TABLE audit_events TO audit_events_away');
    try {
      return await act();
    } finally {
      await world.database.db.query('RENAME TABLE audit_events_away TO audit_events');
    }
  };

  // guarantee: audit-entry-names-request
  test.each(audited)(
    '%s leaves one entry per changed object: actor, action, object and request',
    async (name, deed) => {
      const request = await deed.request(world);
      const before = await newest();
      const answer = await send(name, request, { 'x-request-id': `request-of-${name}` });
      expect([answer.status, answer.headers.get('x-request-id')]).toEqual([
        successOf(name),
        `request-of-${name}`,
      ]);
      const left = await since(before);
      expect(left.map(({ action }) => action)).toEqual(deed.leaves);
      for (const entry of left) {
        expect(entry.requestId).toBe(`request-of-${name}`);
        expect([entry.actorKind, entry.actorKind === 'system' ? entry.actorName : entry.actorId]).toEqual([
          expect.stringMatching(/^(?:api_key|user|system)$/),
          expect.anything(),
        ]);
        expect(entry.subjectKey === null).toBe(name === 'resendWebhookDeliveries');
      }
      // The object in the request, or in its answer.
      const named = JSON.stringify([request.params, answer.body, left.at(0)?.changes]);
      expect(
        left.filter(({ subjectKey }) => subjectKey !== null && named.includes(subjectKey)).length,
      ).toBeGreaterThanOrEqual(namesNothing.has(name) ? 0 : 1);
    },
  );

  test.each(audited)('%s that is refused leaves none', async (name, deed) => {
    const { params = {}, headers } = await deed.request(world);
    const nobodys = Object.fromEntries(Object.keys(params).map((key) => [key, '999999']));
    const refusal =
      deed.refused === undefined
        ? { params: nobodys, body: [], ...(headers === undefined ? {} : { headers }) }
        : await deed.refused(world);
    const before = await newest();
    expect((await send(name, refusal)).status).toBeGreaterThanOrEqual(400);
    expect(
      (await send(name, { ...refusal, headers: { 'x-api-key': 'prl_unknown' } })).status,
    ).toBeGreaterThanOrEqual(400);
    expect(await since(before)).toEqual([]);
  });

  // guarantee: unrecorded-change-rolled-back
  test.each(audited)('%s is not made when it cannot be recorded', async (name, deed) => {
    const request = await deed.request(world);
    const before = await everything();
    const answer = await withoutLog(() => send(name, request));
    expect([name, answer.status]).toEqual([name, 500]);
    expect(await everything()).toBe(before);
    expect((await send(name, request)).status).toBe(successOf(name));
  });

  // guarantee: audit-masks-tool-secrets
  test('no entry has a secret, a phone number or the name of a person', async () => {
    const rows = JSON.stringify(await entries().find());
    expect(world.forbidden.length).toBeGreaterThan(20);
    expect(world.forbidden.filter((text) => rows.includes(text))).toEqual([]);
  });
});

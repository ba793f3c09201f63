import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { fullPath } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { at, answeringCalls, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeAccounts } from '../support/fake-accounts.ts';
import { answerText } from '../support/answer-text.ts';
import { furnish, rowsOf, sharedSlots, spreadIds, unknownLike } from '../support/furnished.ts';
import { lineFiles } from '../support/line-recordings.ts';
import { requestFor, routeNames, type Slots } from '../support/route-requests.ts';
import { createFakeCarrier } from '../support/telephony.ts';

/**
 * Calls every route with ids of another organization in path, query and body, one at a time and all at once,
 * with a key and with a session. The answer must be the one for unknown ids, and nothing of the owner may
 * change.
 */

const mark = 'mine-7f3a9c';
/** The only route that reveals the existence of another organization's object (contract 5.2). */
const toldApart: Partial<Record<RouteName, string>> = {
  callByPath: 'trigger_path',
  callByPathTest: 'trigger_path',
};

interface Stranger {
  kind: 'key' | 'session';
  headers: Record<string, string>;
}

let database: TestDatabase;
let api: ApiUnderTest;
let ownerId: number;
let ownersKey: string;
let owners: Slots;
let strangers: Slots;
let strangersKey: string;
const asking: Stranger[] = [];
/** The owner's rows after the last request. */
let ownersRows: string;
/** Requests to running calls, deliveries and carriers. */
const orders: string[] = [];

/** A port that records its requests. */
const written = <Port extends object>(port: Port): Port =>
  new Proxy(port, {
    get: (target, name, receiver): unknown => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]): unknown => {
        orders.push(JSON.stringify(given));
        return Reflect.apply(method, target, given);
      };
    },
  });

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  const { db } = database;
  await spreadIds(db);
  const deliveries = { resend: () => Promise.resolve(), drain: () => Promise.resolve() };
  api = await startApi(db, {
    calls: written(answeringCalls),
    deliveries: written(deliveries),
    carriers: new Map([['telnyx', written(createFakeCarrier())]]),
    files: lineFiles,
    accounts: written(createFakeAccounts()).carriers,
  });
  const tenant = await createTenant(db);
  [ownerId, ownersKey] = [tenant.organizationId, tenant.key];
  owners = await furnish({
    db,
    organizationId: ownerId,
    mark,
    ask: (method, path, body) => api.ask(ownersKey, method, path, body),
  });
  const signedUp = await api.ask(null, 'POST', '/auth/signup', {
    email: 'stranger@example.com',
    password: 'correct horse',
  });
  const session = { authorization: `Bearer ${String(at(signedUp.body, 'token'))}` };
  strangersKey = String(
    at((await api.send(session, 'POST', '/user/api-keys', { name: 'key' })).body, 'api_key'),
  );
  strangers = await furnish({
    db,
    organizationId: Number(at(signedUp.body, 'user', 'organization_id')),
    mark: 'other',
    ask: (method, path, body) => api.ask(strangersKey, method, path, body),
  });
  asking.push({ kind: 'key', headers: { 'x-api-key': strangersKey } }, { kind: 'session', headers: session });
  orders.length = 0;
  ownersRows = await rowsOf(database.db, ownerId);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

/** Signing out ends the session of this test, so it comes last. */
const walked = routeNames
  .filter((name) => routes[name].auth !== 'none')
  .toSorted((one, other) => Number(one === 'logOut') - Number(other === 'logOut'));
const whoAsk = (name: RouteName) =>
  asking.filter(({ kind }) => kind === 'key' || routes[name].auth === 'key');
const foreignSlots = (name: RouteName) =>
  requestFor(name, strangers).slots.filter((slot) => !(slot in sharedSlots));

/** An answer as text, without the requested ids. */
async function answerOf(name: RouteName, ids: Slots, { headers }: Stranger) {
  const { method, path, body, slots } = requestFor(name, ids);
  const answer = await fetch(`${api.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'x-request-id': 'walk',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  let text = await answerText(answer);
  for (const slot of slots.filter((each) => !(each in sharedSlots)))
    text = text.replaceAll(ids[slot] ?? '', `<${slot}>`);
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    location: answer.headers.get('location'),
    text: answer.status < 300 ? withoutOwn(text) : text,
  };
}

/** Values that differ between two new records. */
const withoutOwn = (text: string): string =>
  text.replaceAll(
    /(?<="version_number":)\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|WR-[A-Z-]+\d+|\d{5,}/g,
    '#',
  );

/** Each test compares with what the one before left, so that a change is reported once. */
async function mustBeUnchanged(): Promise<void> {
  const [before, after] = [ownersRows, await rowsOf(database.db, ownerId)];
  ownersRows = after;
  expect(after).toBe(before);
}

describe('objects of one organization do not exist for another', () => {
  // guarantee: other-organizations-objects-hidden
  test.each(walked)('%s answers a stranger as if it were not there, and changes nothing', async (name) => {
    const slots = foreignSlots(name);
    for (const who of whoAsk(name)) {
      for (const foreign of [...slots.map((slot) => [slot]), ...(slots.length > 1 ? [slots] : [])]) {
        const filled = (value: (slot: string) => string): Slots => ({
          ...strangers,
          ...Object.fromEntries(foreign.map((slot) => [slot, value(slot)])),
        });
        const theirs = await answerOf(
          name,
          filled((slot) => owners[slot] ?? ''),
          who,
        );
        const nobodys = await answerOf(
          name,
          filled((slot) => unknownLike(owners[slot] ?? '')),
          who,
        );
        expect(theirs.text).not.toContain(mark);
        const told = toldApart[name];
        if (told === undefined || !foreign.includes(told))
          expect({ foreign, who: who.kind, ...theirs }).toEqual({ foreign, who: who.kind, ...nobodys }); // eslint-disable-line jest/no-conditional-expect -- other tests cover the exceptions
      }
    }
    await mustBeUnchanged();
  });

  test.each(walked.filter((name) => name !== 'logOut'))(
    '%s without foreign ids shows nothing of the owner',
    async (name) => {
      for (const who of whoAsk(name)) {
        const answer = await answerOf(name, strangers, who);
        expect(answer.status).toBeLessThan(500);
        for (const value of [
          mark,
          ...Object.entries(owners).flatMap(([slot, value]) =>
            slot in sharedSlots || slot === 'ticket' ? [] : [value],
          ),
        ])
          expect(answer.text).not.toContain(value);
      }
      await mustBeUnchanged();
    },
  );

  test.each(walked.filter((name) => toldApart[name] !== undefined))(
    '%s answers 403 for a path of another organization, without its data (contract 5.2)',
    async (name) => {
      const [who] = asking;
      if (who === undefined) throw new Error('nobody asks');
      const answer = await answerOf(name, { ...strangers, trigger_path: owners['trigger_path'] ?? '' }, who);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        403,
        { detail: 'Access denied', code: 'forbidden', request_id: 'walk' },
      ]);
    },
  );

  test("no running process got a request about the owner's objects", async () => {
    const uuids: { uuid: string }[] = await database.db.query(
      'SELECT uuid FROM calls WHERE organization_id = ? UNION ALL SELECT uuid FROM deliveries WHERE organization_id = ? UNION ALL SELECT uuid FROM organizations WHERE id = ?',
      [ownerId, ownerId, ownerId],
    );
    expect(uuids.length).toBeGreaterThan(3);
    expect(orders.length).toBeGreaterThan(5);
    expect(orders.filter((order) => uuids.some(({ uuid }) => order.includes(uuid)))).toEqual([]);
  });
});

describe('the list of routes in this test', () => {
  const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));
  const idLike = /(_id|_ids|_uuid|_uuids)$/;
  /** Ids without an owner: shipped templates, voices of vendors, and ids that callers choose. */
  const sharedIds = ['template_id', 'tts_voice_id', 'request_id'];

  test.each(routeNames)('%s has a line that names every id that the route takes', (name) => {
    const { query, body, slots } = requestFor(name, { ...strangers, ...sharedSlots });
    const sent = JSON.stringify([query, body]);
    const taken = fieldsOf(document, name).filter(
      (field) => idLike.test(field) && !sharedIds.includes(field),
    );
    expect(taken.filter((field) => !sent.includes(`"${field}"`) && !slots.includes(field))).toEqual([]);
  });

  test('has a line for every route', () => {
    const unlisted = 'brandNew' as RouteName; // oxlint-disable-line typescript/no-unsafe-type-assertion -- what a compiler would refuse
    expect(() => requestFor(unlisted, strangers)).toThrow('brandNew is a new route: add a line');
  });

  test('names objects that their owner can access', async () => {
    const reached = [
      'getWorkflow',
      'getTextSession',
      'getRun',
      'getLiveRun',
      'streamEvents',
      'getCredential',
      'getTool',
      'getWebhookDelivery',
      'getAuditEntry',
      'listWorkflowVersions',
      'getCampaign',
      'getCampaignProgress',
      'getCampaignEstimate',
      'getCampaignActivity',
      'getCampaignRow',
      'listCampaignRows',
      'listCampaignRuns',
    ] as const;
    for (const name of reached)
      expect({
        name,
        status: (await answerOf(name, owners, { kind: 'key', headers: { 'x-api-key': ownersKey } })).status,
      }).toEqual({ name, status: 200 });
  });
});

/** Names of the parameters and of the body's fields, at any depth. */
function fieldsOf(document: unknown, name: RouteName): string[] {
  const operation = at(document, 'paths', fullPath(routes[name]), routes[name].method);
  const parameters = at(operation, 'parameters');
  const named = Array.isArray(parameters)
    ? parameters
        .filter((each: unknown) => at(each, 'in') !== 'header')
        .map((each: unknown) => String(at(each, 'name')))
    : [];
  return [
    ...named,
    ...propertiesOf(document, at(operation, 'requestBody', 'content', 'application/json', 'schema'), 0),
  ];
}

function propertiesOf(document: unknown, schema: unknown, depth: number): string[] {
  const reference = at(schema, '$ref');
  if (typeof reference === 'string')
    return propertiesOf(document, at(document, ...reference.split('/').slice(1)), depth);
  if (typeof schema !== 'object' || schema === null || depth > 5) return [];
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => at(schema, key)).concat(at(schema, 'items'));
  const own = at(schema, 'properties');
  const properties: [string, unknown][] = typeof own === 'object' && own !== null ? Object.entries(own) : [];
  return [
    ...properties.map(([key]) => key),
    ...[...parts, ...properties.map(([, value]) => value)].flatMap((each) =>
      propertiesOf(document, each, depth + 1),
    ),
  ];
}

describe('impossible ids, and callers without credentials', () => {
  const integers = [
    'campaign_id',
    'row',
    'workflow_id',
    'run_id',
    'folder_id',
    'version_number',
    'telephony_configuration_id',
    'phone_number_id',
  ];
  const places = walked.flatMap((name) =>
    integers
      .filter((slot) => fullPath(routes[name]).includes(`{${slot}}`))
      .map((slot) => [name, slot] as const),
  );
  const emptyLists: RouteName[] = ['listRuns'];

  test.each(places.filter(([name]) => !emptyLists.includes(name)))(
    '%s answers 404 for an impossible %s',
    async (name, slot) => {
      for (const value of ['0', '-1', '9007199254740993', '9'.repeat(400)]) {
        const { method, path, body } = requestFor(name, { ...owners, [slot]: value });
        expect((await api.ask(ownersKey, method, path.replace('/api/v1', ''), body)).status).toBe(404);
      }
    },
  );

  const asked = (name: RouteName) => requestFor(name, strangers);
  test.each(routeNames.filter((name) => routes[name].auth === 'key'))(
    '%s needs credentials',
    async (name) => {
      const { method, path, body } = asked(name);
      expect((await api.ask(null, method, path.replace('/api/v1', ''), body)).status).toBe(401);
    },
  );

  test.each(routeNames.filter((name) => routes[name].auth === 'key_header'))(
    '%s needs a key, as a field of the request',
    async (name) => {
      const { method, path, body } = asked(name);
      expect(await api.ask(null, method, path.replace('/api/v1', ''), body)).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['header', 'X-API-Key'] }] },
      });
    },
  );

  test('only the routes of contract 0.5 need no credentials', () => {
    const open = [
      '/auth/invitation',
      '/auth/invitation/accept',
      '/auth/login',
      '/auth/password-link',
      '/auth/password-link/use',
      '/auth/sign-in-link',
      '/auth/signup',
      '/docs',
      '/docs/{file}',
      '/health',
      '/health/active-calls',
      '/health/autoscale-metric',
      '/healthz',
      '/openapi.json',
      '/public/download/workflow/{token}/{artifact}',
      '/public/file/{ticket}',
      '/public/upload/{ticket}',
      '/readyz',
      '/workflow/templates',
    ];
    expect(
      Object.values<Route>(routes)
        .filter(({ auth }) => auth === 'none')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(open);
  });
});

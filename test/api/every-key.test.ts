import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MoreThan } from 'typeorm';
import type { z } from 'zod';
import { IdempotencyHeaders, KeyedChangeHeaders, KeyHeaders } from '../../src/contract/common.ts';
import { routes } from '../../src/contract/routes.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { idempotencyKeys } from '../../src/db/tables/idempotency-keys.ts';
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

/** POSTs without an Idempotency-Key, with the reason. */
const keyless: Partial<Record<ChangingRoute, string>> = {
  validateDefinition: 'it changes nothing',
  estimateCampaign: 'it changes nothing',
  validateWorkflow: 'it changes nothing',
  migrateModels: 'it changes nothing',
  presignDocument: 'no document is stored, so it is always refused',
  processDocument: 'no document is stored, so it is always refused',
  searchDocuments: 'it changes nothing',
  sampleVoice: 'it stores nothing; asked again, the voice says it again',
  testTool: 'it shows what one more request does, each time it is asked',
  testWebhookEndpoint: 'it shows what one more request does, each time it is asked',
  signUp: 'who signs up has no organization yet, and the same email and password sign in',
  createDownloadTicket: 'a link that nobody opens is nothing, and one that was opened opens nothing',
  presignUpload: 'it makes a link and no file; one that nobody uses is nothing',
  presignAmbientNoise: 'it makes a link and no file; one that nobody uses is nothing',
  presignRecordings: 'it makes links and no file; one that nobody uses is nothing',
  suppressNumbers: 'asked again it changes nothing: a number is on the list once',
  repairDirectory: 'asked again it changes nothing: a repaired row is no longer left out',
  importSuppressions: 'asked again it changes nothing: a number is on the list once',
  signInByLink: 'a token works once',
  logIn: 'each sign-in is a session of its own',
  changePassword: 'asked again with the former password it is refused',
  beginSecondFactor: 'asked again it makes another secret, which replaces the lost one',
  confirmSecondFactor: 'a code works once',
  turnOffSecondFactor: 'a code works once',
  logOut: 'an ended session cannot ask again',
  leaveOrganization: 'an ended session cannot ask again',
  switchOrganization: 'an ended session cannot ask again',
  transferOwnership: 'an ended session cannot ask again',
  acceptOwnInvitation: 'an ended session cannot ask again',
  acceptInvitation: 'an invitation works once',
  readInvitation: 'it changes nothing',
  createPasswordLink: 'asked again it makes another link, which voids the lost one',
  readPasswordLink: 'it changes nothing',
  setPasswordByLink: 'a link works once',
};

const keyed: readonly unknown[] = [IdempotencyHeaders, KeyedChangeHeaders, KeyHeaders] satisfies z.ZodType[];
const posts = changingRoutes.filter((name) => routes[name].method === 'post');
const headersOf = (name: ChangingRoute): unknown =>
  'headers' in routes[name] ? routes[name].headers : undefined;
const made = posts.filter((name) => keyed.includes(headersOf(name)));

test('every POST accepts an Idempotency-Key, except those listed with a reason', () => {
  expect(posts.filter((name) => !made.includes(name)).toSorted()).toEqual(Object.keys(keyless).toSorted());
  expect(
    made.filter((name) => deeds[name].request === undefined || deeds[name].resumes === undefined),
  ).toEqual([]);
});

const rows = made.flatMap(
  (name): [ChangingRoute, Required<Pick<Deed, 'request' | 'resumes'>> & { leaves: string[] }][] => {
    const { request, resumes, ...deed } = deeds[name];
    return request === undefined || resumes === undefined
      ? []
      : [[name, { request, resumes, leaves: 'leaves' in deed ? deed.leaves : [] }]];
  },
);

describe.each(databases)('every POST with an Idempotency-Key on %s (contract 5.1)', (kind) => {
  let world: DeedWorld;

  beforeAll(async () => {
    world = await createDeedWorld(await createTestDatabase(kind));
  });
  afterAll(async () => {
    await world.close();
    await world.database.drop();
  });

  const send = (name: ChangingRoute, request: DeedRequest, key: string) =>
    sendDeed(world, name, request, { 'idempotency-key': key });
  const newest = async () =>
    (await world.database.db.getRepository(auditEvents).find({ order: { id: 'DESC' }, take: 1 }))[0]?.id ?? 0;
  const actionsSince = async (id: number) =>
    (
      await world.database.db
        .getRepository(auditEvents)
        .find({ where: { id: MoreThan(id) }, order: { id: 'ASC' } })
    ).map(({ action }) => action);

  test.each(rows)(
    '%s is executed once if it is sent twice, and the second answer is marked',
    async (name, deed) => {
      const request = await deed.request(world);
      const before = await newest();
      const first = await send(name, request, `twice-${name}`);
      const again = await send(name, request, `twice-${name}`);
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([successOf(name), null]);
      expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([
        successOf(name),
        'true',
        first.body,
      ]);
      expect(await actionsSince(before)).toEqual(deed.leaves);
    },
  );

  test.each(rows)('%s with the key of another request is refused and does nothing', async (name, deed) => {
    const request = await deed.request(world);
    // The same caller, but not a file.
    const { 'content-type': _type, ...headers } = request.headers ?? { 'x-api-key': world.owner.key };
    const taken = await sendDeed(
      world,
      'createFolder',
      { body: { name: world.fresh() }, headers },
      { 'idempotency-key': `taken-${name}` },
    );
    expect(taken.status).toBe(200);
    const before = await newest();
    expect(await send(name, request, `taken-${name}`)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['header', 'Idempotency-Key'], input: `taken-${name}` }] },
    });
    expect(await actionsSince(before)).toEqual([]);
  });

  test.each(rows)('%s asked for several times at once is done once', async (name, deed) => {
    const request = await deed.request(world);
    const before = await newest();
    const answers = await Promise.all([1, 2, 3].map(() => send(name, request, `at-once-${name}`)));
    const done = answers.filter(({ status }) => status === successOf(name));
    const waiting = answers.filter(({ status }) => status === 409);
    expect([done.length > 0, done.length + waiting.length]).toEqual([true, 3]);
    expect(waiting.map(({ headers }) => headers.get('retry-after'))).toEqual(waiting.map(() => '1'));
    expect(done.map(({ body }) => body)).toEqual(done.map(() => done[0]?.body));
    expect(await actionsSince(before)).toEqual(deed.leaves);
  });

  // guarantee: interrupted-post-keeps-its-object
  test.each(rows)(
    '%s whose process died before the answer was kept is completed by the repeated request',
    async (name, deed) => {
      const request = await deed.request(world);
      const before = await newest();
      const lost = await send(name, request, `lost-${name}`);
      const { affected } = await world.database.db
        .getRepository(idempotencyKeys)
        .update(
          { key: `lost-${name}` },
          { state: 'claimed', claimExpiresAt: new Date(0), responseStatus: null, responseBody: null },
        );
      expect([lost.status, affected]).toEqual([successOf(name), 1]);
      const resumed = await send(name, request, `lost-${name}`);
      expect([resumed.status, resumed.headers.get('idempotent-replayed')]).toEqual([successOf(name), null]);
      const expected = {
        same: { body: lost.body, left: deed.leaves },
        anew: {
          body: expect.not.objectContaining({ id: Object(lost.body).id }),
          left: [
            ...deed.leaves,
            `${name === 'createInvitation' ? 'invitation' : 'api_key'}.discarded`,
            ...deed.leaves,
          ],
        },
        again: { body: lost.body, left: [...deed.leaves, ...deed.leaves] },
      }[deed.resumes];
      expect({ body: resumed.body, left: await actionsSince(before) }).toEqual(expected);
    },
  );
});

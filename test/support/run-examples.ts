import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { examples } from '../../src/contract/examples.ts';
import { from, resolved, type Example, type ExampleAnswers } from '../../src/contract/example.ts';
import { fullPath } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { In, type DataSource } from 'typeorm';
import { z } from 'zod';
import type { ServerKind } from '../../src/db/data-source.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { campaignAttempts } from '../../src/db/tables/campaign-attempts.ts';
import { campaignTargets } from '../../src/db/tables/campaign-targets.ts';
import { campaigns } from '../../src/db/tables/campaigns.ts';
import { deliveryAttempts } from '../../src/db/tables/delivery-attempts.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { webhookEndpointSwitches } from '../../src/db/tables/webhook-endpoint-switches.ts';
import { endpointKeyOf } from '../../src/services/webhooks/deliveries/endpoint.ts';
import { signInLinks } from '../../src/db/tables/sign-in-links.ts';
import { invitations } from '../../src/db/tables/invitations.ts';
import { memberships } from '../../src/db/tables/memberships.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { users } from '../../src/db/tables/users.ts';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import { openDirectory } from '../../src/providers/storage/directory.ts';
import type { LlmRequest } from '../../src/providers/llm/port.ts';
import { hashKey } from '../../src/services/identity/api-keys/hash.ts';
import { createImportRuns } from '../../src/temporal/import-starter.ts';
import { createCallWorld } from './call-world.ts';
import { insertContact } from './campaign-rows.ts';
import { answered, createFakeCustomerHttp } from './fake-customer-http.ts';
import { startApi } from './api-on-services.ts';
import { lineWav } from './line-recordings.ts';
import type { FakeReply } from './fake-llm.ts';
import { insertedId } from './inserted-id.ts';
import { createScriptedLlm } from './scripted-llm.ts';
import { createFakeAccounts } from './fake-accounts.ts';
import { codeOf } from './one-time-codes.ts';
import { insertOpenHost } from './media/open-host.ts';
import { insertDirectoryRow } from './directories.ts';
import { markChecked } from './repaired-directory.ts';
import { repairHeader } from '../../src/domain/directory/repair-columns.ts';
import { createFakeCarrier } from './telephony.ts';
import { until } from './until.ts';

/** One request of the story and its answer. */
export interface ExampleResult {
  name: RouteName;
  /** The expected status of the example: success, or the refusal that it shows. */
  expected: number;
  status: number;
  answer: unknown;
  /** Its kind; `other` = another body of the same operation. */
  kind: 'example' | 'other' | 'refused';
}

/** Unknown ids: no row and no path has them. */
const unknown = { integer: 999_999_999, text: '00000000-0000-4000-8000-000000000000' };

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);

/**
 * Sends every example to an API on a real database and a real Temporal, in their order; `onResult` gets each
 * answer.
 */
export async function runExamples(
  kind: ServerKind,
  onResult: (result: ExampleResult) => void,
): Promise<void> {
  const llm = createScriptedLlm({
    before: (request, said) => (request.responseFormat === undefined ? replyTo(request, said) : undefined),
  });
  // The recorded answers show the ids and the load of a fresh installation.
  const world = await createCallWorld({ llm, kind, hasNeighbor: false });
  const http = createFakeCustomerHttp();
  http.answerWith(answered(200, { 'content-type': 'application/json' }, '{"status":"shipped"}'));
  const { db } = world.database;
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  const files = await openDirectory(folder);
  await world.startWorker({ uploads: files });
  await insertOpenHost(db);
  const api = await startApi(db, {
    accounts: createFakeAccounts().carriers,
    files,
    directories: {
      contactFiles: createContactFiles(),
      imports: createImportRuns({
        temporal: world.temporal,
        taskQueue: world.queues.campaign,
        importTaskQueue: world.queues.import,
      }),
      maxBytes: 10_485_760,
    },
    calls: { ...world.starter, intervene: () => Promise.resolve('delivered') },
    http,
    carriers: new Map([['telnyx', createFakeCarrier()]]),
    devops: { secret: 'secret-of-the-operator-24', loopLag: { read: () => ({ p95Ms: 1.5, maxMs: 20 }) } },
  });
  const answers: Record<string, ExampleAnswers> = {};
  const membershipOfAda = async () => {
    const { id: userId } = await db.getRepository(users).findOneByOrFail({ name: 'Ada' });
    return await db.getRepository(memberships).findOneByOrFail({ userId });
  };
  const before: Partial<Record<RouteName, () => Promise<unknown>>> = {
    signInByLink: async () => {
      const { token } = z.object({ token: z.string() }).parse(examples.signInByLink?.request);
      const { organizationId, userId } = await membershipOfAda();
      const expiresAt = new Date(Date.now() + 60_000);
      await db
        .getRepository(signInLinks)
        .insert({ userId, organizationId, kind: 'sign_in', tokenHash: hashKey(token), expiresAt });
    },
    readInvitation: async () => {
      const { organizationId, userId } = await membershipOfAda();
      await insertInvitation(db, { organizationId, userId, name: 'readInvitation' });
    },
    readPasswordLink: async () => {
      const { token } = z.object({ token: z.string() }).parse(examples.readPasswordLink?.request);
      const { organizationId } = await membershipOfAda();
      const { id: userId } = await db.getRepository(users).findOneByOrFail({ name: 'Grace' });
      const expiresAt = new Date(Date.now() + 60_000);
      await db
        .getRepository(signInLinks)
        .upsert({ userId, organizationId, kind: 'new_password', tokenHash: hashKey(token), expiresAt }, [
          'userId',
        ]);
    },
    acceptOwnInvitation: async () => {
      const { id: userId } = await db.getRepository(users).findOneByOrFail({ name: 'Grace' });
      const createdAt = new Date();
      const organizationId = await insertedId(
        db.getRepository(organizations).insert({ uuid: unknown.text, name: 'Second shop', createdAt }),
      );
      await insertInvitation(db, { organizationId, userId, name: 'acceptOwnInvitation' });
    },
    listMembers: async () => {
      const { organizationId } = await membershipOfAda();
      const { id: userId } = await db.getRepository(users).findOneByOrFail({ name: 'Grace' });
      const createdAt = new Date();
      await db
        .getRepository(memberships)
        .insert({ organizationId, userId, role: 'operator', createdAt, chosenAt: createdAt });
    },
    listRuns: () =>
      until('the call has ended, was judged and sent its webhook', async () => {
        const all = await db.getRepository(calls).find();
        const isJudged = all.some(({ annotations }) => Object.keys(annotations).length > 0);
        return isJudged && world.delivered.length > 0;
      }),
    hangUpRun: () => moveCreatedCall(db, 'talking'),
    transferRun: () => db.getRepository(calls).update({ state: 'talking' }, { channel: 'phone' }),
    downloadArtifact: () => moveCreatedCall(db, 'created'),
    registerRecordings: () =>
      files.write(
        String(resolved({ from: 'presignRecordings', at: ['items', 0, 'storage_key'] }, answers)),
        Readable.from([lineWav]),
        lineWav.length,
      ),
    repairDirectory: () => uploadRepaired(db),
    cancelDirectoryCheck: () =>
      db.getRepository(directories).update({ state: 'ready' }, { state: 'importing', importNumber: 2 }),
    listContacts: () =>
      until(
        'the directory was checked',
        async () => (await db.getRepository(directories).findOneBy({ state: 'ready' })) !== null,
      ),
    listCampaignRows: () => callOneRow(db),
    redialCampaign: () =>
      db.getRepository(campaigns).update({ state: 'running' }, { state: 'completed', stopMode: null }),
    listWebhookDeliveries: () => recordAttempt(db),
    listWebhookEndpoints: async () => {
      const {
        organizationId,
        agentId,
        nodeId,
        url,
        id: deliveryId,
      } = await db.getRepository(deliveries).findOneOrFail({ where: {} });
      await db.getRepository(webhookEndpointSwitches).insert({
        organizationId,
        endpointKey: endpointKeyOf({ organizationId, agentId, nodeId, url }),
        agentId,
        nodeId,
        url,
        deliveryId,
        switchedOffAt: new Date(),
        turnedOnAt: null,
      });
    },
  };
  const credentialsOf = (route: Route, { asUser }: Example): Record<string, string> => {
    if (route.auth === 'none') return {};
    const from = asUser === true ? 'logIn' : asUser;
    return from !== undefined
      ? { authorization: `Bearer ${String(resolved({ from, at: ['token'] }, answers))}` }
      : { 'x-api-key': String(resolved({ from: 'createApiKey', at: ['api_key'] }, answers)) };
  };
  const ask = async (name: RouteName, example: Example) => {
    const route: Route = routes[name];
    const path = fullPath(route).replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
      encodeURIComponent(endOf(String(resolved(example.path?.[key], answers)))),
    );
    const query = new URLSearchParams(
      Object.fromEntries(
        Object.entries(example.query ?? {}).map(([key, value]) => [key, String(resolved(value, answers))]),
      ),
    );
    const request =
      name === 'confirmSecondFactor'
        ? { code: codeOf(String(resolved(from('beginSecondFactor', 'secret'), answers)), new Date()) }
        : resolved(example.request, answers);
    const answer = await api.sendAt(
      { ...credentialsOf(route, example), ...example.headers },
      route.method.toUpperCase(),
      `${path}${query.size === 0 ? '' : `?${query.toString()}`}`,
      request,
    );
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      body:
        location === null ? answer.body : { ticket: decodeURIComponent(location.split('/').at(-1) ?? '') },
    };
  };
  const tell = async (name: RouteName, example: Example) => {
    const route: Route = routes[name];
    const statuses = Object.keys(route.answers);
    const success = Number(statuses.find((status) => /^[23]/.test(status)));
    await before[name]?.();
    const { status, body: read } = await ask(name, example);
    const body = name === 'endTextSession' ? notYetJudged(read) : read;
    if (Number.isNaN(success)) {
      // The route refuses every request.
      onResult({ name, expected: Number(statuses[0]), status, answer: body, kind: 'refused' });
      return;
    }
    answers[name] = { answer: body };
    onResult({ name, expected: success, status, answer: body, kind: 'example' });
    for (const request of Object.values(example.otherRequests ?? {})) {
      const other = await ask(name, { ...example, request });
      onResult({ name, expected: success, status: other.status, answer: other.body, kind: 'other' });
    }
    for (const [expected, changes] of Object.entries(refusalsOf(route, example))) {
      const refused = await ask(name, { ...example, ...changes });
      onResult({
        name,
        expected: Number(expected),
        status: refused.status,
        answer: refused.body,
        kind: 'refused',
      });
    }
  };
  try {
    for (const [name, example] of Object.entries(examples)) if (isRouteName(name)) await tell(name, example);
  } finally {
    await api.close();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** An earlier answer's link stands for the ticket at its end. */
const endOf = (value: string): string =>
  /^https?:/.test(value) ? decodeURIComponent(value.split('/').at(-1) ?? '') : value;

/** A call may be judged before or after its end is answered; the example shows it without the judgment. */
const notYetJudged = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'annotations' in body ? { ...body, annotations: {} } : body;

/** An invitation of Grace with the token of the example. */
async function insertInvitation(
  db: DataSource,
  { organizationId, userId, name }: { organizationId: number; userId: number; name: RouteName },
): Promise<void> {
  const { token } = z.object({ token: z.string() }).parse(examples[name]?.request);
  await db.getRepository(invitations).insert({
    organizationId,
    email: 'grace@example.com',
    role: 'campaign_manager',
    tokenHash: hashKey(token),
    createdByUserId: userId,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 86_400_000),
    acceptedAt: null,
    revokedAt: null,
  });
}

/** Waits until the webhook was sent, and lets its attempt look like one to a real receiver. */
async function recordAttempt(db: DataSource): Promise<void> {
  const { id: deliveryId } = await until(
    'The attempt of the webhook is recorded',
    async () => (await db.getRepository(deliveries).findOneBy({ state: 'succeeded' })) ?? undefined,
  );
  const attempts = db.getRepository(deliveryAttempts);
  await attempts.update({ deliveryId }, { durationMs: 84, responseExcerpt: '{"ok":true}' });
}

/** Does the pacer's work for the one row of the campaign: it was called, and the line was busy. */
/** The repaired error file of the only directory. */
async function uploadRepaired(db: DataSource): Promise<void> {
  const origin = await db.getRepository(directories).findOneByOrFail({});
  const directoryId = await insertDirectoryRow(db, origin.organizationId, {
    repairedFromId: origin.id,
    columns: [...origin.columns, ...repairHeader],
  });
  await markChecked(db, {
    directoryId,
    organizationId: origin.organizationId,
    state: 'ok',
    phone: '12025550103',
    cells: ['+12025550103', 'C-3', 'Alan', 'Miami', '4', 'phone_number', 'phone_scientific', '', ''],
  });
}

async function callOneRow(db: DataSource): Promise<void> {
  const campaign = await db.getRepository(campaigns).findOneByOrFail({ state: 'running' });
  const { id: campaignId, organizationId, directoryId } = campaign;
  const call = await db
    .getRepository(calls)
    .findOneOrFail({ where: { channel: 'phone' }, order: { id: 'ASC' } });
  const at = new Date();
  const directory = await db.getRepository(directories).findOneByOrFail({ id: directoryId });
  const phone = '4915112345678';
  await insertContact(db, { ...directory, importNumber: 1 }, { rowNumber: 1, phone, cells: [phone, 'Ada'] });
  await db
    .getRepository(calls)
    .update(
      { id: call.id },
      { campaignId, tags: ['not_connected', 'telephony_busy'], name: `WR-CAMPAIGN-${campaignId}-1` },
    );
  await db.getRepository(campaignTargets).insert({
    campaignId,
    rowNumber: 1,
    organizationId,
    state: 'processed',
    phone,
    zoneKey: '',
    position: 1,
    spentAttempts: 1,
    attempts: 1,
    outcome: 'busy',
    callId: call.id,
    settledAt: at,
  });
  await db.getRepository(campaignAttempts).insert({
    campaignId,
    rowNumber: 1,
    attemptNumber: 1,
    organizationId,
    callId: call.id,
    because: null,
    begunAt: at,
    outcome: 'busy',
    isSpent: true,
    settledAt: at,
  });
  await db
    .getRepository(campaigns)
    .update({ id: campaignId }, { importNumber: 1, totalRows: 1, plannedThroughRow: 1, plannedAt: at });
}

/** A model that knows the order and continues when it has heard the number. */
function replyTo({ tools }: LlmRequest, said: string): FakeReply {
  const onward = tools.find(({ name }) => name.includes('number'));
  return said.includes('4711') && onward !== undefined
    ? { toolCalls: [{ name: onward.name }] }
    : { text: 'It ships today. On which day shall it come?' };
}

/** The refusal that the example itself shows, and the 404 for unknown objects. */
function refusalsOf(route: Route, { path = {}, refused = {} }: Example): NonNullable<Example['refused']> {
  const own: Readonly<Record<number, unknown>> = route.answers;
  // After its success the session of this one is over.
  const isOver = route.id === 'transferOwnership';
  if (own[404] === undefined || Object.keys(path).length === 0 || isOver) return refused;
  const strange = Object.keys(path)
    .filter((key) => key !== 'artifact')
    .map((key) => [
      key,
      /^(workflow|run|folder|api_key|session|user|invitation|telephony_configuration|phone_number|directory|suppression|campaign)_id$|^row$|^version_number$/.test(
        key,
      )
        ? unknown.integer
        : unknown.text,
    ]);
  return { 404: { path: { ...path, ...Object.fromEntries(strange) } }, ...refused };
}

/** The prepared browser call is in a conversation, or not any more. */
const moveCreatedCall = (db: DataSource, state: 'talking' | 'created') =>
  db.getRepository(calls).update({ state: In(['talking', 'created']) }, { state });

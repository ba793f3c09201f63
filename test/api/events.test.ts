import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { apiKeys, type ApiKeyRow } from '../../src/db/tables/api-keys.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { campaignTargets } from '../../src/db/tables/campaign-targets.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { insertCalls } from '../support/call-rows.ts';
import { insertCampaign, insertDirectory } from '../support/campaign-rows.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { openEvents, type EventClient } from '../support/event-stream.ts';
import { joinAs } from '../support/people.ts';
import { insertTurn } from '../support/turn-rows.ts';

describe.each(databases)('the stream of events on %s (contract 6.11)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let tenant: { organizationId: number; key: string };
  let owner: Pick<CallRow, 'organizationId' | 'agentId' | 'versionId'>;
  const clients: EventClient[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    tenant = await createTenant(database.db);
    const { body } = await api.ask(tenant.key, 'POST', '/workflow/create/definition', {
      name: 'Ava',
      workflow_definition: completeGraph(),
    });
    owner = {
      organizationId: tenant.organizationId,
      agentId: Number(idAt(body, 'id')),
      versionId: Number(idAt(body, 'current_definition_id')),
    };
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const talking = { state: 'talking', channel: 'phone', mode: 'telnyx' } as const;
  const newCall = async (change: Partial<CallRow> = talking): Promise<number> => {
    const [id] = await insertCalls(database.db, owner, change);
    return Number(id);
  };
  const change = async (id: number, to: Partial<Pick<CallRow, 'state' | 'disposition'>>) =>
    await database.db.getRepository(calls).update({ id, organizationId: tenant.organizationId }, to);
  const changeKey = async (id: number, to: Partial<Pick<ApiKeyRow, 'archivedAt' | 'expiresAt'>>) =>
    await database.db.getRepository(apiKeys).update({ id, organizationId: tenant.organizationId }, to);
  /** A stream that goes on would be waited for without end. */
  const soon = async <T>(next: Promise<T>) =>
    await Promise.race([
      next,
      new Promise<undefined>((resolve) => setTimeout(resolve, 15_000, undefined).unref()),
    ]);
  const word = (text: string, turn: number) => ({
    type: 'rtf-bot-text',
    payload: { text },
    timestamp: '2026-11-28T10:00:00.000Z',
    turn,
  });
  const say = async (id: number, turnIndex: number, text: string) =>
    await insertTurn({ ...tenant, db: database.db, clock: systemClock }, id, text, {
      turnIndex,
      events: [word(text, turnIndex)],
      checkpoint: { ...initialCheckpoint, turnIndex, revision: turnIndex + 1 },
    });
  const follow = async (topics: string, headers: Record<string, string> = { 'x-api-key': tenant.key }) => {
    const client = await openEvents(api.url, topics, headers);
    clients.push(client);
    return client;
  };
  /** A stream behind its `ready`. */
  const followed = async (topics: string, headers?: Record<string, string>) => {
    const client = await follow(topics, headers);
    expect([client.status, (await client.next())?.event]).toEqual([200, 'ready']);
    return client;
  };

  test('a call is told as a whole, then what its turns add, then its end', async () => {
    const id = await newCall();
    await say(id, 0, 'Hello.');
    const client = await follow(`call:${id}`);
    expect(client.headers.get('content-type')).toBe('text/event-stream');
    expect(client.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(client.headers.get('x-accel-buffering')).toBe('no');
    expect(await client.next()).toMatchObject({ event: 'ready', data: { topics: [`call:${id}`] } });
    expect(await client.next()).toMatchObject({
      event: 'call',
      data: {
        id,
        workflow_id: owner.agentId,
        state: 'running',
        from: 0,
        events: [word('Hello.', 0)],
        running: [],
      },
    });
    await say(id, 1, 'Which day?');
    expect(await client.next()).toMatchObject({
      event: 'call',
      data: { id, from: 1, events: [word('Which day?', 1)] },
    });
    await change(id, { state: 'ended', disposition: 'user_hangup' });
    expect(await client.next()).toMatchObject({ event: 'call', data: { id, is_completed: true, from: 0 } });
  });

  test('an organization is told its live calls, then those that begin, change and end', async () => {
    const live = await newCall();
    await newCall({ state: 'ended' });
    const client = await followed('org');
    const told = async () => at(await client.next(), 'data', 'calls');
    expect(await told()).toContainEqual({
      id: live,
      workflow_id: owner.agentId,
      campaign_id: null,
      state: 'running',
      disposition: null,
    });
    const begun = await newCall({ ...talking, state: 'pending' });
    expect(await told()).toMatchObject([{ id: begun, state: 'initialized' }]);
    await change(live, { state: 'ended', disposition: 'user_hangup' });
    expect(await told()).toMatchObject([{ id: live, state: 'completed', disposition: 'user_hangup' }]);
    const refused = await newCall({ ...talking, state: 'refused' });
    expect(await told()).toMatchObject([{ id: refused, state: 'completed' }]);
  });

  test('a client that comes back gets what it has missed, and only that', async () => {
    const id = await newCall();
    const first = await followed(`call:${id}`);
    const { id: last = '' } = (await first.next()) ?? {};
    const other = await followed(`call:${id}`);
    await other.next();
    first.close();
    await say(id, 0, 'Meanwhile.');
    await other.next();
    const back = await followed(`call:${id}`, { 'x-api-key': tenant.key, 'last-event-id': last });
    expect(await back.next()).toMatchObject({ event: 'call', data: { events: [word('Meanwhile.', 0)] } });
    await say(id, 1, 'And now.');
    expect(await back.next()).toMatchObject({ event: 'call', data: { from: 1 } });
  });

  test('a client that was away for too long, or on another process, is told to begin anew', async () => {
    const id = await newCall();
    for (const unknown of ['1-1', `${Date.now()}-1`, 'nonsense']) {
      const client = await followed(`call:${id}`, { 'x-api-key': tenant.key, 'last-event-id': unknown });
      expect((await client.next())?.event).toBe('reset');
      expect(await client.next()).toMatchObject({ event: 'call', data: { id, from: 0 } });
      client.close();
    }
  });

  // guarantee: lost-rights-end-a-stream
  test.each<[what: string, lose: (keyId: number) => Promise<unknown>]>([
    ['by this process', (id) => api.ask(tenant.key, 'DELETE', `/user/api-keys/${id}`)],
    ['by another process', (id) => changeKey(id, { archivedAt: systemClock.now() })],
    ['by time', (id) => changeKey(id, { expiresAt: new Date(systemClock.now().getTime() + 1500) })],
  ])('whoever loses its rights %s gets nothing more, and is told within seconds', async (_what, lose) => {
    const made = await api.ask(tenant.key, 'POST', '/user/api-keys', { name: 'Short-lived' });
    const id = await newCall();
    const client = await followed(`call:${id}`, { 'x-api-key': String(at(made.body, 'api_key')) });
    await client.next();
    await new Promise((resolve) => setTimeout(resolve, 3000)); // until the rights count as known
    await lose(Number(idAt(made.body, 'id')));
    expect((await soon(client.next()))?.event).toBe('end');
    expect(await soon(client.next())).toBeNull();
  });

  test('who may not see people gets no words', async () => {
    const analyst = await joinAs(
      api,
      { 'x-api-key': tenant.key },
      {
        email: `analyst-${kind}@example.com`,
        role: 'analyst',
      },
    );
    const id = await newCall();
    await say(id, 0, 'Hello, Maria.');
    const client = await followed(`call:${id}`, analyst.headers);
    expect(await client.next()).toMatchObject({ event: 'call', data: { id, events: [], running: [] } });
  });

  test('a key has at most five streams, and a closed one makes room', async () => {
    const open = [];
    for (let count = 0; count < 5; count += 1) open.push(await followed('org'));
    const sixth = await follow('org');
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '1']);
    open[0]?.close();
    for (;;) {
      const again = await follow('org');
      if (again.status === 200) break;
    }
  });

  test('a campaign is told with the counts of its rows, whenever they change, a directory as its file is read, and an agent as it is saved', async () => {
    const directory = await insertDirectory(database.db, tenant.organizationId, {
      rows: 3,
      state: 'importing',
    });
    const campaign = await insertCampaign(database.db, directory, {
      agentId: owner.agentId,
      state: 'running',
      targets: [{ rowNumber: 1 }, { rowNumber: 2, state: 'waiting' }, { rowNumber: 3, state: 'processing' }],
    });
    const { agentId } = owner;
    const client = await followed(`campaign:${campaign.id},directory:${directory.id},agent:${agentId}`);
    const rows = { queued: 1, waiting: 1, processing: 1, processed: 0, failed: 0 };
    const facts = { id: campaign.id, state: 'running', stop_mode: null, wait_reason: null };
    const begun = [await client.next(), await client.next(), await client.next()];
    expect(begun).toMatchObject([
      { event: 'campaign', data: { ...facts, rows } },
      { event: 'directory', data: { id: directory.id, state: 'importing', progress_percentage: 0 } },
      { event: 'agent', data: { id: agentId, last_version_number: 1, has_draft: false } },
    ]);
    await database.db
      .getRepository(campaignTargets)
      .update({ campaignId: campaign.id, rowNumber: 3 }, { state: 'processed' });
    expect(await client.next()).toMatchObject({
      event: 'campaign',
      data: { ...facts, rows: { ...rows, processing: 0, processed: 1 } },
    });
    await database.db.getRepository(directories).update({ id: directory.id }, { state: 'ready' });
    expect(await client.next()).toMatchObject({
      event: 'directory',
      data: { id: directory.id, state: 'ready', progress_percentage: 100 },
    });
    const saved = await api.ask(tenant.key, 'PUT', `/workflow/${agentId}`, {
      workflow_definition: completeGraph(),
    });
    expect(saved.status).toBe(200);
    expect(await client.next()).toMatchObject({
      event: 'agent',
      data: { id: agentId, last_version_number: 2, has_draft: true },
    });
    const again = await api.ask(tenant.key, 'PUT', `/workflow/${agentId}`, { name: 'Eva' });
    expect(again.status).toBe(200);
    expect(at(await client.next(), 'data', 'updated_at')).not.toBe(at(begun[2], 'data', 'updated_at'));
  });

  // guarantee: streams-tell-only-of-own-calls
  test('topics must be well formed, and what they name the organization\u2019s own', async () => {
    const stranger = await createTenant(database.db);
    const id = await newCall();
    const directory = await insertDirectory(database.db, tenant.organizationId);
    const campaign = await insertCampaign(database.db, directory, { agentId: owner.agentId });
    const refused = async (topics: string, key = tenant.key) =>
      (await api.ask(key, 'GET', `/events?topics=${topics}`)).status;
    expect(await refused('')).toBe(422);
    expect(await refused('orgs')).toBe(422);
    expect(await refused('call:0')).toBe(422);
    expect(await refused('call:999999999')).toBe(404);
    for (const topic of [
      `call:${id}`,
      `directory:${directory.id}`,
      `campaign:${campaign.id}`,
      `agent:${owner.agentId}`,
    ])
      expect([topic, await refused(`org,${topic}`, stranger.key)]).toEqual([topic, 404]);
    expect(await refused('user:1')).toBe(422);
  });
});

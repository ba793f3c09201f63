import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { In, Not } from 'typeorm';
import { agents } from '../../src/db/tables/agents.ts';
import { columns } from '../../src/db/rows.ts';
import { agentVersions, type AgentVersionRow } from '../../src/db/tables/agent-versions.ts';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { users } from '../../src/db/tables/users.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { changeAgentState, listAgentOverviews } from '../../src/services/agents/index.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { insertCalls } from '../support/call-rows.ts';
import { insertCampaign, insertDirectory } from '../support/campaign-rows.ts';
import { createTestContext, createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { recordQueries } from '../support/recorded-queries.ts';
import { insertConnection } from '../support/telephony.ts';
import { insertTurn } from '../support/turn-rows.ts';

const day = 24 * 3600 * 1000;

describe.each(databases)('the list of agents for people on %s (contract 1.5)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let tenant: Awaited<ReturnType<typeof createTenant>>;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  beforeEach(async () => {
    tenant = await createTenant(database.db);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(tenant.key, method, path, body);
  const create = async (name: string, definition: unknown = completeGraph()) =>
    idAt(
      (await ask('POST', '/workflow/create/definition', { name, workflow_definition: definition })).body,
      'id',
    );
  const page = async (query = '') => (await ask('GET', `/workflow/overview${query}`)).body;
  const names = async (query: string) => {
    const items = at(await page(query), 'items');
    return Array.isArray(items) ? items.map((item: unknown) => at(item, 'name')) : items;
  };
  const only = async () => at(await page(), 'items', 0);

  test('an agent shows its versions, its folder, its author and a picture of its graph', async () => {
    const id = await create('Order desk');
    const folder = await ask('POST', '/folder/', { name: 'Shop' });
    await ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(idAt(folder.body, 'id')) });
    const published = await only();
    expect(published).toMatchObject({
      id: Number(id),
      name: 'Order desk',
      status: 'active',
      folder: { id: Number(idAt(folder.body, 'id')), name: 'Shop' },
      published: { version_number: 1, at: expect.any(String) },
      draft: null,
      problems: 0,
      changed_by: { type: 'api_key', id: expect.any(Number), name: 'Test key' },
      outline: {
        nodes: [
          { id: 's', type: 'startCall', x: 0, y: 0 },
          { id: 'a', type: 'agentNode', x: 0, y: 0 },
          { id: 'e', type: 'endCall', x: 0, y: 0 },
        ],
        edges: [
          ['s', 'a'],
          ['a', 'e'],
        ],
      },
    });
  });

  test('a draft shows how many nodes, edges, settings and test values are ahead, and its faults', async () => {
    const id = await create('Order desk');
    const graph = completeGraph('Good day');
    const moved = graph.nodes.map((node) => ({ ...Object(node), position: { x: 9, y: 9 } }));
    await ask('PUT', `/workflow/${id}`, {
      workflow_definition: { nodes: moved.slice(0, 2), edges: graph.edges.slice(0, 1) },
      workflow_configurations: { dictionary: 'Chen' },
      template_context_variables: { first_name: 'Ada' },
    });
    // changed: the greeting; gone: the end and its edge; new: a setting and a test value
    expect(await only()).toMatchObject({ draft: { version_number: 2, changes: 5 }, problems: 0 });
    await ask('PUT', `/workflow/${id}`, { workflow_definition: { nodes: [], edges: [] } });
    expect(await only()).toMatchObject({ problems: 1, outline: { nodes: [], edges: [] } });
  });

  test('the models that it sets itself are those of the published version', async () => {
    const id = await create('Order desk');
    expect(await only()).toMatchObject({ own_models: [] });
    const own = (vendor: string) => ({
      llm: { provider: 'openai', model: vendor, api_key: 'key-1' },
      tts: { voice: '' },
    });
    await ask('PUT', `/workflow/${id}`, { workflow_configurations: { model_overrides: own('gpt-5') } });
    expect(await only()).toMatchObject({ own_models: [] });
    await ask('POST', `/workflow/${id}/publish`);
    expect(await only()).toMatchObject({ own_models: ['llm'] });
  });

  test('campaigns that may still dial, numbers and trigger paths are its uses, those of others are not', async () => {
    const id = Number(await create('Order desk', triggeredGraph('order-desk')));
    const directory = await insertDirectory(database.db, tenant.organizationId);
    const running = await insertCampaign(database.db, directory, {
      agentId: id,
      name: 'May',
      state: 'running',
    });
    await insertCampaign(database.db, directory, { agentId: id, name: 'April', state: 'completed' });
    const { numberIds } = await insertConnection(database.db, tenant.organizationId);
    await database.db
      .getRepository(phoneNumbers)
      .update({ id: numberIds[0] ?? 0 }, { inboundAgentId: id, label: 'Desk' });
    expect(await only()).toMatchObject({
      used_by: {
        campaigns: [{ id: running.id, name: 'May', state: 'running' }],
        phone_numbers: [{ id: numberIds[0], address: expect.any(String), label: 'Desk' }],
        trigger_paths: ['order-desk'],
      },
    });
  });

  test('figures are those of the calls of the last 7 days', async () => {
    const id = Number(await create('Order desk'));
    const owner = {
      organizationId: tenant.organizationId,
      agentId: id,
      versionId: (await database.db.getRepository(agentVersions).findOneByOrFail({ agentId: id })).id,
    };
    const recent = new Date(Date.now() - day);
    const [spoken] = await insertCalls(
      database.db,
      owner,
      { createdAt: recent, disposition: 'booked', channel: 'phone', mode: 'telnyx' },
      { createdAt: recent, disposition: 'booked' },
      { createdAt: recent, disposition: 'refused' },
      { createdAt: recent },
      { createdAt: new Date(Date.now() - 8 * day), disposition: 'booked' },
    );
    await insertTurn(
      { db: database.db, organizationId: owner.organizationId, clock: systemClock },
      spoken ?? 0,
      'hi',
    );
    await database.db.getRepository(turns).update(
      { callId: spoken ?? 0 },
      {
        events: [
          { type: 'rtf-latency-measured', payload: { latency_seconds: 0.8126 } },
          { type: 'rtf-ttfb-metric', payload: { ttfb_seconds: 3 } },
          { type: 'rtf-latency-measured', payload: { latency_seconds: 0.3 } },
        ],
      },
    );
    expect(await only()).toMatchObject({
      last_7_days: {
        calls: 4,
        outcomes: [
          { disposition: 'booked', calls: 2 },
          { disposition: 'refused', calls: 1 },
        ],
        latency_p95_ms: 813,
      },
    });
  });

  test('search, status, folder, order and pages select agents', async () => {
    const [first] = [await create('Alpha 100%'), await create('beta'), await create('Gamma ALPHA')];
    await ask('PUT', `/workflow/${first}/status`, { status: 'archived' });
    const folder = idAt((await ask('POST', '/folder/', { name: 'Shop' })).body, 'id');
    await ask('PUT', `/workflow/${first}/folder`, { folder_id: Number(folder) });
    expect([
      await names('?sort_by=name&sort_order=asc'),
      await names('?sort_by=created_at'),
      await names('?search=alpha&sort_by=name&sort_order=asc'),
      await names('?search=%25'),
      await names('?status=archived'),
      await names(`?folder_id=${folder}`),
      await names('?folder_id=none&sort_by=name&sort_order=desc'),
      await names('?sort_by=name&sort_order=asc&limit=1&offset=1'),
      await names(''),
    ]).toEqual([
      ['Alpha 100%', 'beta', 'Gamma ALPHA'],
      ['Gamma ALPHA', 'beta', 'Alpha 100%'],
      ['Alpha 100%', 'Gamma ALPHA'],
      ['Alpha 100%'],
      ['Alpha 100%'],
      ['Alpha 100%'],
      ['Gamma ALPHA', 'beta'],
      ['beta'],
      ['Alpha 100%', 'Gamma ALPHA', 'beta'],
    ]);
    expect(await page('?search=alpha&limit=1')).toMatchObject({ total_count: 2, limit: 1, offset: 0 });
    expect((await ask('GET', '/workflow/overview?status=gone')).status).toBe(422);
  });

  test('another organization sees none of it, and its folders select nothing', async () => {
    await create('Order desk', triggeredGraph('desk-of-one'));
    const folder = idAt((await ask('POST', '/folder/', { name: 'Shop' })).body, 'id');
    const stranger = await createTenant(database.db);
    const seen = async (query: string) =>
      (await api.ask(stranger.key, 'GET', `/workflow/overview${query}`)).body;
    expect([await seen(''), await seen(`?folder_id=${folder}`)]).toEqual([
      { items: [], total_count: 0, limit: 50, offset: 0 },
      { items: [], total_count: 0, limit: 50, offset: 0 },
    ]);
  });

  test('the author is the user who changed it last, by name or email', async () => {
    const id = await create('Order desk');
    const email = `${tenant.userId}@people.example.test`;
    await database.db.getRepository(users).update({ id: tenant.userId }, { email, name: null });
    const ctx = { ...(await createTestContext(database.db)), organizationId: tenant.organizationId };
    await changeAgentState({
      ctx: { ...ctx, actor: { kind: 'user', userId: tenant.userId } },
      input: { agentId: Number(id), state: 'archived' },
    });
    expect(await only()).toMatchObject({ changed_by: { type: 'user', id: tenant.userId, name: email } });
  });

  test('500 agents take as many statements as 2', async () => {
    const ids = [Number(await create('Agent 1')), Number(await create('Agent 2'))];
    const agentRows = database.db.getRepository(agents);
    const versionRows = database.db.getRepository(agentVersions);
    const { id: _id, uuid: _uuid, ...agent } = await agentRows.findOneByOrFail({ id: ids[0] ?? 0 });
    const { id: _version, ...version } = await versionRows.findOneByOrFail({ agentId: ids[0] ?? 0 });
    const ctx = { ...(await createTestContext(database.db)), organizationId: tenant.organizationId };
    const input = {
      search: '',
      states: ['active' as const],
      folder: undefined,
      sortBy: 'name' as const,
      sortOrder: 'asc' as const,
      limit: 500,
      offset: 0,
    };
    const few = await recordQueries(database.db, () =>
      listAgentOverviews({ ctx, input: { ...input, limit: 2 } }),
    );
    await agentRows.insert(
      Array.from({ length: 498 }, (_each, index) => ({
        ...agent,
        uuid: ctx.ids.uuid(),
        name: `Agent ${index + 3}`,
      })),
    );
    const made = await agentRows.findBy({ organizationId: tenant.organizationId, id: Not(In(ids)) });
    await versionRows.insert(made.map(({ id }) => columns<AgentVersionRow>({ ...version, agentId: id })));
    await database.db.query(
      'UPDATE agents JOIN agent_versions ON agent_versions.agent_id = agents.id SET agents.published_version_id = agent_versions.id WHERE agents.organization_id = ?',
      [tenant.organizationId],
    );
    let shown = 0;
    const many = await recordQueries(database.db, async () => {
      shown = (await listAgentOverviews({ ctx, input })).items.length;
    });
    expect([shown, many.length]).toEqual([500, few.length]);
  });
});

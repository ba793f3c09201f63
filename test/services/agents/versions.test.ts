import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Workflow } from '../../../src/contract/agents.ts';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import { auditEvents } from '../../../src/db/tables/audit-events.ts';
import { NotFoundError } from '../../../src/domain/errors.ts';
import { GraphError } from '../../../src/domain/graph/faults.ts';
import {
  createAgent,
  createDraft,
  findRunnableVersion,
  getAgent,
  listAgents,
  listVersions,
  publishDraft,
  updateAgent,
  validateAgent,
} from '../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { claimIdempotencyKey } from '../../../src/services/kernel/index.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../support/database.ts';
import { node, threeStepDefinition } from '../../support/definitions.ts';

const definition = threeStepDefinition({ webhook: false });
const other = threeStepDefinition({ greeting: 'Another greeting.', webhook: false });

describe.each(databases)('agents and their versions on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let stranger: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    stranger = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const create = (): Promise<Workflow> => createAgent({ ctx, input: { name: 'An agent', definition } });
  const update = (agentId: number, change: Omit<Parameters<typeof updateAgent>[0]['input'], 'agentId'>) =>
    updateAgent({ ctx, input: { agentId, ...change } });
  const publish = (agentId: number) => publishDraft({ ctx, input: { agentId } });
  const versions = async (agentId: number) =>
    (await listVersions({ ctx, input: { agentId, limit: 100, offset: 0 } })).map(
      ({ version_number: number, status }) => `${number} ${status}`,
    );

  test('the list without replaced drafts has what was ever published, and the draft', async () => {
    const { id } = await create();
    const save = async (greeting: string) =>
      await update(id, { definition: threeStepDefinition({ greeting, webhook: false }) });
    await save('two');
    await save('three');
    await publish(id);
    await save('four');
    await save('five');
    expect(await versions(id)).toEqual(['5 draft', '4 archived', '3 published', '2 archived', '1 archived']);
    const page = { agentId: id, limit: 2, isPublishedOnly: true };
    const listed = [
      ...(await listVersions({ ctx, input: { ...page, offset: 0 } })),
      ...(await listVersions({ ctx, input: { ...page, offset: 2 } })),
    ];
    expect(listed.map(({ version_number: n }) => n)).toEqual([5, 3, 1]);
  });

  test('create: version 1 is published, and the answer has every field', async () => {
    const agent = await create();
    expect(agent).toEqual({
      id: expect.any(Number),
      name: 'An agent',
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      workflow_definition: definition,
      current_definition_id: expect.any(Number),
      template_context_variables: {},
      call_disposition_codes: { disposition_codes: [] },
      total_runs: 0,
      workflow_configurations: {},
      version_number: 1,
      version_status: 'published',
      workflow_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await getAgent({ ctx, input: { agentId: agent.id } })).toEqual(agent);
    const [version] = await listVersions({ ctx, input: { agentId: agent.id, limit: 1, offset: 0 } });
    expect(version).toMatchObject({
      id: agent.current_definition_id,
      published_at: expect.any(String),
      workflow_json: definition,
    });
  });

  test('update with a definition: a new draft; the published row is untouched', async () => {
    const { id, current_definition_id: published } = await create();
    const changed = await update(id, { definition: other });
    expect(changed).toMatchObject({
      version_number: 2,
      version_status: 'draft',
      workflow_definition: other,
      current_definition_id: published,
    });
    expect(await versions(id)).toEqual(['2 draft', '1 published']);
  });

  test('update with a definition while a draft exists: a new row; the former draft is archived unchanged', async () => {
    const { id } = await create();
    await update(id, { definition: other });
    await update(id, { definition });
    expect(await versions(id)).toEqual(['3 draft', '2 archived', '1 published']);
    const [, second] = await listVersions({ ctx, input: { agentId: id, limit: 100, offset: 0 } });
    expect(second?.workflow_json).toEqual(other);
  });

  test.each<[string, { settings?: Record<string, unknown>; testValues?: Record<string, unknown> }]>([
    ['settings', { settings: { max_call_duration: 600 } }],
    ['test values', { testValues: { name: 'Maria' } }],
  ])(
    'update with %s only, no draft: a copy of the published version with the change',
    async (_what, change) => {
      const { id, current_definition_id: published } = await create();
      const changed = await update(id, change);
      expect(changed).toMatchObject({
        version_number: 2,
        version_status: 'draft',
        workflow_definition: definition,
        current_definition_id: published,
      });
      const [draft, first] = await listVersions({ ctx, input: { agentId: id, limit: 100, offset: 0 } });
      expect([draft?.workflow_configurations, draft?.template_context_variables]).toEqual([
        change.settings ?? {},
        change.testValues ?? {},
      ]);
      expect([first?.workflow_configurations, first?.template_context_variables]).toEqual([{}, {}]);
    },
  );

  test('update with settings or test values only while a draft exists: changed in place, replaced as a whole', async () => {
    const { id } = await create();
    await update(id, { definition: other, settings: { max_call_duration: 600 } });
    expect(await update(id, { testValues: { name: 'Maria' } })).toMatchObject({
      version_number: 2,
      version_status: 'draft',
      workflow_definition: other,
      workflow_configurations: { max_call_duration: 600 },
    });
    const changed = await update(id, { settings: { max_user_idle_timeout: 5 } });
    expect(changed).toMatchObject({ version_number: 2, template_context_variables: { name: 'Maria' } });
    expect(changed.workflow_configurations).toEqual({ max_user_idle_timeout: 5 });
    expect((await update(id, { settings: {} })).workflow_configurations).toEqual({});
    expect(await versions(id)).toEqual(['2 draft', '1 published']);
  });

  test('update with a name only, or with nothing: no version is touched', async () => {
    const agent = await create();
    expect(await update(agent.id, { name: '' })).toEqual({ ...agent, name: '' });
    expect(await update(agent.id, {})).toEqual({ ...agent, name: '' });
    expect(await versions(agent.id)).toEqual(['1 published']);
  });

  test('an update with a definition keeps settings and test values of the previous version', async () => {
    const { id } = await create();
    await update(id, { settings: { dictionary: 'Chen' }, testValues: { name: 'Maria' } });
    expect(await update(id, { definition: other })).toMatchObject({
      version_number: 3,
      workflow_configurations: { dictionary: 'Chen' },
      template_context_variables: { name: 'Maria' },
    });
  });

  test('create-draft: a copy of the published version, and the same draft when repeated', async () => {
    const { id } = await create();
    const draft = await createDraft({ ctx, input: { agentId: id } });
    expect(draft).toMatchObject({
      version_number: 2,
      status: 'draft',
      published_at: null,
      workflow_json: definition,
    });
    expect(await createDraft({ ctx, input: { agentId: id } })).toEqual(draft);
    expect(await versions(id)).toEqual(['2 draft', '1 published']);
  });

  test('publish: the draft is published, the previous version is archived, and the record refers to the draft', async () => {
    const { id } = await create();
    await update(id, { definition: other });
    const published = await publish(id);
    expect(published).toEqual({
      id: expect.any(Number),
      version_number: 2,
      status: 'published',
      published_at: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect(await getAgent({ ctx, input: { agentId: id } })).toMatchObject({
      current_definition_id: published.id,
      version_number: 2,
      version_status: 'published',
    });
    expect(await versions(id)).toEqual(['2 published', '1 archived']);
  });

  test('publish without a draft is refused with 400', async () => {
    const { id } = await create();
    await expect(publish(id)).rejects.toMatchObject({ status: 400, message: 'No draft to publish' });
  });

  test('an incomplete graph is a draft, but cannot be published, validated or run', async () => {
    const { id } = await createAgent({ ctx, input: { name: 'Empty', definition: {} } });
    await update(id, {
      definition: { nodes: [node('a', 'agentNode', { name: 'A', prompt: '' })], edges: [] },
    });
    for (const act of [
      () => publish(id),
      () => validateAgent({ ctx, input: { agentId: id } }),
      () => findRunnableVersion(database.db.manager, ctx, id),
    ]) {
      const refused: unknown = await act().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(GraphError);
      expect(refused).toMatchObject({ status: 422, detail: { is_valid: false } });
    }
    expect(await versions(id)).toEqual(['2 draft', '1 published']);
  });

  test('validate checks the draft, else the published version, and changes nothing', async () => {
    const { id } = await create();
    expect(await validateAgent({ ctx, input: { agentId: id } })).toEqual({ is_valid: true, errors: [] });
    await update(id, { definition: {} });
    await expect(validateAgent({ ctx, input: { agentId: id } })).rejects.toBeInstanceOf(GraphError);
    expect(await versions(id)).toEqual(['2 draft', '1 published']);
  });

  test('a version number is never reused, even after a draft was replaced and published', async () => {
    const { id } = await create();
    await update(id, { definition: other });
    await publish(id);
    await update(id, { definition });
    await update(id, { definition: other });
    await publish(id);
    await createDraft({ ctx, input: { agentId: id } });
    expect(await versions(id)).toEqual(['5 draft', '4 published', '3 archived', '2 archived', '1 archived']);
  });

  test('updates at the same time give consecutive numbers and one draft', async () => {
    const { id } = await create();
    const changed = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        update(id, { definition: threeStepDefinition({ greeting: `Greeting ${index}`, webhook: false }) }),
      ),
    );
    expect(
      changed.map((each) => each.version_number).toSorted((one, two) => Number(one) - Number(two)),
    ).toEqual([2, 3, 4, 5, 6, 7]);
    expect((await versions(id)).filter((each) => each.endsWith('draft'))).toEqual(['7 draft']);
  });

  test('an update and a publish at the same time leave one draft at most and one published version', async () => {
    const { id } = await create();
    await update(id, { definition: other });
    await Promise.all([
      publish(id),
      update(id, { definition }),
      update(id, { settings: { dictionary: 'x' } }),
    ]);
    const states = (await versions(id)).map((each) => each.split(' ')[1]);
    expect(states.filter((state) => state === 'published')).toHaveLength(1);
    expect(states.filter((state) => state === 'draft').length).toBeLessThanOrEqual(1);
  });

  test('create and update drop data that a node kind does not define; other keys stay', async () => {
    const messy = {
      ...definition,
      viewport: { x: 1 },
      nodes: [
        { ...node('start', 'startCall', { name: 'Start', prompt: 'p', unknown: 1 }), measured: { w: 2 } },
      ],
      edges: [],
    };
    const created = await createAgent({ ctx, input: { name: 'Messy', definition: messy } });
    const clean = {
      viewport: { x: 1 },
      nodes: [{ measured: { w: 2 }, data: { name: 'Start', prompt: 'p' } }],
    };
    expect(created.workflow_definition).toMatchObject(clean);
    expect(JSON.stringify(created.workflow_definition)).not.toContain('unknown');
    expect(
      JSON.stringify((await update(created.id, { definition: messy })).workflow_definition),
    ).not.toContain('unknown');
  });

  test('a definition and settings keep key order, __proto__ keys and lone surrogates', async () => {
    const given: Record<string, unknown> = JSON.parse(
      String.raw`{"zebra":"\ud83d","__proto__":{"a":1},"nodes":[],"edges":[],"apple":{"b":1,"a":2}}`,
    );
    const created = await createAgent({ ctx, input: { name: 'Odd', definition: given } });
    expect(JSON.stringify(created.workflow_definition)).toBe(JSON.stringify(given));
    const changed = await update(created.id, { settings: given, testValues: given });
    expect([
      JSON.stringify(changed.workflow_configurations),
      JSON.stringify(changed.template_context_variables),
    ]).toEqual([JSON.stringify(given), JSON.stringify(given)]);
  });

  test('a graph that cannot be stored is refused, and nothing is stored', async () => {
    const two = {
      nodes: [
        node('a', 'startCall', { name: 'A', prompt: 'p' }),
        node('b', 'startCall', { name: 'B', prompt: 'p' }),
      ],
      edges: [],
    };
    const before = await listAgents({ ctx, input: { states: ['active'] } });
    await expect(createAgent({ ctx, input: { name: 'Two', definition: two } })).rejects.toMatchObject({
      status: 422,
      detail: { is_valid: false },
    });
    expect(await listAgents({ ctx, input: { states: ['active'] } })).toEqual(before);
    const { id } = await create();
    await expect(update(id, { definition: two, name: 'Renamed' })).rejects.toMatchObject({ status: 409 });
    expect(await getAgent({ ctx, input: { agentId: id } })).toMatchObject({
      name: 'An agent',
      version_number: 1,
    });
  });

  test('every operation refuses other organizations and impossible ids', async () => {
    const { id } = await create();
    for (const [who, agentId] of [
      [stranger, id],
      [ctx, 999_999_999],
      [ctx, -1],
      [ctx, 0],
      [ctx, 2 ** 53],
      [ctx, 1e30],
    ] as const) {
      const input = { agentId };
      const acts = [
        () => getAgent({ ctx: who, input }),
        () => updateAgent({ ctx: who, input: { agentId, name: 'Stolen' } }),
        () => updateAgent({ ctx: who, input: { agentId, definition: other } }),
        () => publishDraft({ ctx: who, input }),
        () => createDraft({ ctx: who, input }),
        () => validateAgent({ ctx: who, input }),
        () => listVersions({ ctx: who, input: { agentId, limit: 1, offset: 0 } }),
        () => findRunnableVersion(database.db.manager, who, agentId),
      ];
      for (const act of acts) await expect(act()).rejects.toBeInstanceOf(NotFoundError);
    }
    expect(await getAgent({ ctx, input: { agentId: id } })).toMatchObject({
      name: 'An agent',
      version_number: 1,
    });
    expect((await listAgents({ ctx: stranger, input: { states: ['active', 'archived'] } })).length).toBe(0);
  });

  test('an unknown agent gets the error message of the contract', async () => {
    await expect(getAgent({ ctx, input: { agentId: 9999 } })).rejects.toThrow(
      'Workflow with ID 9999 not found',
    );
  });

  test('the list is newest first, by state, with the published fields', async () => {
    const own = await createTestContext(database.db);
    const made: number[] = [];
    for (const name of ['One', 'Two', 'Three'])
      made.push((await createAgent({ ctx: own, input: { name, definition } })).id);
    const list = await listAgents({ ctx: own, input: { states: ['active'] } });
    expect(list.map((each) => each.id)).toEqual(made.toReversed());
    expect(list[0]).toEqual({
      id: made[2],
      name: 'Three',
      status: 'active',
      created_at: expect.any(String),
      total_runs: 0,
      folder_id: null,
      workflow_uuid: expect.any(String),
    });
    expect(await listAgents({ ctx: own, input: { states: ['archived'] } })).toEqual([]);
    expect(await listAgents({ ctx: own, input: { states: [] } })).toEqual([]);
  });

  test('versions are paged, newest first', async () => {
    const { id } = await create();
    for (let index = 0; index < 4; index += 1) await update(id, { definition: other });
    const page = await listVersions({ ctx, input: { agentId: id, limit: 2, offset: 1 } });
    expect(page.map((each) => each.version_number)).toEqual([4, 3]);
    expect(await listVersions({ ctx, input: { agentId: id, limit: 2, offset: 100 } })).toEqual([]);
    expect(await listVersions({ ctx, input: { agentId: id, limit: 2, offset: 1e300 } })).toEqual([]);
  });

  test('every change writes an audit row in its transaction, with actor and action', async () => {
    const { id } = await create();
    await update(id, { definition: other, name: 'Another name' });
    await publish(id);
    const events = await database.db
      .getRepository(auditEvents)
      .find({ where: { subjectKind: 'agent', subjectId: id }, order: { id: 'ASC' } });
    expect(events.map((event) => event.action)).toEqual([
      'agent.created',
      'agent.updated',
      'agent.published',
    ]);
    for (const event of events)
      expect(event).toMatchObject({
        organizationId: ctx.organizationId,
        actorKind: 'user',
        requestId: 'test-request',
      });
    expect(events[1]?.diff?.operations).toContainEqual({
      op: 'replace',
      path: '/name',
      old_value: expect.any(String),
      value: 'Another name',
    });
  });

  test('a creation whose answer was lost is completed by the next request with its key, with one agent', async () => {
    const own = await createTestContext(database.db);
    const input = { key: 'create-once', requestHash: 'a'.repeat(64) };
    const first: ServiceContext = { ...own, clock: { now: () => new Date(Date.now() - 60_000) } };
    await claimIdempotencyKey({ ctx: first, input });
    const made = await createAgent({ ctx: first, input: { name: 'Once', definition } });
    const second: ServiceContext = { ...own };
    expect(await claimIdempotencyKey({ ctx: second, input })).toEqual({ kind: 'claimed' });
    expect(await createAgent({ ctx: second, input: { name: 'Once', definition } })).toEqual(made);
    expect(await listAgents({ ctx: own, input: { states: ['active'] } })).toHaveLength(1);
  });

  /** Runs an operation as a request that died after its work, and again 30 s later with the same key. */
  const repeated = async <T>(
    key: string,
    verb: (ctx: ServiceContext) => Promise<T>,
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<[T, T]> => {
    const input = { key, requestHash: 'a'.repeat(64) };
    const first: ServiceContext = { ...ctx, clock: { now: () => new Date(Date.now() - 60_000) } };
    await claimIdempotencyKey({ ctx: first, input });
    const answer = await verb(first);
    await between();
    const second: ServiceContext = { ...ctx };
    await claimIdempotencyKey({ ctx: second, input });
    return [answer, await verb(second)];
  };

  test('a publication whose answer was lost returns the same answer for its key, and publishes no later draft', async () => {
    const { id } = await create();
    await update(id, { definition: other });
    const [first, second] = await repeated(
      'publish-once',
      (as) => publishDraft({ ctx: as, input: { agentId: id } }),
      () => update(id, { definition }),
    );
    expect(second).toEqual(first);
    expect(await versions(id)).toEqual(['3 draft', '2 published', '1 archived']);
  });

  test('a draft whose answer was lost is returned again for its key, even after it was published', async () => {
    const { id } = await create();
    const [first, second] = await repeated(
      'draft-once',
      (as) => createDraft({ ctx: as, input: { agentId: id } }),
      () => publish(id),
    );
    expect(second).toMatchObject({ id: first.id, version_number: 2, status: 'published' });
    expect(await versions(id)).toEqual(['2 published', '1 archived']);
  });

  test('the hash of a version depends on its definition', async () => {
    const { current_definition_id: id } = await create();
    const row = await database.db.getRepository(agentVersions).findOneByOrFail({ id: Number(id) });
    expect(row.definitionSha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

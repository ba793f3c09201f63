import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('the audit log on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; userId: number; key: string };
  let agentId: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    owner = await createTenant(database.db);
    const made = await change('POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: completeGraph(),
    });
    agentId = idAt(made.body, 'id');
    await change('PUT', `/workflow/${agentId}`, { name: 'b' });
    await change('PUT', `/workflow/${agentId}`, { workflow_definition: completeGraph('Good morning') });
    await change('POST', '/folder/', { name: 'f' });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  let requests = 0;
  const change = (method: string, path: string, body: unknown) => {
    requests += 1;
    return api.send({ 'x-api-key': owner.key, 'x-request-id': `request-${requests}` }, method, path, body);
  };
  const list = (query = '', key = owner.key) => api.ask(key, 'GET', `/organizations/audit-log${query}`);
  const actionsOf = (answer: { body: unknown }): unknown[] => {
    const items = at(answer.body, 'items');
    return Array.isArray(items) ? items.map((item) => at(item, 'action')) : [];
  };

  test('shows who changed what, newest first, with key and request', async () => {
    const { status, body } = await list('?limit=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      items: [
        {
          action: 'folder.created',
          object_type: 'folder',
          request_id: 'request-4',
          actor: {
            type: 'api_key',
            name: 'Test key',
            key_prefix: owner.key.slice(0, 8),
            user_id: owner.userId,
          },
        },
        {
          action: 'agent.updated',
          object_type: 'agent',
          object_id: agentId,
          request_id: 'request-3',
          details: { version: 2 },
        },
      ],
      has_more: true,
    });
  });

  const detailOf = async (query: string) =>
    (
      await api.ask(
        owner.key,
        'GET',
        `/organizations/audit-log/${idAt((await list(`${query}&limit=1`)).body, 'items', 0, 'id')}`,
      )
    ).body;

  test('shows the values before and after a change, at stable paths', async () => {
    expect(await detailOf('?request_id=request-2')).toMatchObject({
      action: 'agent.updated',
      details: { fields: ['name'] },
      diff: [{ op: 'replace', path: '/name', old_value: 'a', value: 'b' }],
      diff_is_complete: true,
    });
    const graph = completeGraph('Good morning');
    const last = { id: 'x', type: 'agentNode', position: { x: 0, y: 0 }, data: { name: 'X', prompt: 'X' } };
    const [start, ...others] = graph.nodes;
    await change('PUT', `/workflow/${agentId}`, {
      workflow_definition: { ...graph, nodes: [last, ...others, start] },
    });
    expect(at(await detailOf(`?request_id=request-${requests}`), 'diff')).toEqual([
      { op: 'add', path: '/workflow_definition/nodes/x', value: last },
      { op: 'replace', path: '/version_number', old_value: 2, value: 3 },
    ]);
    await change('PUT', `/workflow/${agentId}`, { workflow_definition: graph });
    await change('POST', `/workflow/${agentId}/publish`, undefined);
    const published = await detailOf('?action=agent.published');
    expect(published).toMatchObject({
      details: { version: 4, replaced: 1 },
      diff: expect.arrayContaining([
        {
          op: 'replace',
          path: '/workflow_definition/nodes/s/data/greeting',
          old_value: 'Hello {{first_name}}',
          value: 'Good morning',
        },
      ]),
    });
  });

  test('masks secrets, and shows only that test values and test numbers changed', async () => {
    const graph = completeGraph();
    const qa = {
      id: 'q',
      type: 'qa',
      position: { x: 0, y: 0 },
      data: { name: 'QA', qa_api_key: 'sk-never-in-the-log-1234' },
    };
    await change('PUT', `/workflow/${agentId}`, {
      workflow_definition: { ...graph, nodes: [...graph.nodes, qa] },
      template_context_variables: { caller: 'Anna Example' },
      workflow_configurations: {
        model_overrides: { llm: { provider: 'groq', model: 'm', api_key: 'sk-nor-this-5678' } },
      },
    });
    await change('PUT', '/organizations/preferences', { test_phone_number: '12025550199' });
    const [updated, preferences] = [
      await detailOf(`?request_id=request-${requests - 1}`),
      await detailOf(`?request_id=request-${requests}`),
    ];
    expect(at(updated, 'details', 'fields')).toEqual([
      'workflow_definition',
      'template_context_variables',
      'workflow_configurations',
    ]);
    expect(JSON.stringify(updated)).toContain('********************1234');
    for (const hidden of ['sk-never', 'sk-nor', 'Anna'])
      expect(JSON.stringify(updated)).not.toContain(hidden);
    expect(at(preferences, 'diff')).toEqual([
      { op: 'replace', path: '/test_phone_number', old_value: null, value: '[a number]' },
    ]);
  });

  test('has no entry for a request without a change', async () => {
    const before = actionsOf(await list('?limit=100')).length;
    expect((await change('PUT', `/workflow/${agentId}`, {})).status).toBe(200);
    expect((await change('PUT', `/workflow/${agentId}/status`, { status: 'active' })).status).toBe(200);
    expect((await change('PUT', '/organizations/preferences', {})).status).toBe(200);
    expect(actionsOf(await list('?limit=100'))).toHaveLength(before);
  });

  test('shows changes of the service itself as its own', async () => {
    const made = await list('?actor_type=system&action=organization.created');
    expect(made.body).toMatchObject({
      items: [
        {
          actor: { type: 'system', id: null, name: 'test', key_prefix: null, user_id: null },
          request_id: null,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  test('combines filters with AND', async () => {
    const newest = (await list('?action=folder.created')).body;
    const madeAt = String(at(newest, 'items', 0, 'created_at'));
    const actorId = String(at(newest, 'items', 0, 'actor', 'id'));
    const expected: [string, string[]][] = [
      [
        `?object_type=agent&object_id=${agentId}&to=${encodeURIComponent(madeAt)}`,
        ['agent.updated', 'agent.updated', 'agent.created'],
      ],
      ['?action=folder.created', ['folder.created']],
      ['?request_id=request-2', ['agent.updated']],
      [
        `?actor_type=api_key&actor_id=${actorId}&to=${encodeURIComponent(madeAt)}`,
        ['agent.updated', 'agent.updated', 'agent.created'],
      ],
      [`?actor_type=user&actor_id=${actorId}`, []],
      [`?from=${encodeURIComponent(madeAt)}&object_type=folder`, ['folder.created']],
      [`?to=${encodeURIComponent(madeAt)}&object_type=folder`, []],
      ['?object_id=unknown', []],
    ];
    for (const [query, actions] of expected)
      expect([query, actionsOf(await list(query))]).toEqual([query, actions]);
    expect((await list('?from=yesterday&actor_type=nobody')).status).toBe(422);
  });

  test('pages have each entry once, even if entries are added meanwhile', async () => {
    const whole = actionsOf(await list('?limit=100'));
    const pages: unknown[] = [];
    for (let from = ''; ;) {
      const page = await list(`?limit=2${from}`);
      pages.push(...actionsOf(page));
      if (from === '') await change('POST', '/folder/', { name: 'meanwhile' });
      if (at(page.body, 'has_more') !== true) break;
      from = `&cursor=${idAt(page.body, 'next_cursor')}`;
    }
    expect(pages).toEqual(whole);
  });

  test('requires the scope admin, and shows nothing of other organizations', async () => {
    const reader = String(
      at(
        (await api.ask(owner.key, 'POST', '/user/api-keys', { name: 'reader', scopes: ['read'] })).body,
        'api_key',
      ),
    );
    expect((await list('', reader)).status).toBe(403);
    const other = await createTenant(database.db);
    expect(
      actionsOf(await list('', other.key))
        .map(String)
        .toSorted(),
    ).toEqual(['api_key.created', 'organization.created', 'user.created', 'webhook_secret.added']);
    const id = idAt((await list('?limit=1')).body, 'items', 0, 'id');
    expect((await api.ask(other.key, 'GET', `/organizations/audit-log/${id}`)).status).toBe(404);
    expect((await api.ask(owner.key, 'GET', '/organizations/audit-log/nothing')).status).toBe(404);
  });
});

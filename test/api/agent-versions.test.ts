import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { publishDraft, restoreVersion } from '../../src/services/agents/index.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { insertCampaign, insertDirectory } from '../support/campaign-rows.ts';
import { insertCalls } from '../support/call-rows.ts';
import { createTestContext, createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('versions with authors, notes and calls on %s (contract 1.5)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let id: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  beforeEach(async () => {
    tenant = await createTenant(database.db);
    id = idAt(
      (
        await ask('POST', '/workflow/create/definition', {
          name: 'Desk',
          workflow_definition: completeGraph(),
        })
      ).body,
      'id',
    );
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(tenant.key, method, path, body);
  const edit = (greeting: string) =>
    ask('PUT', `/workflow/${id}`, { workflow_definition: completeGraph(greeting) });
  const versions = async () => (await ask('GET', `/workflow/${id}/versions`)).body;
  const byKey = { type: 'api_key', id: expect.any(Number), name: 'Test key' };

  test('each version names who made it and who published it', async () => {
    await edit('Second');
    const ctx = {
      ...(await createTestContext(database.db)),
      organizationId: tenant.organizationId,
      actor: { kind: 'user' as const, userId: tenant.userId },
    };
    await publishDraft({ ctx, input: { agentId: Number(id) } });
    await restoreVersion({ ctx, input: { agentId: Number(id), versionNumber: 1, note: 'As in May' } });
    const byUser = { type: 'user', id: tenant.userId, name: expect.any(String) };
    expect(await versions()).toMatchObject([
      { version_number: 3, note: 'As in May', author: byUser, published_by: null, calls: 0 },
      { version_number: 2, note: null, author: byKey, published_by: byUser, calls: 0 },
      { version_number: 1, note: null, author: byKey, published_by: byKey, calls: 0 },
    ]);
    const copy = idAt((await ask('POST', `/workflow/${id}/duplicate`)).body, 'id');
    expect((await ask('GET', `/workflow/${copy}/versions/1`)).body).toMatchObject({
      author: byKey,
      published_by: byKey,
    });
  });

  test('a note is kept with the version, and publishing without one keeps that of the draft', async () => {
    await edit('Second');
    expect((await ask('POST', `/workflow/${id}/publish?note=Asks+first`)).status).toBe(200);
    await ask('POST', `/workflow/${id}/versions/1/restore?note=Back`);
    expect((await ask('POST', `/workflow/${id}/publish`)).status).toBe(200);
    expect(await versions()).toMatchObject([{ note: 'Back' }, { note: 'Asks first' }, { note: null }]);
    expect(await ask('POST', `/workflow/${id}/publish?note=${'x'.repeat(501)}`)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'string_too_long', loc: ['query', 'note'] }] },
    });
  });

  test('calls and their outcomes are counted by the version that they are pinned to, and campaigns that are not over are named', async () => {
    await edit('Second');
    const [second] = await database.db
      .getRepository(agentVersions)
      .find({ where: { agentId: Number(id) }, order: { number: 'DESC' } });
    const owner = { organizationId: tenant.organizationId, agentId: Number(id), versionId: second?.id ?? 0 };
    const [busy, won] = [{ disposition: 'busy' }, { disposition: 'user_qualified' }];
    await insertCalls(database.db, owner, busy, won, won, { disposition: null });
    const directory = await insertDirectory(database.db, tenant.organizationId);
    const pinned = { agentId: Number(id), versionId: owner.versionId };
    await insertCampaign(database.db, directory, { ...pinned, name: 'Spring', state: 'running' });
    await insertCampaign(database.db, directory, { ...pinned, name: 'Winter', state: 'completed' });
    expect(await versions()).toMatchObject([
      {
        calls: 4,
        outcomes: [
          { disposition: 'user_qualified', calls: 2 },
          { disposition: 'busy', calls: 1 },
        ],
        pinned_by: [{ name: 'Spring' }],
      },
      { calls: 0, outcomes: [], pinned_by: [] },
    ]);
  });

  test('one version is read whole, with the tag of the agent while it is shown', async () => {
    const [first] = [await ask('GET', `/workflow/fetch/${id}`)];
    expect((await ask('GET', `/workflow/${id}/versions/1`)).body).toMatchObject({
      version_number: 1,
      workflow_json: at(first.body, 'workflow_definition'),
      workflow_configurations: {},
      template_context_variables: {},
      etag: first.headers.get('etag'),
    });
    const second = await edit('Second');
    expect((await ask('GET', `/workflow/${id}/versions/1`)).body).toMatchObject({ etag: null });
    const draft = await ask('GET', `/workflow/${id}/versions/2`);
    expect(draft.body).toMatchObject({ status: 'draft', etag: second.headers.get('etag') });
    const changed = await api.send(
      { 'x-api-key': tenant.key, 'if-match': String(at(draft.body, 'etag')) },
      'PUT',
      `/workflow/${id}`,
      { name: 'Order desk' },
    );
    expect(changed.status).toBe(200);
    expect((await ask('GET', `/workflow/${id}/versions/3`)).status).toBe(404);
  });

  test('another organization can neither read nor name a version', async () => {
    const stranger = await createTenant(database.db);
    const asked = [
      await api.ask(stranger.key, 'GET', `/workflow/${id}/versions`),
      await api.ask(stranger.key, 'GET', `/workflow/${id}/versions/1`),
      await api.ask(stranger.key, 'POST', `/workflow/${id}/versions/1/restore?note=mine`),
    ];
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await versions()).toMatchObject([{ note: null }]);
  });
});

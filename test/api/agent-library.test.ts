import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { definitionPlace } from '../../src/services/kernel/sealed-text.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { openedIn } from '../support/sealed.ts';

describe.each(databases)('status, copies, folders and versions of agents on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  beforeEach(async () => {
    ({ key, organizationId } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const create = async (definition: unknown = completeGraph(), name = 'Order desk') =>
    idAt(
      (await ask('POST', '/workflow/create/definition', { name, workflow_definition: definition })).body,
      'id',
    );
  const bodyOf = async (path: string) => (await ask('GET', path)).body;
  const versionsOf = async (id: string) =>
    list(await bodyOf(`/workflow/${id}/versions`)).map(
      (each) => `${String(at(each, 'version_number'))} ${String(at(each, 'status'))}`,
    );
  const audited = async () =>
    (await database.db.getRepository(auditEvents).findBy({ organizationId })).map(({ action }) => action);
  const list = (body: unknown): unknown[] => (Array.isArray(body) ? body : []);
  const triggered = (path?: string) => ({
    nodes: [
      {
        id: 't',
        type: 'trigger',
        position: { x: 0, y: 0 },
        data: { name: 'Trigger', ...(path === undefined ? {} : { trigger_path: path }) },
      },
    ],
    edges: [],
  });
  const pathIn = (body: unknown) => at(body, 'workflow_definition', 'nodes', 0, 'data', 'trigger_path');

  describe('counting and naming', () => {
    test('counts and summaries follow the status', async () => {
      const [one, two] = [await create(undefined, 'One'), await create(undefined, 'Two')];
      expect(await bodyOf('/workflow/count')).toEqual({ total: 2, active: 2, archived: 0 });
      await ask('PUT', `/workflow/${one}/status`, { status: 'archived' });
      expect(await bodyOf('/workflow/count')).toEqual({ total: 2, active: 1, archived: 1 });
      expect(await bodyOf('/workflow/summary')).toEqual([
        { id: Number(two), name: 'Two' },
        { id: Number(one), name: 'One' },
      ]);
      expect(await bodyOf('/workflow/summary?status=archived')).toEqual([{ id: Number(one), name: 'One' }]);
      expect(await ask('GET', '/workflow/summary?status=gone')).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining("'gone'") },
      });
    });

    test('an organization without agents has zeros, not nulls', async () => {
      expect(await bodyOf('/workflow/count')).toEqual({ total: 0, active: 0, archived: 0 });
    });
  });

  describe('archiving (contract 4.3)', () => {
    test('archiving and reactivating return the complete record and keep all versions', async () => {
      const id = await create();
      await ask('PUT', `/workflow/${id}`, { workflow_definition: completeGraph('Draft') });
      const before = await bodyOf(`/workflow/fetch/${id}`);
      const archived = await ask('PUT', `/workflow/${id}/status`, { status: 'archived' });
      expect(archived).toMatchObject({ status: 200, body: { ...Object(before), status: 'archived' } });
      expect(await versionsOf(id)).toEqual(['2 draft', '1 published']);
      expect((await ask('PUT', `/workflow/${id}/status`, { status: 'active' })).body).toEqual(before);
      expect(await audited()).toEqual(expect.arrayContaining(['agent.archived', 'agent.reactivated']));
    });

    test('archiving an archived agent changes nothing', async () => {
      const id = await create();
      await ask('PUT', `/workflow/${id}/status`, { status: 'archived' });
      expect(await ask('PUT', `/workflow/${id}/status`, { status: 'archived' })).toMatchObject({
        status: 200,
        body: { status: 'archived' },
      });
      expect((await audited()).filter((action) => action === 'agent.archived')).toHaveLength(1);
    });

    test.each([
      [{ status: 'deleted' }, 'literal_error'],
      [{ status: null }, 'literal_error'],
      [{}, 'missing'],
    ])('%j is a field fault', async (body, type) => {
      expect(await ask('PUT', '/workflow/1/status', body)).toMatchObject({
        status: 422,
        body: { detail: [{ type, loc: ['body', 'status'] }] },
      });
    });

    test('an archived agent can still be changed, published and tested in a text session', async () => {
      const id = await create();
      await ask('PUT', `/workflow/${id}/status`, { status: 'archived' });
      expect(
        (await ask('PUT', `/workflow/${id}`, { workflow_definition: completeGraph('Later') })).status,
      ).toBe(200);
      expect((await ask('POST', `/workflow/${id}/publish`)).status).toBe(200);
      expect((await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).status).toBe(200);
      expect(await bodyOf(`/workflow/fetch/${id}`)).toMatchObject({ status: 'archived' });
    });
  });

  describe('copying', () => {
    test('a copy has one published version with graph, settings and test values of the draft', async () => {
      const id = await create();
      const draft = (
        await ask('PUT', `/workflow/${id}`, {
          workflow_definition: completeGraph('Draft'),
          workflow_configurations: { dictionary: 'Chen' },
          template_context_variables: { a: 1 },
        })
      ).body;
      const copy = await ask('POST', `/workflow/${id}/duplicate`);
      expect(copy).toMatchObject({
        status: 200,
        body: {
          name: 'Order desk - Duplicate',
          status: 'active',
          version_number: 1,
          version_status: 'published',
          workflow_definition: at(draft, 'workflow_definition'),
          workflow_configurations: { dictionary: 'Chen' },
          template_context_variables: { a: 1 },
          total_runs: 0,
        },
      });
      expect(at(copy.body, 'workflow_uuid')).not.toBe(at(draft, 'workflow_uuid'));
      const copyId = idAt(copy.body, 'id');
      expect(await versionsOf(copyId)).toEqual(['1 published']);
      expect(await bodyOf(`/workflow/fetch/${copyId}`)).toEqual(copy.body);
      expect(await versionsOf(id)).toEqual(['2 draft', '1 published']);
    });

    test('triggers of the copy have new paths', async () => {
      const id = await create(triggered(`own-${kind}`));
      const copy = await ask('POST', `/workflow/${id}/duplicate`);
      expect(pathIn(copy.body)).toMatch(/^[0-9a-f-]{36}$/);
      expect(pathIn(await bodyOf(`/workflow/fetch/${id}`))).toBe(`own-${kind}`);
    });

    test('stored secrets are copied, not their masks', async () => {
      const id = await create({
        nodes: [
          {
            id: 'q',
            type: 'qa',
            position: { x: 0, y: 0 },
            data: { name: 'Q', qa_api_key: 'sk-secret-1234' },
          },
        ],
        edges: [],
      });
      const { body } = await ask('POST', `/workflow/${id}/duplicate`);
      const rows: { definition: string }[] = await database.db.query(
        `SELECT definition FROM agent_versions WHERE agent_id = ${idAt(body, 'id')}`,
      );
      expect(openedIn(rows[0]?.definition, definitionPlace(organizationId))).toEqual(['sk-secret-1234']);
      expect(JSON.stringify(body)).not.toContain('sk-secret');
    });

    test('a stored graph can be copied even if it could no longer be created', async () => {
      const id = await create({ nodes: [], edges: [] });
      expect((await ask('POST', `/workflow/${id}/duplicate`)).status).toBe(200);
    });

    test('a repeated request with its Idempotency-Key makes one copy', async () => {
      const id = await create();
      const send = () =>
        api.send({ 'x-api-key': key, 'idempotency-key': 'copy-1' }, 'POST', `/workflow/${id}/duplicate`);
      const [first, second] = [await send(), await send()];
      expect(second.body).toEqual(first.body);
      expect(await bodyOf('/workflow/count')).toMatchObject({ total: 2 });
    });
  });

  describe('discarding the draft', () => {
    test('archives the draft, shows the published version again, and never reuses its number', async () => {
      const id = await create();
      const published = await bodyOf(`/workflow/fetch/${id}`);
      await ask('PUT', `/workflow/${id}`, { workflow_definition: completeGraph('Draft') });
      expect(await ask('DELETE', `/workflow/${id}/draft`)).toMatchObject({
        status: 200,
        body: { version_number: 2, status: 'archived', published_at: null },
      });
      expect(await bodyOf(`/workflow/fetch/${id}`)).toEqual(published);
      expect(await ask('POST', `/workflow/${id}/create-draft`)).toMatchObject({
        body: { version_number: 3 },
      });
    });

    test('without a draft it is 404', async () => {
      const id = await create();
      expect(await ask('DELETE', `/workflow/${id}/draft`)).toMatchObject({
        status: 404,
        body: { detail: 'No draft to discard' },
      });
    });

    test('frees a trigger path that only the draft used', async () => {
      const id = await create(triggered(`stays-${kind}`));
      await ask('PUT', `/workflow/${id}`, { workflow_definition: triggered(`freed-${kind}`) });
      await ask('DELETE', `/workflow/${id}/draft`);
      const other = await ask('POST', '/workflow/create/definition', {
        name: 'b',
        workflow_definition: triggered(`freed-${kind}`),
      });
      expect(other.status).toBe(200);
      const taken = await ask('POST', '/workflow/create/definition', {
        name: 'c',
        workflow_definition: triggered(`stays-${kind}`),
      });
      expect(taken.status).toBe(409);
    });
  });

  describe('restoring a version', () => {
    test('makes a draft with its graph, settings and test values, keeps the former draft, and calls keep the published version', async () => {
      const id = await create();
      await ask('PUT', `/workflow/${id}`, {
        workflow_definition: completeGraph('Second'),
        workflow_configurations: { dictionary: 'two' },
        template_context_variables: { a: 2 },
      });
      await ask('POST', `/workflow/${id}/publish`);
      await ask('PUT', `/workflow/${id}`, {
        workflow_definition: completeGraph('Third'),
        workflow_configurations: {},
        template_context_variables: {},
      });
      const restored = await ask('POST', `/workflow/${id}/versions/2/restore`);
      expect(restored).toMatchObject({
        status: 200,
        body: {
          version_number: 4,
          status: 'draft',
          workflow_configurations: { dictionary: 'two' },
          template_context_variables: { a: 2 },
        },
      });
      expect(at(restored.body, 'workflow_json', 'nodes', 0, 'data', 'greeting')).toBe('Second');
      expect(await versionsOf(id)).toEqual(['4 draft', '3 archived', '2 published', '1 archived']);
    });

    test.each(['0', '9', '9'.repeat(30)])(
      'version %s of an agent with one version is 404',
      async (number) => {
        const id = await create();
        expect((await ask('POST', `/workflow/${id}/versions/${number}/restore`)).status).toBe(404);
      },
    );

    test('a path that another agent has taken meanwhile is 409 with the graph error, and changes nothing', async () => {
      const id = await create(triggered(`old-${kind}`));
      await ask('PUT', `/workflow/${id}`, { workflow_definition: completeGraph() });
      await ask('POST', `/workflow/${id}/publish`);
      await create(triggered(`old-${kind}`));
      const refused = await ask('POST', `/workflow/${id}/versions/1/restore`);
      expect(refused).toMatchObject({
        status: 409,
        body: { detail: { is_valid: false, errors: [{ field: 'data.trigger_path' }] } },
      });
      expect(await versionsOf(id)).toEqual(['2 published', '1 archived']);
    });

    test('a tool that has been renamed to a transition meanwhile is 409 with the graph error, and changes nothing', async () => {
      const tool = idAt(
        (await ask('POST', '/tools/', { name: 'Other', definition: { type: 'calculator' } })).body,
        'tool_uuid',
      );
      const node = {
        id: 'a',
        type: 'agentNode',
        position: { x: 0, y: 0 },
        data: { name: 'A', prompt: 'p', tool_uuids: [tool] },
      };
      const id = await create({
        nodes: [node],
        edges: [{ id: 'e', source: 'a', target: 'a', data: { label: 'Again', condition: 'c' } }],
      });
      await ask('PUT', `/tools/${tool}`, { name: 'Again' });
      expect(await ask('POST', `/workflow/${id}/versions/1/restore`)).toMatchObject({
        status: 409,
        body: { detail: { is_valid: false, errors: [{ kind: 'edge', id: 'e', field: 'data.label' }] } },
      });
      expect(await versionsOf(id)).toEqual(['1 published']);
    });

    test('a repeated request with its Idempotency-Key makes one draft', async () => {
      const id = await create();
      const send = () =>
        api.send(
          { 'x-api-key': key, 'idempotency-key': 'back-1' },
          'POST',
          `/workflow/${id}/versions/1/restore`,
        );
      expect((await send()).body).toEqual((await send()).body);
      expect(await versionsOf(id)).toEqual(['2 draft', '1 published']);
    });
  });

  describe('folders (contract 15.2)', () => {
    const createFolder = async (name: string) => idAt((await ask('POST', '/folder/', { name })).body, 'id');

    test('folders are created, listed by name and renamed', async () => {
      const [b, a] = [await createFolder('Beta'), await createFolder('Alpha')];
      expect(list(await bodyOf('/folder/')).map((each) => at(each, 'name'))).toEqual(['Alpha', 'Beta']);
      expect(await ask('PUT', `/folder/${b}`, { name: 'Aaa' })).toMatchObject({
        status: 200,
        body: { id: Number(b), name: 'Aaa', created_at: expect.stringMatching(/Z$/) },
      });
      expect(list(await bodyOf('/folder')).map((each) => at(each, 'id'))).toEqual([Number(b), Number(a)]);
    });

    test('a taken name is 409 on create and on rename; another organization may have it', async () => {
      await createFolder('Mine');
      const other = await createFolder('Other');
      expect((await ask('POST', '/folder/', { name: 'Mine' })).status).toBe(409);
      expect((await ask('PUT', `/folder/${other}`, { name: 'Mine' })).status).toBe(409);
      expect((await ask('PUT', `/folder/${other}`, { name: 'Other' })).status).toBe(200);
      expect(
        (await api.ask((await createTenant(database.db)).key, 'POST', '/folder/', { name: 'Mine' })).status,
      ).toBe(200);
    });

    test.each([
      ['', 'string_too_short'],
      ['x'.repeat(101), 'string_too_long'],
      [5, 'string_type'],
    ])('%j is not a valid name', async (name, type) => {
      expect(await ask('POST', '/folder/', { name })).toMatchObject({
        status: 422,
        body: { detail: [{ type, loc: ['body', 'name'] }] },
      });
    });

    test('a name of a hundred characters of any kind is preserved', async () => {
      expect((await ask('POST', '/folder', { name: '😀'.repeat(100) })).body).toMatchObject({
        name: '😀'.repeat(100),
      });
    });

    test('an agent is moved into and out of a folder; lists show its folder', async () => {
      const [id, folder] = [await create(), await createFolder('Mine')];
      expect(await ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(folder) })).toMatchObject({
        status: 200,
        body: { id: Number(id), folder_id: Number(folder), total_runs: 0 },
      });
      expect(await bodyOf('/workflow/fetch')).toMatchObject([{ folder_id: Number(folder) }]);
      expect(await ask('PUT', `/workflow/${id}/folder`, { folder_id: null })).toMatchObject({
        status: 200,
        body: { folder_id: null },
      });
      expect(await ask('PUT', `/workflow/${id}/folder`, {})).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['body', 'folder_id'] }] },
      });
    });

    test('an unknown folder or one of another organization is 404, and the agent keeps its folder', async () => {
      const id = await create();
      const foreign = await api.ask((await createTenant(database.db)).key, 'POST', '/folder/', {
        name: 'Theirs',
      });
      for (const folder of [idAt(foreign.body, 'id'), '999999999', '-1']) {
        expect(await ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(folder) })).toMatchObject({
          status: 404,
          body: { detail: 'Folder not found' },
        });
      }
      expect(await bodyOf('/workflow/fetch')).toMatchObject([{ folder_id: null }]);
    });

    test('deleting a folder keeps its agents without a folder', async () => {
      const [id, folder] = [await create(), await createFolder('Mine')];
      await ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(folder) });
      expect(await ask('DELETE', `/folder/${folder}`)).toMatchObject({
        status: 200,
        body: { status: 'deleted', id: Number(folder) },
      });
      expect(await bodyOf('/workflow/fetch')).toMatchObject([{ id: Number(id), folder_id: null }]);
      expect((await ask('DELETE', `/folder/${folder}`)).status).toBe(404);
    });

    test('copies made while their folder is deleted are complete and without the deleted folder', async () => {
      const [id, folder] = [await create(), await createFolder('Mine')];
      await ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(folder) });
      const answers = await Promise.all([
        ask('POST', `/workflow/${id}/duplicate`),
        ask('DELETE', `/folder/${folder}`),
        ask('POST', `/workflow/${id}/duplicate`),
        ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(folder) }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      expect(list(await bodyOf('/workflow/fetch')).map((each) => at(each, 'folder_id'))).toEqual([
        null,
        null,
        null,
      ]);
    });

    test('a repeated request with its Idempotency-Key makes one folder', async () => {
      const send = () =>
        api.send({ 'x-api-key': key, 'idempotency-key': 'folder-1' }, 'POST', '/folder/', { name: 'Once' });
      expect((await send()).body).toEqual((await send()).body);
      expect(list(await bodyOf('/folder/'))).toHaveLength(1);
    });
  });
});

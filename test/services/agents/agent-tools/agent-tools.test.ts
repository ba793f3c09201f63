import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { tools } from '../../../../src/db/tables/tools.ts';
import { users } from '../../../../src/db/tables/users.ts';
import { openedConfig } from '../../../../src/services/agents/index.ts';
import {
  createTenant,
  at,
  idAt,
  startApi,
  completeGraph,
  type ApiUnderTest,
} from '../../../support/api-on-services.ts';
import { createTestDatabase, databases, testSecrets, type TestDatabase } from '../../../support/database.ts';
import { node, edge } from '../../../support/definitions.ts';
import { scanTables } from '../../../support/scan.ts';

const httpTool = (config: Record<string, unknown> = {}) => ({
  type: 'http_api',
  config: { method: 'post', url: 'https://shop.example/orders', ...config },
});

describe.each(databases)('tools on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; userId: number; key: string };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    owner = await createTenant(database.db);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const create = (body: Record<string, unknown>) => api.ask(owner.key, 'POST', '/tools/', body);
  const made = async (name: string, definition: unknown = { type: 'calculator' }) =>
    idAt((await create({ name, definition })).body, 'tool_uuid');

  test('a tool is stored with its category, its creator and all defaults', async () => {
    const { status, body } = await create({ name: 'Place order', definition: httpTool() });
    const maker = await database.db.getRepository(users).findOneByOrFail({ id: owner.userId });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Place order',
      description: null,
      category: 'http_api',
      icon: 'globe',
      icon_color: '#3B82F6',
      status: 'active',
      created_by: { id: owner.userId, provider_id: maker.uuid },
    });
    expect(at(body, 'definition')).toMatchObject({
      schema_version: 1,
      type: 'http_api',
      config: { method: 'POST', timeout_ms: 5000, parameters: null },
    });
    expect((await api.ask(owner.key, 'GET', `/tools/${idAt(body, 'tool_uuid')}`)).body).toEqual({
      ...z.looseObject({}).parse(body),
      used_by: [],
    });
  });

  test('headers that look secret are encrypted in the database and masked in answers; a mask that comes back keeps the value, anything else replaces it', async () => {
    const secret = 'Bearer sk-very-secret-1234';
    const uuid = idAt(
      (
        await create({
          name: 'Secretive',
          definition: httpTool({ headers: { Authorization: secret, 'X-Plain': 'seen' } }),
        })
      ).body,
      'tool_uuid',
    );
    const shown = (await api.ask(owner.key, 'GET', `/tools/${uuid}`)).body;
    expect(JSON.stringify(shown)).not.toContain('very-secret');
    expect(at(shown, 'definition', 'config', 'headers', 'X-Plain')).toBe('seen');
    const stored = async () =>
      at(
        openedConfig(testSecrets, await database.db.getRepository(tools).findOneByOrFail({ uuid })),
        'headers',
        'Authorization',
      );
    await api.ask(owner.key, 'PUT', `/tools/${uuid}`, {
      name: 'Same secret',
      definition: at(shown, 'definition'),
    });
    expect(await stored()).toBe(secret);
    await api.ask(owner.key, 'PUT', `/tools/${uuid}`, {
      definition: httpTool({ headers: { Authorization: 'another' } }),
    });
    expect(await stored()).toBe('another');
    expect(await scanTables(database.db, ['sk-very-secret', '"another"'])).toEqual([]);
  });

  test('a change affects only the fields that were sent; null means unchanged, and the type cannot change', async () => {
    const uuid = await made('Before', httpTool());
    const changed = await api.ask(owner.key, 'PUT', `/tools/${uuid}`, {
      name: 'After',
      description: null,
      icon: 'phone',
      status: 'draft',
    });
    expect(changed.body).toMatchObject({
      name: 'After',
      icon: 'phone',
      status: 'draft',
      definition: { config: { method: 'POST' } },
    });
    const refused = await api.ask(owner.key, 'PUT', `/tools/${uuid}`, { definition: { type: 'calculator' } });
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body', 'definition'] }] },
    });
  });

  test('an unknown credential or one of another organization is a 404 that names it, in a tool and in the resolver of a transfer', async () => {
    const stranger = await createTenant(database.db);
    const foreign = idAt(
      (
        await api.ask(stranger.key, 'POST', '/credentials/', {
          name: 'theirs',
          credential_type: 'none',
          credential_data: {},
        })
      ).body,
      'uuid',
    );
    const refused = await create({ name: 'x', definition: httpTool({ credential_uuid: foreign }) });
    expect(refused).toMatchObject({ status: 404, body: { detail: `Credential ${foreign} not found` } });
    expect(
      (
        await create({
          name: 'x',
          definition: {
            type: 'transfer_call',
            config: { resolver: { url: 'https://r.example', credential_uuid: 'none' } },
          },
        })
      ).status,
    ).toBe(404);
    const own = idAt(
      (
        await api.ask(owner.key, 'POST', '/credentials/', {
          name: 'ours',
          credential_type: 'none',
          credential_data: {},
        })
      ).body,
      'uuid',
    );
    expect((await create({ name: 'x', definition: httpTool({ credential_uuid: own }) })).status).toBe(200);
  });

  test('a transfer takes a list of destinations, and refuses an entry that is too wide by naming the fix', async () => {
    const transfer = (...allowed_destinations: unknown[]) =>
      create({
        name: 'Transfer',
        definition: {
          type: 'transfer_call',
          config: { destination_source: 'dynamic', allowed_destinations },
        },
      });
    const { status, body } = await transfer(' +4930* ', 'sip:*@pbx.example.com');
    expect(status).toBe(200);
    expect(at(body, 'definition', 'config', 'allowed_destinations')).toEqual([
      '+4930*',
      'sip:*@pbx.example.com',
    ]);
    for (const entry of ['*', 'sip:*@*', '030 1234', 7])
      expect(await transfer('+4930*', entry)).toMatchObject({
        status: 422,
        body: {
          detail: [
            {
              loc: ['body', 'definition', 'transfer_call', 'config', 'allowed_destinations', 1],
              msg: expect.stringContaining('+4930*'),
              input: entry,
            },
          ],
        },
      });
  });

  test('lists show active tools, newest first, or those of the requested status and category', async () => {
    const { key } = await createTenant(database.db);
    const uuids: string[] = [];
    for (const definition of [{ type: 'calculator' }, { type: 'end_call', config: {} }, httpTool()])
      uuids.push(idAt((await api.ask(key, 'POST', '/tools/', { name: 'a', definition })).body, 'tool_uuid'));
    const list = async (query = '') => {
      const { status, body } = await api.ask(key, 'GET', `/tools/${query}`);
      return status === 200 && Array.isArray(body)
        ? body.map((each: unknown) => idAt(each, 'tool_uuid'))
        : status;
    };
    expect(await list()).toEqual(uuids.toReversed());
    expect(await list('?category=end_call')).toEqual([uuids[1]]);
    expect((await api.ask(key, 'DELETE', `/tools/${uuids[0]}`)).body).toEqual({
      status: 'archived',
      tool_uuid: uuids[0],
    });
    expect(await list()).toEqual([uuids[2], uuids[1]]);
    expect(await list('?status=archived')).toEqual([uuids[0]]);
    expect(await list('?status=archived,active')).toEqual(uuids.toReversed());
    expect(await list('?status=gone')).toBe(400);
    expect((await api.ask(key, 'POST', `/tools/${uuids[0]}/unarchive`)).body).toMatchObject({
      status: 'active',
    });
    expect(await list()).toHaveLength(3);
  });

  test('a repeated key creates one tool', async () => {
    const headers = { 'x-api-key': owner.key, 'idempotency-key': 'tool-1' };
    const body = { name: 'Once', definition: { type: 'calculator' } };
    const [first, second] = [
      await api.send(headers, 'POST', '/tools/', body),
      await api.send(headers, 'POST', '/tools/', body),
    ];
    expect(second.body).toEqual(first.body);
    expect(
      await database.db.getRepository(tools).countBy({ organizationId: owner.organizationId, name: 'Once' }),
    ).toBe(1);
  });

  test('every change writes an audit row without values', async () => {
    const uuid = await made('Audited', httpTool({ headers: { 'X-Token': 'tok-999' } }));
    await api.ask(owner.key, 'PUT', `/tools/${uuid}`, { name: 'Audited 2' });
    await api.ask(owner.key, 'DELETE', `/tools/${uuid}`);
    const { id } = await database.db.getRepository(tools).findOneByOrFail({ uuid });
    const rows = await database.db
      .getRepository(auditEvents)
      .findBy({ organizationId: owner.organizationId, subjectKind: 'tool', subjectId: id });
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'tool.archived',
      'tool.created',
      'tool.updated',
    ]);
    expect(JSON.stringify(rows)).not.toContain('tok-999');
  });

  test('a tool names the nodes of active agents that offer it, in the draft or else in the published version', async () => {
    const uuid = await made('Find slots');
    const offering = (...ids: string[]) => {
      const toolsOf = (id: string) => (ids.includes(id) ? { tool_uuids: [uuid] } : {});
      return {
        nodes: [
          // A text that names the tool does not use it.
          node('s', 'startCall', { name: 'Start', prompt: `Ask for ${uuid}`, ...toolsOf('s') }),
          node('a', 'agentNode', { name: 'Ask', prompt: 'Ask for the order', ...toolsOf('a') }),
          node('e', 'endCall', { name: 'End', prompt: 'Say goodbye' }),
        ],
        edges: [edge('s-a', 's', 'a', 'begin'), edge('a-e', 'a', 'e', 'done')],
      };
    };
    const agentWith = async (name: string, graph: object) =>
      idAt(
        (
          await api.ask(owner.key, 'POST', '/workflow/create/definition', {
            name,
            workflow_definition: graph,
          })
        ).body,
        'id',
      );
    const [recall, gone] = [await agentWith('Recall', offering('a')), await agentWith('Gone', offering('a'))];
    await agentWith('Asks', offering());
    await api.ask(owner.key, 'POST', `/workflow/${recall}/publish`);
    await api.ask(owner.key, 'PUT', `/workflow/${recall}`, { workflow_definition: offering('s') });
    await api.ask(owner.key, 'PUT', `/workflow/${gone}/status`, { status: 'archived' });
    const { body } = await api.ask(owner.key, 'GET', `/tools/${uuid}`);
    expect(at(body, 'used_by')).toEqual([
      { workflow_id: Number(recall), workflow_name: 'Recall', node_id: 's', node_name: 'Start' },
      { workflow_id: Number(recall), workflow_name: 'Recall', node_id: 'a', node_name: 'Ask' },
    ]);
    const unused = await made('Unused');
    const listed = async (query: string) => {
      const all = z
        .array(z.looseObject({ tool_uuid: z.string() }))
        .parse((await api.ask(owner.key, 'GET', `/tools/${query}`)).body);
      return [uuid, unused].map((id) => all.find((tool) => tool.tool_uuid === id)?.['used_by']);
    };
    expect(await listed('?with_uses=true')).toEqual([at(body, 'used_by'), []]);
    expect(await listed('')).toEqual([undefined, undefined]);
    const stranger = await createTenant(database.db);
    expect((await api.ask(stranger.key, 'GET', `/tools/${uuid}`)).status).toBe(404);
  });

  describe('and graphs', () => {
    const graphWith = (toolUuids: string[], label = 'Begin') => ({
      nodes: [
        node('s', 'startCall', { name: 'Start', prompt: 'Greet', tool_uuids: toolUuids }),
        node('e', 'endCall', { name: 'End', prompt: 'Bye' }),
      ],
      edges: [edge('s-e', 's', 'e', label)],
    });
    const createGraph = (definition: unknown) =>
      api.ask(owner.key, 'POST', '/workflow/create/definition', {
        name: 'g',
        workflow_definition: definition,
      });

    test('a transition with the name of a tool of its node is 422 on create, 409 on update, 422 on validate', async () => {
      const uuid = await made('Look it up!');
      expect(await createGraph(graphWith([uuid], 'look it up'))).toMatchObject({
        status: 422,
        body: { detail: { errors: [{ kind: 'edge', id: 's-e', field: 'data.label' }] } },
      });
      const agent = idAt((await createGraph(completeGraph())).body, 'id');
      expect(
        (
          await api.ask(owner.key, 'PUT', `/workflow/${agent}`, {
            workflow_definition: graphWith([uuid], 'look it up'),
          })
        ).status,
      ).toBe(409);
      expect(
        (await api.ask(owner.key, 'PUT', `/workflow/${agent}`, { workflow_definition: graphWith([uuid]) }))
          .status,
      ).toBe(200);
      await api.ask(owner.key, 'PUT', `/tools/${uuid}`, { name: 'Begin' });
      expect(await api.ask(owner.key, 'POST', `/workflow/${agent}/validate`)).toMatchObject({
        status: 422,
        body: { detail: { is_valid: false } },
      });
      expect((await api.ask(owner.key, 'POST', `/workflow/${agent}/publish`)).status).toBe(422);
    });

    test('a transfer to whatever the conversation chooses keeps its graph from being published, until it has a list', async () => {
      const transfer = (config: Record<string, unknown> = {}) => ({
        type: 'transfer_call',
        config: { destination_source: 'dynamic', ...config },
      });
      const uuid = await made('Transfer', transfer());
      const agent = idAt((await createGraph(completeGraph())).body, 'id');
      const update = { workflow_definition: graphWith([uuid]) };
      expect((await api.ask(owner.key, 'PUT', `/workflow/${agent}`, update)).status).toBe(200);
      for (const step of ['validate', 'publish'])
        expect(await api.ask(owner.key, 'POST', `/workflow/${agent}/${step}`)).toMatchObject({
          status: 422,
          body: {
            detail: {
              errors: [
                {
                  kind: 'node',
                  id: 's',
                  field: 'data.tool_uuids',
                  message: expect.stringContaining('allowed_destinations'),
                },
              ],
            },
          },
        });
      await api.ask(owner.key, 'PUT', `/tools/${uuid}`, {
        definition: transfer({ allowed_destinations: ['+4930*'] }),
      });
      expect((await api.ask(owner.key, 'POST', `/workflow/${agent}/publish`)).status).toBe(200);
    });

    test('two tools of one node with the same function name are a fault of the node', async () => {
      const uuids = [await made('Find  customer'), await made('find-customer')];
      const refused = await createGraph(graphWith(uuids));
      expect(refused).toMatchObject({
        status: 422,
        body: { detail: { errors: [{ kind: 'node', id: 's', field: 'data.tool_uuids' }] } },
      });
      expect((await createGraph(graphWith([uuids[0] ?? '', uuids[0] ?? '']))).status).toBe(200);
    });

    test('a tool that is unknown, archived or of another organization is not a fault, because no call offers it', async () => {
      const stranger = await createTenant(database.db);
      const foreign = idAt(
        (
          await api.ask(stranger.key, 'POST', '/tools/', {
            name: 'Begin',
            definition: { type: 'calculator' },
          })
        ).body,
        'tool_uuid',
      );
      const archived = await made('Begin');
      await api.ask(owner.key, 'DELETE', `/tools/${archived}`);
      expect((await createGraph(graphWith([foreign, archived, 'no-uuid']))).status).toBe(200);
    });
  });

  test('an unknown tool is 404', async () => {
    expect((await api.ask(owner.key, 'GET', '/tools/none')).body).toMatchObject({ detail: 'Tool not found' });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calls } from '../../src/db/tables/calls.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('calls and downloads over HTTP on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let agentId: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    key = (await createTenant(database.db)).key;
    agentId = idAt(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'a',
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

  const ask = (method: string, path: string, body?: unknown) =>
    api.ask(key, method, `/workflow/${agentId}${path}`, body);
  const startSession = async (name: string) =>
    idAt(
      (await ask('POST', '/text-chat/sessions', { name, initial_context: { phone_number: '4915' } })).body,
      'workflow_run_id',
    );

  test('an agent without calls has an empty first page', async () => {
    expect(await ask('GET', '/runs')).toMatchObject({
      status: 200,
      body: { runs: [], total_count: 0, page: 1, limit: 50, total_pages: 0 },
    });
    expect(await api.ask(key, 'GET', '/workflow/999999/runs')).toMatchObject({
      status: 200,
      body: { runs: [], total_count: 0 },
    });
  });

  test('calls are listed newest first, in pages; a single call has all fields', async () => {
    const ids = [await startSession('one'), await startSession('two'), await startSession('three')];
    const names = async (query: string) =>
      [at((await ask('GET', `/runs${query}`)).body, 'runs')].flat().map((run) => at(run, 'name'));
    expect(await names('')).toEqual(['three', 'two', 'one']);
    expect(await names('?limit=2&page=2')).toEqual(['one']);
    expect(await names('?sort_order=asc&limit=1.0')).toEqual(['one']);
    expect(await ask('GET', '/runs?limit=2')).toMatchObject({ body: { total_count: 3, total_pages: 2 } });
    expect(await ask('GET', `/runs/${ids[0]}`)).toMatchObject({
      status: 200,
      body: {
        name: 'one',
        mode: 'textchat',
        state: 'initialized',
        is_completed: false,
        phone_number: '4915',
        logs: {},
        transcript_public_url: null,
      },
    });
    expect(await api.ask(key, 'GET', `/workflow/999999/runs/${ids[0]}`)).toMatchObject({
      status: 404,
      body: { detail: 'Workflow run not found' },
    });
  });

  test.each([
    ['', 200, undefined],
    ['[]', 200, undefined],
    ['{', 400, 'Invalid filter format'],
    ['{}', 400, 'Invalid filter format'],
    ['[1]', 400, 'Invalid filter format'],
    ['[{"attribute":"x"}]', 403, "Invalid attribute 'x'"],
    ['[{"attribute":"callTags","type":"tags","value":{"codes":[]}}]', 403, "Invalid attribute 'callTags'"],
    ['[{"attribute":"toString","value":{}}]', 403, "Invalid attribute 'toString'"],
    ['[{"attribute":"status","type":"radio","value":{"status":"completed"}}]', 200, undefined],
    ['[{"attribute":"status","type":"radio","value":{"status":"paused"}}]', 400, 'Invalid filter format'],
    ['[{"attribute":"status","type":"radio"}]', 400, 'Invalid filter format'],
    ['[{"attribute":"duration","value":{"min":"5"}}]', 400, 'Invalid filter format'],
    ['[{"attribute":"dateRange","value":{"from":"yesterday"}}]', 400, 'Invalid filter format'],
    ['[{"attribute":"dispositionCode","value":{"codes":[1]}}]', 400, 'Invalid filter format'],
  ])('filters %s answer %d', async (filters, status, detail) => {
    const answer = await ask('GET', `/runs?filters=${encodeURIComponent(filters)}`);
    expect([answer.status, at(answer.body, 'detail')]).toEqual([status, detail]);
  });

  test('a transcript can be read without credentials, by a link that cannot be forged', async () => {
    const id = await startSession('kept');
    await database.db.getRepository(calls).update({ id: Number(id) }, { transcriptAvailable: true });
    const url = at((await ask('GET', `/runs/${id}`)).body, 'transcript_public_url');
    expect(url).toMatch(
      /^http:\/\/api\.example\.test\/api\/v1\/public\/download\/workflow\/[0-9a-f-]{36}\/transcript$/,
    );
    const first = await api.ask(null, 'GET', String(url).replace('http://api.example.test/api/v1', ''));
    const link = first.headers.get('location') ?? '';
    expect([first.status, link]).toEqual([
      302,
      expect.stringContaining('http://api.example.test/api/v1/public/file/v1.'),
    ]);
    const path = link.replace('http://api.example.test/api/v1', '');
    const file = await api.ask(null, 'GET', path);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const forged = `${path.slice(0, -2)}${path.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await api.ask(null, 'GET', forged)).status).toBe(404);
    expect(
      (
        await api.ask(
          null,
          'GET',
          '/public/download/workflow/00000000-0000-4000-8000-000000000000/transcript',
        )
      ).status,
    ).toBe(404);
  });
});

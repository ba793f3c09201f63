import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  answeringCalls,
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { insertConnection } from '../../support/telephony.ts';

/**
 * Contract 0.2, 0.3 and 0.5, row by row, on the whole API. The rules for every single route are in
 * test/contract/transport-table.test.ts.
 */
let database: TestDatabase;
let api: ApiUnderTest;
let key: string;
let organizationId: number;
let agentId: string;

beforeAll(async () => {
  database = await createTestDatabase('mysql');
  api = await startApi(database.db, {
    calls: { ...answeringCalls, endSession: () => Promise.resolve({ kind: 'conflict', actualRevision: 1 }) },
  });
  ({ key, organizationId } = await createTenant(database.db));
  agentId = idAt(
    (
      await api.ask(key, 'POST', '/workflow/create/definition', {
        name: 'Agent',
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

const send = async (path: string, init: RequestInit) => {
  const answer = await fetch(`${api.url}${path}`, { redirect: 'manual', ...init });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : text,
  };
};
const create = (init: RequestInit) => send('/api/v1/workflow/create/definition', { method: 'POST', ...init });
const authorized = { 'x-api-key': '' };
const json = () => ({ ...authorized, 'x-api-key': key, 'content-type': 'application/json' });

describe('0.2 transport', () => {
  test('prefix: everything is under /api/v1, triggers also without it', async () => {
    expect((await send('/workflow/fetch', { headers: json() })).status).toBe(404);
    const body = '{"phone_number":"4915112345678"}';
    const answers = await Promise.all(
      ['/public/agent/none', '/api/v1/public/agent/none'].map((path) =>
        send(path, { method: 'POST', headers: json(), body }),
      ),
    );
    expect(answers.map((each) => [each.status, at(each.body, 'detail')])).toEqual([
      [404, 'Agent trigger not found'],
      [404, 'Agent trigger not found'],
    ]);
  });

  test('description: /api/v1/openapi.json without credentials, version 1.0.0', async () => {
    const { status, body } = await send('/api/v1/openapi.json', {});
    expect([status, at(body, 'openapi'), at(body, 'info', 'version')]).toEqual([
      200,
      expect.stringMatching(/^3\.1\./),
      '1.0.0',
    ]);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'Application/JSON',
  ])('bodies: %s is JSON', async (type) => {
    expect(
      (
        await create({
          headers: { ...json(), 'content-type': type },
          body: '{"name":"x","workflow_definition":{}}',
        })
      ).status,
    ).toBe(200);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('bodies: with %s the raw text is checked against the fields', async (type) => {
    const body = '{"name":"x","workflow_definition":{}}';
    const answer = await create({ headers: { ...json(), 'content-type': type }, body });
    expect([answer.status, at(answer.body, 'detail')]).toEqual([
      422,
      [
        {
          type: 'model_attributes_type',
          loc: ['body'],
          msg: 'Input should be a valid dictionary or object to extract fields from',
          input: body,
        },
      ],
    ]);
  });

  test('malformed JSON: 422 json_invalid, before authentication', async () => {
    const answer = await create({ headers: { 'content-type': 'application/json' }, body: '{"name": }' });
    expect([
      answer.status,
      at(answer.body, 'detail', 0, 'type'),
      at(answer.body, 'detail', 0, 'loc'),
    ]).toEqual([422, 'json_invalid', ['body', 9]]);
  });

  test('a body that is not UTF-8: 400', async () => {
    const answer = await create({ headers: json(), body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) });
    expect([answer.status, at(answer.body, 'detail')]).toEqual([400, 'There was an error parsing the body']);
  });

  test('order of checks: JSON, credentials, all fields at once, then the handler', async () => {
    const wrong = JSON.stringify({ name: 5, workflow_configurations: 5 });
    expect(
      (
        await send('/api/v1/workflow/abc', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: wrong,
        })
      ).status,
    ).toBe(401);
    const { status, body } = await send('/api/v1/workflow/abc', {
      method: 'PUT',
      headers: { ...json(), 'idempotency-key': 'x' },
      body: wrong,
    });
    expect([status, [0, 1, 2].map((index) => at(body, 'detail', index, 'loc'))]).toEqual([
      422,
      [
        ['path', 'workflow_id'],
        ['body', 'name'],
        ['body', 'workflow_configurations'],
      ],
    ]);
    expect(
      (await send('/api/v1/workflow/999999', { method: 'PUT', headers: json(), body: '{"name":"x"}' }))
        .status,
    ).toBe(404);
  });

  test('unknown path: 404 Not Found', async () => {
    const { status, body } = await send('/api/v1/nothing/here', { headers: json() });
    expect([status, at(body, 'detail')]).toEqual([404, 'Not Found']);
  });

  test.each(['DELETE', 'HEAD', 'PATCH'])('known path, wrong verb (%s): 405', async (method) => {
    const { status, headers, body } = await send('/api/v1/workflow/fetch', { method, headers: json() });
    expect([
      status,
      headers.get('allow'),
      method === 'HEAD' ? 'Method Not Allowed' : at(body, 'detail'),
    ]).toEqual([405, 'GET', 'Method Not Allowed']);
  });

  test.each(['/tools', '/credentials', '/folder', '/workflow-recordings'])(
    'trailing slash: %s/ and %s are served alike, without a redirect',
    async (path) => {
      const [bare, slashed] = await Promise.all(
        [path, `${path}/`].map((each) => send(`/api/v1${each}`, { headers: json() })),
      );
      expect([bare?.status, slashed?.status, bare?.text === slashed?.text]).toEqual([200, 200, true]);
    },
  );

  test.each([
    ['1', '%s'],
    ['1.0', '%s.0'],
    ['+1', '+%s'],
    ['01', '0%s'],
    ['percent-encoded', '%percent'],
  ])('integers in paths: written as %s', async (_what, form) => {
    const written = form === '%percent' ? agentId.replaceAll(/\d/g, '%3$&') : form.replace('%s', agentId);
    expect((await send(`/api/v1/workflow/fetch/${written}`, { headers: json() })).status).toBe(200);
  });

  test.each(['1.5', 'abc', '1e3', '0x1'])(
    'integers in paths: %s is int_parsing, with the text as its input',
    async (written) => {
      const { status, body } = await send(`/api/v1/workflow/fetch/${written}`, { headers: json() });
      expect([status, at(body, 'detail')]).toEqual([
        422,
        [
          {
            type: 'int_parsing',
            loc: ['path', 'workflow_id'],
            msg: 'Input should be a valid integer, unable to parse string as an integer',
            input: written,
          },
        ],
      ]);
    },
  );

  test.each(['9223372036854775808', '9'.repeat(60), '-1', '0'])(
    'integers in paths: no row has %s',
    async (written) => {
      expect((await send(`/api/v1/workflow/fetch/${written}`, { headers: json() })).status).toBe(404);
    },
  );

  test('date-times: microseconds and Z', async () => {
    const { body } = await send(`/api/v1/workflow/fetch/${agentId}`, { headers: json() });
    expect(at(body, 'created_at')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test('null versus absent: optional fields are present with null', async () => {
    const { body } = await send('/api/v1/workflow/fetch', { headers: json() });
    expect(at(body, 0)).toHaveProperty('folder_id', null);
  });

  test('size limits: a body of more than 1 MiB is 413', async () => {
    const { status, body } = await create({
      headers: json(),
      body: JSON.stringify({ name: 'x'.repeat(1024 * 1024), workflow_definition: {} }),
    });
    expect([status, at(body, 'detail')]).toEqual([413, 'Request body too large']);
  });
});

describe('0.3 error bodies', () => {
  const marks = { code: expect.any(String), request_id: expect.any(String) };

  test('422 of fields: an array of records under detail, and nothing else', async () => {
    const { body } = await create({ headers: json(), body: '{"name":5,"workflow_definition":{}}' });
    expect(body).toEqual({
      detail: [
        { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string', input: 5 },
      ],
    });
  });

  test('422 of a graph: an object under detail', async () => {
    const empty = idAt(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'x',
          workflow_definition: { nodes: [], edges: [] },
        })
      ).body,
      'id',
    );
    const { status, body } = await api.ask(key, 'POST', `/workflow/${empty}/validate`);
    expect([status, body]).toEqual([
      422,
      {
        detail: {
          is_valid: false,
          errors: [{ kind: 'workflow', id: null, field: null, message: expect.any(String) }],
        },
        ...marks,
      },
    ]);
  });

  test('422 of another kind: a text', async () => {
    const { status, body } = await api.ask(key, 'GET', '/workflow/fetch?status=lost');
    expect([status, body]).toEqual([
      422,
      { detail: expect.stringMatching(/lost.*active.*archived/), ...marks },
    ]);
  });

  test.each<[number, string, string, unknown]>([
    [400, 'POST', '/workflow/:id/publish', undefined],
    [404, 'GET', '/workflow/fetch/999999', undefined],
    [405, 'DELETE', '/workflow/fetch', undefined],
  ])('%d: a text', async (expected, method, path, body) => {
    const { status, body: answer } = await api.ask(key, method, path.replace(':id', agentId), body);
    expect([status, answer]).toEqual([expected, { detail: expect.any(String), ...marks }]);
  });

  test('409 of a text session: an object that names both revisions', async () => {
    const run = idAt(
      (await api.ask(key, 'POST', `/workflow/${agentId}/text-chat/sessions`, {})).body,
      'workflow_run_id',
    );
    const { status, body } = await api.ask(
      key,
      'POST',
      `/workflow/${agentId}/text-chat/sessions/${run}/end`,
      { expected_revision: 99 },
    );
    expect([status, at(body, 'detail')]).toEqual([
      409,
      { message: expect.any(String), expected_revision: 99, actual_revision: expect.any(Number) },
    ]);
  });

  test("every answer has X-Request-Id, the caller's if one was sent", async () => {
    const sent = await send('/api/v1/workflow/fetch', {
      headers: { ...json(), 'x-request-id': 'order-4711' },
    });
    const made = await send('/api/v1/nothing', {});
    expect([
      sent.headers.get('x-request-id'),
      made.headers.get('x-request-id'),
      at(made.body, 'request_id'),
    ]).toEqual(['order-4711', expect.stringMatching(/.{8}/), made.headers.get('x-request-id')]);
  });
});

describe('0.4 the input of a fault that only the handler finds is what was sent, without defaults and conversions', () => {
  const inputOf = async (method: string, path: string, sent: unknown) => {
    const { status, body } = await api.ask(key, method, path, sent);
    return [status, at(body, 'detail', 0, 'loc'), at(body, 'detail', 0, 'input')];
  };

  test('a phone number without its country', async () => {
    const { configurationId } = await insertConnection(database.db, organizationId);
    const sent = { address: '08043071383', is_active: 'yes' };
    const path = `/organizations/telephony-configs/${configurationId}/phone-numbers`;
    expect(await inputOf('POST', path, sent)).toEqual([422, ['body'], sent]);
  });

  test('a tool whose type would change', async () => {
    const made = await api.ask(key, 'POST', '/tools/', { name: 'Sum', definition: { type: 'calculator' } });
    const definition = { type: 'http_api', config: { method: 'get', url: 'https://a.example' } };
    expect(await inputOf('PUT', `/tools/${String(at(made.body, 'tool_uuid'))}`, { definition })).toEqual([
      422,
      ['body', 'definition'],
      definition,
    ]);
  });

  test('a retention policy that keeps variables too briefly', async () => {
    const sent = { transcript_days: 30, recording_days: 30, variable_days: '7' };
    expect(await inputOf('PUT', '/organizations/retention', sent)).toEqual([
      422,
      ['body', 'variable_days'],
      '7',
    ]);
  });

  test('a realtime model in the older form of the models', async () => {
    expect(await inputOf('PUT', '/user/configurations/user', { is_realtime: 'yes' })).toEqual([
      422,
      ['body', 'is_realtime'],
      'yes',
    ]);
  });
});

describe('0.5 authentication', () => {
  test.each(['/health', '/workflow/templates', '/openapi.json'])('GET %s asks for nothing', async (path) => {
    expect((await send(`/api/v1${path}`, {})).status).toBe(200);
  });

  test('GET /health names the simulated parts and the pages of the operator (contract 13.4)', async () => {
    expect((await api.ask(null, 'GET', '/health')).body).toMatchObject({
      simulated: { llm: true, stt: true, tts: true, carrier: true },
      links: { temporal_ui: 'http://localhost:8233', traces: null },
    });
  });

  test.each(['/auth/signup', '/auth/login', '/auth/sign-in-link'])(
    'POST %s asks for no credentials',
    async (path) => {
      expect(
        (
          await send(`/api/v1${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{}',
          })
        ).status,
      ).toBe(422);
    },
  );

  test.each([
    '/workflow/fetch',
    '/tools/',
    '/credentials/',
    '/organizations/preferences',
    '/user/api-keys',
    '/node-types',
    '/auth/me',
  ])('GET %s needs credentials', async (path) => {
    const { status, body } = await send(`/api/v1${path}`, {});
    expect([status, at(body, 'detail')]).toEqual([401, 'Authorization header required']);
  });

  test('triggers accept only X-API-Key', async () => {
    const { status, body } = await send('/api/v1/public/agent/any', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"phone_number":"4915112345678"}',
    });
    expect([status, at(body, 'detail')]).toEqual([
      422,
      [{ type: 'missing', loc: ['header', 'X-API-Key'], msg: 'Field required', input: null }],
    ]);
  });
});

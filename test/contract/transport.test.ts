import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';
import {
  ConflictError,
  ForbiddenError,
  InvariantError,
  LimitError,
  NotFoundError,
  PreconditionError,
  ProviderError,
  UnavailableError,
  ValidationError,
} from '../../src/domain/errors.ts';
import { jsonReply } from '../../src/api/answers/reply.ts';

const lines: string[] = [];
const errors: Record<string, unknown> = {
  not_found: new NotFoundError('Workflow with ID 9 not found'),
  forbidden: new ForbiddenError("Invalid attribute 'x'"),
  conflict: new ConflictError('revision', {
    detail: { message: 'changed', expected_revision: 1, actual_revision: 2 },
  }),
  precondition: new PreconditionError('No draft to publish', { status: 400 }),
  limit: new LimitError('busy', { status: 409, retryAfterMs: 1 }),
  provider: new ProviderError('The model failed', { provider: 'llm', retryable: true, status: 500 }),
  unavailable: new UnavailableError('MySQL is not available', { dependency: 'mysql' }),
  invariant: new InvariantError('secret detail'),
  graph: new ValidationError('graph', { detail: { is_valid: false, errors: [] } }),
  text: new ValidationError('Unknown status'),
  unknown: new TypeError('secret detail'),
  thrownText: 'secret detail',
};

let server: ServedApp;
beforeAll(async () => {
  const handlers = {
    ...echoHandlers(),
    getWorkflow: () => Promise.resolve(jsonReply(200, { id: 'text instead of a number' })),
    listWorkflows: ({ input }: { input: { query: { status?: string | undefined } } }) =>
      Promise.reject(errors[input.query.status ?? '']),
  };
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  server = await serveApp(createEchoApp({ handlers, log }));
});
afterAll(() => server.close());

const key = { 'x-api-key': 'good' };
const ask = (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { ...key, ...init.headers } });
const failing = (name: string) => ask(`/api/v1/workflow/fetch?status=${name}`);

describe('paths and verbs', () => {
  test.each([
    '/',
    '/api/v1',
    '/api/v1/nothing',
    '/workflow/fetch',
    '/api/v1/workflow/fetch/1/2',
    '/api/v1/Workflow/fetch',
    '/api/v1/workflow/fetch/%zz',
  ])('%s is unknown: 404 without asking for credentials', async (path) => {
    const answer = await fetch(`${server.url}${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ detail: 'Not Found', code: 'not_found', request_id: 'fresh-id' });
  });

  test.each([
    ['DELETE', '/api/v1/workflow/fetch', 'GET'],
    ['HEAD', '/api/v1/workflow/fetch', 'GET'],
    ['HEAD', '/healthz', 'GET'],
    ['GET', '/api/v1/workflow/create/definition', 'POST'],
    ['PATCH', '/api/v1/workflow/7', 'PUT'],
    // Not the route of a workflow with this name as its id.
    ['PUT', '/api/v1/workflow/fetch', 'GET'],
    ['PUT', '/api/v1/workflow/validate', 'POST'],
    ['PATCH', '/api/v1/credentials/', 'GET, POST'],
  ])('%s %s is 405 and names %s', async (method, path, allow) => {
    const answer = await fetch(`${server.url}${path}`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(await answer.text()).toMatch(method === 'HEAD' ? /^$/ : /"detail":"Method Not Allowed"/);
  });

  test('OPTIONS returns the verbs without credentials', async () => {
    const answer = await fetch(`${server.url}/api/v1/credentials`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, POST']);
  });

  test.each([
    '/api/v1/credentials',
    '/api/v1/credentials/',
    '/api/v1/workflow/7/runs/',
    '/api/v1/workflow/7/runs',
  ])('%s is served with and without a slash at its end', async (path) => {
    expect((await ask(path, { redirect: 'manual' })).status).toBe(200);
  });
});

describe('bodies', () => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    ask('/api/v1/workflow/create/definition', {
      method: 'POST',
      body: typeof body === 'string' ? body : Buffer.from(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('a body of 5 MB is 413, with and without credentials, and the connection stays open', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(5 * 1024 * 1024) });
    for (const apiKey of ['good', '']) {
      const answer = await post(large, { 'x-api-key': apiKey });
      expect([answer.status, await answer.json()]).toEqual([
        413,
        { detail: 'Request body too large', code: 'body_too_large', request_id: 'fresh-id' },
      ]);
    }
  });

  test('a body of 5 MB without a length is 413', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const req = request(
      `${server.url}/api/v1/workflow/7`,
      { method: 'PUT', headers: { ...key, 'content-type': 'application/json' } },
      (res) => {
        res.resume();
        res.once('end', () => resolve(res.statusCode));
      },
    );
    req.once('error', reject);
    for (let index = 0; index < 80; index += 1) req.write(Buffer.alloc(64 * 1024, 0x20));
    req.end();
    expect(await promise).toBe(413);
  });

  test('a body of the maximum size is read', async () => {
    const frame = JSON.stringify({ name: '', workflow_definition: {} });
    const answer = await post(
      JSON.stringify({ name: 'x'.repeat(1024 * 1024 - frame.length), workflow_definition: {} }),
    );
    expect(answer.status).toBe(200);
  });

  // guarantee: deeply-nested-body-refused
  test('extreme nesting is refused with an error and does not crash the process', async () => {
    for (const body of [
      `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      '['.repeat(200_000),
      '{"a":'.repeat(100_000),
    ]) {
      const answer = await post(body);
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { detail: 'The body is nested deeper than 500 levels', code: 'body_too_deep' },
      ]);
    }
  });

  test('a __proto__ key stays a plain own key and changes no prototype', async () => {
    const sent =
      '{"workflow_configurations":{"__proto__":{"polluted":true},"max_call_duration":5},"template_context_variables":{"__proto__":{"polluted":true}}}';
    const answer = await ask('/api/v1/workflow/7', {
      method: 'PUT',
      body: sent,
      headers: { 'content-type': 'application/json' },
    });
    const text = await answer.text();
    expect(text).toContain('"workflow_configurations":{"max_call_duration":5,"__proto__":{"polluted":true}}');
    expect(text).toContain('"template_context_variables":{"__proto__":{"polluted":true}}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('a client that disconnects in the middle of its body affects no other request', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const req = request(`${server.url}/api/v1/workflow/7`, {
      method: 'PUT',
      headers: { ...key, 'content-length': '1000' },
    });
    req.once('error', () => resolve());
    req.once('close', () => resolve());
    req.write('{"a');
    setTimeout(() => req.destroy(), 50);
    await promise;
    expect((await ask('/api/v1/credentials')).status).toBe(200);
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe('errors', () => {
  const marks = (code: string) => ({ code, request_id: 'fresh-id' });
  test.each([
    ['not_found', 404, { detail: 'Workflow with ID 9 not found', ...marks('not_found') }],
    ['forbidden', 403, { detail: "Invalid attribute 'x'", ...marks('forbidden') }],
    [
      'conflict',
      409,
      { detail: { message: 'changed', expected_revision: 1, actual_revision: 2 }, ...marks('conflict') },
    ],
    ['precondition', 400, { detail: 'No draft to publish', ...marks('precondition') }],
    ['limit', 409, { detail: 'busy', ...marks('limit') }],
    ['provider', 500, { detail: 'The model failed', ...marks('provider') }],
    ['unavailable', 503, { detail: 'MySQL is not available', ...marks('unavailable') }],
    ['graph', 422, { detail: { is_valid: false, errors: [] }, ...marks('validation') }],
    ['text', 422, { detail: 'Unknown status', ...marks('validation') }],
    ['invariant', 500, { detail: 'Internal Server Error', ...marks('invariant') }],
    ['unknown', 500, { detail: 'Internal Server Error', ...marks('invariant') }],
    ['thrownText', 500, { detail: 'Internal Server Error', ...marks('invariant') }],
  ])('%s is answered %d', async (name, status, body) => {
    const answer = await failing(name);
    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      status,
      'application/json',
      body,
    ]);
  });

  test('errors for a limit and for an unavailable dependency have Retry-After', async () => {
    expect((await failing('limit')).headers.get('retry-after')).toBe('1');
    expect((await failing('unavailable')).headers.get('retry-after')).toBe('2');
  });

  test('an internal error is logged once with the request id, and a fault of the caller is not logged', async () => {
    lines.length = 0;
    await ask('/api/v1/workflow/fetch?status=unknown', { headers: { 'x-request-id': 'mine-7' } });
    await failing('not_found');
    const failures = lines.filter((line) => line.includes('Request failed'));
    expect(failures).toHaveLength(1);
    expect(JSON.parse(failures[0] ?? '{}')).toMatchObject({ requestId: 'mine-7', level: 50 });
  });

  test("every answer has the caller's request id, or a new one if it is not usable", async () => {
    expect(
      (await ask('/nothing', { headers: { 'x-request-id': 'mine-7' } })).headers.get('x-request-id'),
    ).toBe('mine-7');
    expect(
      (await ask('/nothing', { headers: { 'x-request-id': 'with space' } })).headers.get('x-request-id'),
    ).toBe('fresh-id');
    expect(
      (await ask('/api/v1/credentials', { headers: { 'x-request-id': 'x'.repeat(200) } })).headers.get(
        'x-request-id',
      ),
    ).toBe('fresh-id');
  });

  test('no answer has WWW-Authenticate', async () => {
    const answer = await fetch(`${server.url}/api/v1/credentials`);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  test('the access log has the pattern of the path, never the path, the query or a header', async () => {
    lines.length = 0;
    await ask('/api/v1/public/download/workflow/secret-token/transcript?inline=true&phone=4915112345');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(lines.join('')).toContain('"route":"/public/download/workflow/{token}/{artifact}"');
    expect(lines.join('')).not.toMatch(/secret-token|49151|good/);
  });
});

describe('answers are checked against their schemas in tests', () => {
  test('an answer that is not in the route table is a 500', async () => {
    const handlers = {
      ...echoHandlers(),
      getWorkflow: () => Promise.resolve(jsonReply(200, { id: 'text' })),
      listCredentials: () => Promise.resolve([{ uuid: 'u', more: 1 }]),
    };
    // @ts-expect-error -- the answer of the second handler violates its type on purpose
    const strict = await serveApp(createEchoApp({ handlers, checkAnswers: true }));
    try {
      expect((await fetch(`${strict.url}/api/v1/workflow/fetch/1`, { headers: key })).status).toBe(500);
      expect((await fetch(`${strict.url}/api/v1/credentials`, { headers: key })).status).toBe(500);
    } finally {
      await strict.close();
    }
  });
});

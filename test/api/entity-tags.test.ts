import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Workflow } from '../../src/contract/agents.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { idempotencyKeys } from '../../src/db/tables/idempotency-keys.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

test('every answer with a workflow record has its tag', () => {
  const all: readonly Route[] = Object.values(routes);
  const records = all.filter(({ answers }) => answers[200]?.schema === Workflow);
  expect(records.length).toBeGreaterThan(3);
  const idsOf = (some: readonly Route[]) => some.map(({ id }) => id);
  expect(idsOf(all.filter(({ taggedAs }) => taggedAs === 'agent'))).toEqual(idsOf(records));
});

describe.each(databases)('the tag of an agent on %s (RFC 9110)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    key = (await createTenant(database.db)).key;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const send = (
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) => api.send({ 'x-api-key': key, ...headers }, method, path, body);
  const create = async () =>
    idAt(
      (
        await send('POST', '/workflow/create/definition', {
          body: { name: 'a', workflow_definition: completeGraph() },
        })
      ).body,
      'id',
    );
  const tagOf = async (id: string) =>
    String((await send('GET', `/workflow/fetch/${id}`)).headers.get('etag'));
  const everything = async (id: string) => [
    (await send('GET', `/workflow/fetch/${id}`)).body,
    (await send('GET', `/workflow/${id}/versions`)).body,
  ];

  const withSecret = () => {
    const graph = completeGraph();
    return {
      ...graph,
      nodes: [
        ...graph.nodes,
        { id: 'q', type: 'qa', position: { x: 0, y: 0 }, data: { name: 'QA', qa_api_key: 'sk-12345678' } },
      ],
    };
  };
  /** Changes of the record, in this order. */
  const changes: [string, (id: string) => [method: string, path: string, body?: unknown]][] = [
    ['a draft of its own', (id) => ['POST', `/workflow/${id}/create-draft`]],
    ['a discarded draft', (id) => ['DELETE', `/workflow/${id}/draft`]],
    ['an earlier version', (id) => ['POST', `/workflow/${id}/versions/1/restore`]],
    ['another name', (id) => ['PUT', `/workflow/${id}`, { name: 'b' }]],
    [
      'a new graph',
      (id) => ['PUT', `/workflow/${id}`, { workflow_definition: completeGraph('Good morning') }],
    ],
    ['a graph with a secret', (id) => ['PUT', `/workflow/${id}`, { workflow_definition: withSecret() }]],
    [
      'new settings',
      (id) => [
        'PUT',
        `/workflow/${id}`,
        { workflow_configurations: { max_call_duration: 10, x: { b: 1.0, a: [null, '\u2028'] } } },
      ],
    ],
    [
      'new test values',
      (id) => ['PUT', `/workflow/${id}`, { template_context_variables: { 10: 'z', 9: 'y', name: 'n' } }],
    ],
    ['a publication', (id) => ['POST', `/workflow/${id}/publish`]],
    ['another state', (id) => ['PUT', `/workflow/${id}/status`, { status: 'archived' }]],
  ];

  // guarantee: entity-tag-follows-each-change
  test('is strong, changes with each change, and is the same in the answer of a change and in the next read', async () => {
    const id = await create();
    const seen = [await tagOf(id)];
    const answered: (string | null)[] = [];
    const read: (string | undefined)[] = [];
    for (const [, change] of changes) {
      const [method, path, body] = change(id);
      const answer = await send(method, path, { body });
      expect(answer.status).toBe(200);
      seen.push(await tagOf(id));
      answered.push(answer.headers.get('etag'));
      read.push(seen.at(-1));
    }
    expect(answered.filter((tag) => tag !== null)).toEqual(
      read.filter((_tag, index) => answered[index] !== null),
    );
    expect(answered.map((tag) => tag !== null)).toEqual(changes.map(([, change]) => change(id)[0] === 'PUT'));
    for (const tag of seen) expect(tag).toMatch(/^"[\w.-]+"$/);
    for (const [index, tag] of seen.entries()) expect(tag).not.toBe(seen[index - 1]);
    expect(seen[2]).toBe(seen[0]); // discarding the draft restored the same record
  });

  test('a read with a current copy is answered with 304 without a body', async () => {
    const id = await create();
    const tag = await tagOf(id);
    const read = (ifNoneMatch: string) =>
      send('GET', `/workflow/fetch/${id}`, { headers: { 'if-none-match': ifNoneMatch } });
    for (const present of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await read(present);
      expect([
        answer.status,
        answer.body,
        answer.headers.get('etag'),
        answer.headers.get('content-length'),
        answer.headers.get('cache-control'),
      ]).toEqual([304, '', tag, null, 'private, no-cache']);
    }
    for (const other of ['"other"', tag.slice(1, -1), tag.toUpperCase(), '', '"'])
      expect((await read(other)).status).toBe(200);
    expect((await send('GET', '/workflow/fetch/999999', { headers: { 'if-none-match': '*' } })).status).toBe(
      404,
    );
  });

  test.each(changes)(
    '%s for a former state is refused with 412 and changes nothing',
    async (name, change) => {
      const id = await create();
      for (const [earlier, make] of changes) {
        if (earlier === name) break;
        const [method, path, body] = make(id);
        await send(method, path, { body });
      }
      const present = await tagOf(id);
      await send('PUT', `/workflow/${id}`, { body: { name: 'changed by somebody' } });
      const before = await everything(id);
      const [method, path, body] = change(id);
      const refused = await send(method, path, { body, headers: { 'if-match': present } });
      expect(refused).toMatchObject({
        status: 412,
        body: { code: 'precondition', request_id: expect.any(String) },
      });
      expect(at(refused.body, 'detail')).toMatch(
        /^The agent does not match If-Match; its last change: agent\.updated by API key \d+ \(prl_.{4}…\) at 20\d\d-.*Z\. Read it again\.$/,
      );
      expect(await everything(id)).toEqual(before);
      expect((await send(method, path, { body, headers: { 'if-match': await tagOf(id) } })).status).toBe(200);
    },
  );

  test('lists and the asterisk are accepted, weak tags never match, and a malformed tag is a fault', async () => {
    const id = await create();
    const put = (ifMatch: string, agent = id) =>
      send('PUT', `/workflow/${agent}`, { body: { name: 'c' }, headers: { 'if-match': ifMatch } });
    expect((await put(`"other" , ${await tagOf(id)}`)).status).toBe(200);
    expect((await put('*')).status).toBe(200);
    expect((await put('*', '999999')).status).toBe(404);
    expect((await put(`W/${await tagOf(id)}`)).status).toBe(412);
    expect((await put('"other"')).status).toBe(412);
    for (const bad of [(await tagOf(id)).slice(1, -1), '"', '*, "a"', '']) {
      expect(await put(bad)).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'string_pattern_mismatch', loc: ['header', 'If-Match'], input: bad }] },
      });
    }
  });

  test('a new call makes a copy stale, but does not prevent changes', async () => {
    const id = await create();
    const tag = await tagOf(id);
    expect(
      (await send('POST', `/workflow/${id}/runs`, { body: { mode: 'smallwebrtc', name: 'r' } })).status,
    ).toBe(200);
    expect((await send('GET', `/workflow/fetch/${id}`, { headers: { 'if-none-match': tag } })).status).toBe(
      200,
    );
    expect(
      (await send('PUT', `/workflow/${id}`, { body: { name: 'd' }, headers: { 'if-match': tag } })).status,
    ).toBe(200);
  });

  // guarantee: agent-change-needs-current-tag
  test('of simultaneous changes based on the same state exactly one succeeds', async () => {
    const id = await create();
    for (let round = 0; round < 5; round += 1) {
      const seen = await tagOf(id);
      const attempts = Array.from({ length: 4 }, (_each, number) => ({
        name: `${round}.${number}`,
        workflow_definition: completeGraph(`Hello ${round}.${number}`),
      }));
      const answers = await Promise.all(
        attempts.map((body) => send('PUT', `/workflow/${id}`, { body, headers: { 'if-match': seen } })),
      );
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200, 412, 412, 412,
      ]);
      const won = answers.findIndex(({ status }) => status === 200);
      expect((await send('GET', `/workflow/fetch/${id}`)).body).toMatchObject({
        name: attempts[won]?.name,
        version_number: round + 2,
      });
    }
  });

  test('a repeated change with its Idempotency-Key gets its answer again, although it has changed the agent itself', async () => {
    const id = await create();
    await send('POST', `/workflow/${id}/create-draft`);
    const publish = async (seen: string) =>
      send('POST', `/workflow/${id}/publish`, {
        headers: { 'idempotency-key': `publish ${id}`.replace(' ', '-'), 'if-match': seen },
      });
    const seen = await tagOf(id);
    const first = await publish(seen);
    expect([first.status, (await publish(seen)).headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    // The process died between the change and the answer.
    await database.db
      .getRepository(idempotencyKeys)
      .update(
        { key: `publish-${id}` },
        { state: 'claimed', claimExpiresAt: new Date(0), responseStatus: null, responseBody: null },
      );
    expect(await publish(seen)).toMatchObject({ status: 200, body: first.body });
    expect((await send('POST', `/workflow/${id}/publish`, { headers: { 'if-match': seen } })).status).toBe(
      412,
    );

    const made = await send('POST', `/workflow/${id}/duplicate`, {
      headers: { 'idempotency-key': `copy-${id}` },
    });
    const again = await send('POST', `/workflow/${id}/duplicate`, {
      headers: { 'idempotency-key': `copy-${id}` },
    });
    expect([again.headers.get('idempotent-replayed'), again.headers.get('etag')]).toEqual([
      'true',
      made.headers.get('etag'),
    ]);
    expect(made.headers.get('etag')).toBe(await tagOf(idAt(made.body, 'id')));
  });
});

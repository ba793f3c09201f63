import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { createGuardedClient } from '../../../../src/providers/http/guarded-client.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../../support/database.ts';
import { startReceiver, type Receiver } from '../../../support/receiver.ts';

describe.each(databases)('testing a tool on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let receiver: Receiver;
  let http: ReturnType<typeof createGuardedClient>;
  let owner: { organizationId: number; key: string };

  beforeAll(async () => {
    receiver = await startReceiver();
    http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: [receiver.host] });
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { http });
    owner = await createTenant(database.db);
  });
  beforeEach(() => answer(200, '{"id":7}'));
  afterAll(async () => {
    await api.close();
    await http.close();
    await receiver.close();
    await database.drop();
  });

  const answer = (status: number, body: string) =>
    receiver.answerWith(() => ({ kind: 'answer', status, body }));
  const make = async (definition: unknown) =>
    idAt((await api.ask(owner.key, 'POST', '/tools/', { name: 'Tool', definition })).body, 'tool_uuid');
  const makeHttp = (config: Record<string, unknown> = {}) =>
    make({ type: 'http_api', config: { method: 'POST', url: `${receiver.url}/orders`, ...config } });
  const tryOut = (uuid: string, body: unknown = {}) =>
    api.ask(owner.key, 'POST', `/tools/${uuid}/test`, body);

  test('sends the request once, as a call would, and shows it with masked secrets', async () => {
    const credential = await api.ask(owner.key, 'POST', '/credentials/', {
      name: `CRM ${kind}`,
      credential_type: 'custom_header',
      credential_data: { header_name: 'X-Shop', header_value: 'shop-secret-1234' },
    });
    const uuid = await makeHttp({
      credential_uuid: idAt(credential.body, 'uuid'),
      headers: { 'X-Api-Key': 'key-secret-5678', 'X-Plain': 'seen', 'x-shop': 'replaced' },
      parameters: [{ name: 'item', type: 'string', description: 'What' }],
      preset_parameters: [{ name: 'caller', type: 'string', value_template: '{{name}}' }],
    });
    const before = receiver.requests.length;
    const { status, body } = await tryOut(uuid, {
      llm_params: { item: 'tea' },
      preset_params: { caller: 'Ada' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      status_code: 200,
      data: { id: 7 },
      error: null,
      hint: null,
      request_method: 'POST',
      request_url: `${receiver.url}/orders`,
      request_headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': '***********5678',
        'X-Plain': 'seen',
        'X-Shop': '************1234',
      },
      request_body: { item: 'tea', caller: 'Ada' },
      request_params: null,
      duration_ms: expect.any(Number),
    });
    expect(receiver.requests.slice(before)).toMatchObject([
      {
        method: 'POST',
        path: '/orders',
        body: '{"item":"tea","caller":"Ada"}',
        headers: { 'x-api-key': 'key-secret-5678', 'x-shop': 'shop-secret-1234' },
      },
    ]);
  });

  // guarantee: value-never-chooses-host-of-secret
  test('sends no secret to a host that a value decides', async () => {
    const credential = await api.ask(owner.key, 'POST', '/credentials/', {
      name: `Host ${kind}`,
      credential_type: 'bearer_token',
      credential_data: { token: 'shop-secret-1234' },
    });
    const before = receiver.requests.length;
    for (const secret of [
      { headers: { Authorization: 'key-secret-5678' } },
      { credential_uuid: idAt(credential.body, 'uuid') },
    ]) {
      const uuid = await makeHttp({ url: `http://{{host}}:${new URL(receiver.url).port}/orders`, ...secret });
      const { body } = await tryOut(uuid, { preset_params: { host: '127.0.0.1' } });
      expect(body).toMatchObject({ status: 'error', error: expect.stringContaining('the host in its URL') });
    }
    expect(receiver.requests.length).toBe(before);
  });

  test('sends nothing with a credential that names other hosts', async () => {
    const credential = await api.ask(owner.key, 'POST', '/credentials/', {
      name: `Elsewhere ${kind}`,
      credential_type: 'bearer_token',
      credential_data: { token: 'shop-secret-1234' },
      allowed_hosts: ['shop.example'],
    });
    expect(credential.body).toMatchObject({ allowed_hosts: ['shop.example'] });
    const before = receiver.requests.length;
    const { body } = await tryOut(await makeHttp({ credential_uuid: idAt(credential.body, 'uuid') }));
    expect(body).toMatchObject({
      status: 'error',
      error: 'The credential of this request is not for this host',
      hint: expect.stringContaining('allowed_hosts'),
    });
    expect(receiver.requests.length).toBe(before);
  });

  test('shows the query of a GET, renders missing presets, and uses other names as values of the call', async () => {
    const uuid = await makeHttp({
      method: 'GET',
      url: `${receiver.url}/{{shop}}/{{initial_context.branch}}`,
      parameters: [{ name: 'q', type: 'string', description: 'What', required: false }],
      preset_parameters: [
        { name: 'version', type: 'number', value_template: '2' },
        { name: 'who', type: 'string', value_template: '{{name}}' },
      ],
    });
    const { body } = await tryOut(uuid, {
      llm_params: { q: 'a b' },
      preset_params: { shop: 'a/b', branch: 7, name: 'Ada' },
    });
    expect(body).toMatchObject({
      status: 'success',
      request_method: 'GET',
      request_url: `${receiver.url}/a%2Fb/7?q=a+b&version=2&who=Ada`,
      request_body: null,
      request_params: { q: 'a b', version: 2, who: 'Ada' },
    });
    expect(receiver.requests.at(-1)?.path).toBe('/a%2Fb/7?q=a+b&version=2&who=Ada');
    const unfilled = await tryOut(uuid, { preset_params: { name: 'Ada' } });
    expect(unfilled.body).toMatchObject({
      status: 'error',
      status_code: null,
      error: 'the value of shop cannot be part of a URL',
      hint: expect.stringContaining('preset_params'),
      request_url: `${receiver.url}/{{shop}}/{{initial_context.branch}}`,
    });
  });

  test('sends no undeclared argument and none of another type, and says so in the hint', async () => {
    const uuid = await makeHttp({
      parameters: [{ name: 'count', type: 'number', description: 'How many' }],
      preset_parameters: [{ name: 'caller', type: 'string', value_template: '', required: false }],
    });
    const before = receiver.requests.length;
    expect((await tryOut(uuid, { llm_params: { count: '2' } })).body).toMatchObject({
      status: 'error',
      error: 'the argument count must be a number',
      hint: expect.stringContaining('Nothing was sent'),
    });
    expect(receiver.requests.length).toBe(before);
    const { body } = await tryOut(uuid, { llm_params: { count: 2, admin: true, caller: 'Eve' } });
    expect(body).toMatchObject({
      status: 'success',
      hint: expect.stringContaining('admin, caller'),
      request_body: { count: 2 },
    });
    expect(receiver.requests.at(-1)?.body).toBe('{"count":2}');
  });

  test('refuses missing required values with a 422 that names them, and sends nothing', async () => {
    const uuid = await makeHttp({
      parameters: [
        { name: 'item', type: 'string', description: 'What' },
        { name: 'note', type: 'string', description: 'Any', required: false },
      ],
      preset_parameters: [
        { name: 'caller', type: 'string', value_template: '{{name}}' },
        { name: 'fixed', type: 'string', value_template: 'x' },
      ],
    });
    const before = receiver.requests.length;
    const { status, body } = await tryOut(uuid, { llm_params: { item: null } });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        detail: [
          {
            type: 'missing',
            loc: ['body', 'llm_params', 'item'],
            msg: 'Field required',
            input: { item: null },
          },
          { type: 'missing', loc: ['body', 'preset_params', 'caller'], msg: 'Field required', input: {} },
        ],
      },
    });
    expect(receiver.requests.length).toBe(before);
  });

  test.each([
    [401, 'credential'],
    [404, 'path'],
    [302, 'Redirects are not followed'],
    [418, 'refused'],
    [500, 'Look at its logs'],
  ])('reports an answer of %i as an error with a hint', async (status, hint) => {
    answer(status, 'no');
    expect((await tryOut(await makeHttp())).body).toMatchObject({
      status: 'error',
      status_code: status,
      data: null,
      error: `the endpoint answered ${status}: no`,
      hint: expect.stringContaining(hint),
    });
  });

  test('reports an answer that is not JSON as an error, but not an empty one', async () => {
    const uuid = await makeHttp();
    answer(200, '<html>');
    expect((await tryOut(uuid)).body).toMatchObject({
      status: 'error',
      status_code: 200,
      data: '<html>',
      error: 'the answer is not JSON',
      hint: expect.stringContaining('JSON'),
    });
    answer(200, `[${'1,'.repeat(40_000)}1]`);
    expect((await tryOut(uuid)).body).toMatchObject({
      status: 'error',
      status_code: 200,
      data: expect.stringMatching(/^\[1,1.{15996}$/),
      error: 'the answer is incomplete',
      hint: expect.stringContaining('shorter'),
    });
    answer(200, '"text"');
    expect((await tryOut(uuid)).body).toMatchObject({ status: 'success', data: 'text', hint: null });
    answer(200, '');
    expect((await tryOut(uuid)).body).toMatchObject({ status: 'success', data: '', hint: null });
  });

  test('sends each request, even with the same Idempotency-Key, and audits it', async () => {
    const uuid = await makeHttp();
    const before = receiver.requests.length;
    const headers = { 'x-api-key': owner.key, 'idempotency-key': 'try-1' };
    for (const _ of [1, 2])
      expect((await api.send(headers, 'POST', `/tools/${uuid}/test`, {})).status).toBe(200);
    expect(receiver.requests.length).toBe(before + 2);
    const toolId = Number(idAt((await api.ask(owner.key, 'GET', `/tools/${uuid}`)).body, 'id'));
    const rows = await database.db
      .getRepository(auditEvents)
      .findBy({ organizationId: owner.organizationId, action: 'tool.tested', subjectId: toolId });
    expect(rows.map(({ changes }) => changes)).toEqual([{}, {}]);
  });

  test('refuses a tool of another type with a 400 that names it and an unknown one with 404, and tests an archived one', async () => {
    expect(await tryOut(await make({ type: 'calculator' }))).toMatchObject({
      status: 400,
      body: { detail: 'Only http_api tools can be tested; this one is calculator' },
    });
    expect(await tryOut('none')).toMatchObject({ status: 404, body: { detail: 'Tool not found' } });
    const uuid = await makeHttp();
    await api.ask(owner.key, 'DELETE', `/tools/${uuid}`);
    expect(at((await tryOut(uuid)).body, 'status')).toBe('success');
  });
});

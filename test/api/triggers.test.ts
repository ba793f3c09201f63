import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { apiKeys } from '../../src/db/tables/api-keys.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { PreconditionError, UnavailableError } from '../../src/domain/errors.ts';
import { lockOrganization } from '../../src/services/kernel/index.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, statementsUnderWay, type TestDatabase } from '../support/database.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../support/telephony.ts';
import { until } from '../support/until.ts';

const number = '+49 151 1234567';

describe.each(databases)('calls by trigger on %s (contract 5.1-5.4)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let carrier: FakeCarrier;
  /** An organization with a ready connection and one number. */
  let dialing: { organizationId: number; userId: number; key: string };
  let connection: { configurationId: number; numberIds: number[] };
  /** An organization without a connection. */
  let bare: { organizationId: number; key: string };
  let paths = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    carrier = createFakeCarrier();
    api = await startApi(database.db, { carriers: new Map([['telnyx', carrier]]) });
    dialing = await createTenant(database.db);
    connection = await insertConnection(database.db, dialing.organizationId, { name: 'Main' });
    bare = await createTenant(database.db);
  });
  beforeEach(async () => {
    carrier.started = [];
    carrier.answer = () => Promise.resolve();
    await database.db
      .getRepository(calls)
      .update({ organizationId: dialing.organizationId }, { state: 'ended' });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const freshPath = () => `path-${(paths += 1)}`;
  const create = async (key: string, graph: unknown) => {
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: graph,
    });
    return { id: idAt(body, 'id'), uuid: idAt(body, 'workflow_uuid') };
  };
  const update = (key: string, id: string, change: unknown) => api.ask(key, 'PUT', `/workflow/${id}`, change);
  const trigger = (key: string, path: string, body: Record<string, unknown> = {}) =>
    api.ask(key, 'POST', `/public/agent/${path}`, { phone_number: number, ...body });
  const detail = async (asking: ReturnType<typeof trigger>) => {
    const { status, body } = await asking;
    return [status, at(body, 'detail')];
  };
  const notConfigured = [400, 'telephony_not_configured'];

  test('a call is stored, pinned to the published version, and dialed', async () => {
    const path = freshPath();
    const agent = await create(dialing.key, triggeredGraph(path));
    await update(dialing.key, agent.id, { template_context_variables: { tier: 'only in tests' } });
    const answer = await trigger(dialing.key, path, {
      initial_context: { first_name: 'Ada', direction: 'sideways' },
      from_phone_number_id: connection.numberIds[0],
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'initiated',
        workflow_run_name: expect.stringMatching(/^WR-API-\d{4}$/),
        version_number: 1,
        version_status: 'published',
        temporal_workflow_id: `call/${String(at(answer.body, 'call_id'))}`,
      },
    });
    const run = await api.ask(
      dialing.key,
      'GET',
      `/workflow/${agent.id}/runs/${idAt(answer.body, 'workflow_run_id')}`,
    );
    const [key] = await database.db.getRepository(apiKeys).findBy({ organizationId: dialing.organizationId });
    expect(run.body).toMatchObject({
      mode: 'telnyx',
      call_type: 'outbound',
      state: 'initialized',
      call_id: at(answer.body, 'call_id'),
      called_number: number,
      phone_number: number,
    });
    expect(at(run.body, 'initial_context')).toEqual({
      provider: 'telnyx',
      direction: 'outbound',
      phone_number: number,
      trigger_mode: 'production',
      telephony_configuration_id: connection.configurationId,
      agent_identifier: path,
      agent_identifier_type: 'trigger_path',
      workflow_uuid: agent.uuid,
      from_phone_number_id: connection.numberIds[0],
      agent_uuid: path,
      api_key_id: key?.id,
      api_key_created_by: dialing.userId,
      first_name: 'Ada',
      called_number: number,
    });
    expect(carrier.started).toMatchObject([
      { id: at(answer.body, 'workflow_run_id'), state: 'pending', organizationId: dialing.organizationId },
    ]);
    expect(
      await database.db
        .getRepository(auditEvents)
        .countBy({ action: 'call.triggered', subjectId: Number(idAt(answer.body, 'workflow_run_id')) }),
    ).toBe(1);
  });

  test('values in the request cannot replace the checked connection and number', async () => {
    const path = freshPath();
    await create(dialing.key, triggeredGraph(path));
    const other = await insertConnection(database.db, dialing.organizationId, { name: 'Another' });
    const chosen = connection.numberIds[0];
    const initial_context = {
      telephony_configuration_id: other.configurationId,
      from_phone_number_id: other.numberIds[0],
      caller_number: '+15550009999',
      called_number: '+15550009999',
    };
    const checked = { telephony_configuration_id: connection.configurationId, called_number: number };
    for (const body of [{ from_phone_number_id: chosen }, {}]) {
      const asked = { telephony_configuration_id: connection.configurationId, ...body, initial_context };
      expect((await trigger(dialing.key, path, asked)).status).toBe(200);
      const seen = carrier.started.at(-1)?.initialContext;
      expect(seen).toMatchObject({ ...checked, ...body });
      expect(seen).not.toHaveProperty('caller_number');
      expect(seen?.['from_phone_number_id']).toBe(body.from_phone_number_id);
    }
  });

  test('the production URL follows the published graph and the test URL the draft (contract 4.3)', async () => {
    const [published, drafted] = [freshPath(), freshPath()];
    const agent = await create(dialing.key, triggeredGraph(published));
    await update(dialing.key, agent.id, { workflow_definition: triggeredGraph(drafted) });
    const shown = async (path: string) => {
      const { status, body } = await trigger(dialing.key, path);
      return [status, at(body, 'version_number') ?? at(body, 'detail')];
    };
    const absent = [404, 'Trigger not found in the selected Agent'];
    expect([await shown(published), await shown(drafted)]).toEqual([[200, 1], absent]);
    expect([await shown(`test/${published}`), await shown(`test/${drafted}`)]).toEqual([absent, [200, 2]]);
    expect([await shown(`workflow/${agent.uuid}`), await shown(`test/workflow/${agent.uuid}`)]).toEqual([
      [200, 1],
      [200, 2],
    ]);
    await api.ask(dialing.key, 'POST', `/workflow/${agent.id}/publish`);
    expect([await shown(drafted), await shown(`test/${drafted}`), await shown(published)]).toEqual([
      [200, 2],
      [200, 2],
      [404, 'Agent trigger not found'],
    ]);
  });

  test("a test call has its own kind of name and no test values; the agent's uuid needs no trigger", async () => {
    const agent = await create(dialing.key, completeGraph());
    await update(dialing.key, agent.id, { template_context_variables: { tier: 'only in tests' } });
    const answer = await trigger(dialing.key, `test/workflow/${agent.uuid}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { workflow_run_name: expect.stringMatching(/^WR-TEST-\d{4}$/), version_status: 'draft' },
    });
    expect(carrier.started[0]?.initialContext).toMatchObject({
      trigger_mode: 'test',
      agent_identifier: agent.uuid,
      agent_identifier_type: 'workflow_uuid',
    });
    expect(carrier.started[0]?.initialContext).not.toHaveProperty('tier');
    expect(carrier.started[0]).toMatchObject({ isTest: true, source: 'api_test' });
  });

  test('both prefixes serve the same routes and refuse other verbs (contract 0.2)', async () => {
    const path = freshPath();
    await create(dialing.key, triggeredGraph(path));
    for (const prefix of ['', '/api/v1']) {
      const send = (method: string) =>
        fetch(`${api.url}${prefix}/public/agent/${path}`, {
          method,
          headers: { 'x-api-key': dialing.key, 'content-type': 'application/json' },
          ...(method === 'POST' ? { body: JSON.stringify({ phone_number: number }) } : {}),
        });
      expect((await send('POST')).status).toBe(200);
      const other = await send('GET');
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('accepts only a key in X-API-Key: a missing or empty one is a field fault, an invalid one 401 after all field faults', async () => {
    const send = (headers: Record<string, string>, body: unknown) =>
      api.send(headers, 'POST', `/public/agent/${freshPath()}`, body);
    const missing = { type: 'missing', loc: ['header', 'X-API-Key'], msg: 'Field required', input: null };
    const keyless: Record<string, string>[] = [
      {},
      { 'x-api-key': '' },
      { authorization: `Bearer ${dialing.key}` },
    ];
    for (const headers of keyless) {
      expect(await send(headers, {})).toEqual(
        expect.objectContaining({
          status: 422,
          body: {
            detail: [
              missing,
              { type: 'missing', loc: ['body', 'phone_number'], msg: 'Field required', input: {} },
            ],
          },
        }),
      );
    }
    for (const bad of ['nonsense', 'dgr_x', 'ü'.repeat(3)])
      expect(
        await send({ 'x-api-key': bad, authorization: `Bearer ${dialing.key}` }, { phone_number: number }),
      ).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } });
    expect((await send({ 'x-api-key': 'nonsense' }, {})).status).toBe(422);
    const archived = await createTenant(database.db);
    await database.db
      .getRepository(apiKeys)
      .update({ organizationId: archived.organizationId }, { archivedAt: new Date() });
    expect(await send({ 'x-api-key': archived.key }, { phone_number: number })).toMatchObject({
      status: 401,
      body: { detail: 'Invalid API key' },
    });
  });

  test('a key without the scope is refused after field faults and before any lookup', async () => {
    const made = await api.ask(dialing.key, 'POST', '/user/api-keys', { name: 'reader', scopes: ['read'] });
    const reader = String(at(made.body, 'api_key'));
    expect(await detail(trigger(reader, freshPath()))).toEqual([
      403,
      'This API key lacks the scope calls:trigger',
    ]);
    expect((await api.ask(reader, 'POST', `/public/agent/${freshPath()}`, {})).status).toBe(422);
  });

  test('trigger and agent are checked in the order of contract 5.2', async () => {
    const off = freshPath();
    const switchedOff = await create(bare.key, triggeredGraph(off, { enabled: false }));
    const theirs = freshPath();
    const foreign = await create(dialing.key, triggeredGraph(theirs));
    expect(await detail(trigger(bare.key, freshPath()))).toEqual([404, 'Agent trigger not found']);
    expect(await detail(trigger(bare.key, 'no path, ü'))).toEqual([404, 'Agent trigger not found']);
    expect(await detail(trigger(bare.key, theirs))).toEqual([403, 'Access denied']);
    expect(await detail(trigger(bare.key, `workflow/${foreign.uuid}`))).toEqual([404, 'Workflow not found']);
    expect(await detail(trigger(bare.key, 'test/workflow/ü'))).toEqual([404, 'Workflow not found']);

    await api.ask(bare.key, 'PUT', `/workflow/${switchedOff.id}/status`, { status: 'archived' });
    for (const path of [off, `test/${off}`])
      expect(await detail(trigger(bare.key, path))).toEqual([404, 'Agent trigger is not active']);
    for (const way of ['workflow', 'test/workflow'])
      expect(await detail(trigger(bare.key, `${way}/${switchedOff.uuid}`))).toEqual([
        404,
        'Workflow is not active',
      ]);
    await api.ask(bare.key, 'PUT', `/workflow/${switchedOff.id}/status`, { status: 'active' });
    expect(await detail(trigger(bare.key, `workflow/${switchedOff.uuid}`))).toEqual(notConfigured);

    const drafted = freshPath();
    const kept = await create(bare.key, completeGraph());
    await update(bare.key, kept.id, { workflow_definition: triggeredGraph(drafted) });
    expect(await detail(trigger(bare.key, drafted))).toEqual([
      404,
      'Trigger not found in the selected Agent',
    ]);
    await api.ask(bare.key, 'PUT', `/workflow/${kept.id}/status`, { status: 'archived' });
    expect(await detail(trigger(bare.key, drafted))).toEqual([404, 'Workflow is not active']);
  });

  test('a graph that cannot run is refused with its faults before the check of the connection', async () => {
    const path = freshPath();
    const { nodes } = triggeredGraph(path);
    await create(bare.key, { nodes: nodes.slice(-1), edges: [] });
    expect(await trigger(bare.key, path)).toMatchObject({
      status: 422,
      body: {
        detail: {
          is_valid: false,
          errors: expect.arrayContaining([expect.objectContaining({ kind: 'workflow' })]),
        },
      },
    });
  });

  test('connections and numbers must belong to the organization and be active; the number to dial is checked after them', async () => {
    const path = freshPath();
    await create(bare.key, triggeredGraph(path));
    const wrong = { phone_number: 'nobody' };
    expect(await detail(trigger(bare.key, path, wrong))).toEqual(notConfigured);
    expect(
      await detail(
        trigger(bare.key, path, { ...wrong, telephony_configuration_id: connection.configurationId }),
      ),
    ).toEqual([404, 'Telephony configuration not found']);

    const tenant = await createTenant(database.db);
    const own = freshPath();
    await create(tenant.key, triggeredGraph(own));
    const unready = await insertConnection(database.db, tenant.organizationId, {
      name: 'No number',
      numbers: [false],
    });
    const notReady = [
      400,
      "The telephony configuration 'No number' is not ready for outbound calls: it has no active phone number",
    ];
    expect(await detail(trigger(tenant.key, own, wrong))).toEqual(notReady);
    const ready = await insertConnection(database.db, tenant.organizationId, {
      name: 'Ready',
      numbers: [true, false],
    });
    expect(
      await detail(
        trigger(tenant.key, own, { ...wrong, telephony_configuration_id: unready.configurationId }),
      ),
    ).toEqual(notReady);
    for (const id of [ready.numberIds[1], unready.numberIds[0], connection.numberIds[0], 999_999])
      expect(await detail(trigger(tenant.key, own, { ...wrong, from_phone_number_id: id }))).toEqual([
        400,
        'from_phone_number_not_found',
      ]);
    const pattern = '^\\+?[1-9]\\d{6,14}$';
    expect(await trigger(tenant.key, own, wrong)).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            type: 'string_pattern_mismatch',
            loc: ['body', 'phone_number'],
            msg: `String should match pattern '${pattern}'`,
            input: 'nobody',
            ctx: { pattern },
          },
        ],
      },
    });
    expect((await trigger(tenant.key, own, { from_phone_number_id: ready.numberIds[0] })).status).toBe(200);
  });

  // guarantee: suppressed-number-refused-on-request
  test('a suppressed number is refused at its field with the fix, and is not called until the suppression is removed', async () => {
    const path = freshPath();
    const agent = await create(dialing.key, triggeredGraph(path));
    const listed = '+1 (555) 123-0077';
    expect(
      (await api.ask(dialing.key, 'POST', '/suppressions', { phone_numbers: [listed] })).status,
    ).toBeLessThan(300);
    const refusal = {
      status: 422,
      body: {
        detail: [
          {
            type: 'value_error',
            loc: ['body', 'phone_number'],
            msg: expect.stringContaining('DELETE /suppressions/{id}'),
            input: '15551230077',
            ctx: { error: {} },
          },
        ],
      },
    };
    expect(await trigger(dialing.key, path, { phone_number: '15551230077' })).toMatchObject(refusal);
    expect(
      await api.ask(dialing.key, 'POST', '/telephony/initiate-call', {
        workflow_id: Number(agent.id),
        phone_number: '15551230077',
      }),
    ).toMatchObject(refusal);
    expect(carrier.started).toEqual([]);
    expect(
      await database.db
        .getRepository(calls)
        .countBy({ organizationId: dialing.organizationId, state: 'pending' }),
    ).toBe(0);
    const { body } = await api.ask(dialing.key, 'GET', '/suppressions?number=15551230077');
    const [entry] = Object.values(body as object).find(Array.isArray) ?? []; // oxlint-disable-line typescript/no-unsafe-type-assertion, typescript/no-unsafe-assignment -- the one list in the answer
    expect(
      (await api.ask(dialing.key, 'DELETE', `/suppressions/${idAt(entry, 'id')}?reason=asked`)).status,
    ).toBeLessThan(300);
    expect((await trigger(dialing.key, path, { phone_number: '15551230077' })).status).toBe(200);
  });

  test('a suppressed number is refused in any notation, in the suppression and in the request', async () => {
    const path = freshPath();
    await create(dialing.key, triggeredGraph(path));
    expect(
      (await api.ask(dialing.key, 'POST', '/suppressions', { phone_numbers: ['+49 (0)151 12345677'] }))
        .status,
    ).toBeLessThan(300);
    for (const written of ['+49 (0)151 12345677', '4915112345677', '+49 151 12345677']) {
      expect(await trigger(dialing.key, path, { phone_number: written })).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'value_error', loc: ['body', 'phone_number'], input: written }] },
      });
    }
    expect(carrier.started).toEqual([]);
  });

  test('of simultaneous requests no more calls start than the limit of the organization', async () => {
    const path = freshPath();
    await create(dialing.key, triggeredGraph(path));
    const answers = await Promise.all(Array.from({ length: 12 }, () => trigger(dialing.key, path)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      429,
      429,
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect([at(refused?.body, 'detail'), refused?.headers.get('retry-after')]).toEqual([
      'Concurrent call limit reached',
      '5',
    ]);
    expect(
      await database.db
        .getRepository(calls)
        .countBy({ organizationId: dialing.organizationId, state: 'pending' }),
    ).toBe(10);
  });

  // guarantee: waiting-calls-leave-connections
  test('while calls of one organization wait for one another, other requests get a connection', async () => {
    const path = freshPath();
    await create(dialing.key, triggeredGraph(path));
    const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(database.db, async (tx) => {
      await lockOrganization(tx, dialing);
      locked.resolve();
      await over.promise;
    });
    await locked.promise;
    const answers = Array.from({ length: 10 }, () => trigger(dialing.key, path));
    await until('calls that wait for the organization', async () => (await lockWaits()) >= 4);
    expect((await api.ask(dialing.key, 'GET', '/auth/me')).status).toBe(200);
    expect(await lockWaits()).toBe(4);
    over.resolve();
    await holding;
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  /** How many connections wait for the lock of an organization. */
  const lockWaits = async (): Promise<number> =>
    (await statementsUnderWay(database, /`organizations`.*FOR UPDATE/s)).length;

  describe('with an Idempotency-Key', () => {
    let path: string;
    beforeAll(async () => {
      path = freshPath();
      await create(dialing.key, triggeredGraph(path));
    });
    const keyed = (key: string, body: Record<string, unknown> = {}) =>
      api.send(
        { 'x-api-key': dialing.key, 'idempotency-key': `${kind}-${key}` },
        'POST',
        `/public/agent/${path}`,
        { phone_number: number, ...body },
      );
    const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed') === 'true';

    test('a repeated request dials once', async () => {
      const first = await keyed('once');
      const again = await keyed('once');
      expect([again.status, again.body, replayed(first), replayed(again)]).toEqual([
        200,
        first.body,
        false,
        true,
      ]);
      expect(carrier.started).toHaveLength(1);
    });

    test('a refusal after the call was created is stored, so the number is not dialed again', async () => {
      carrier.answer = () =>
        Promise.reject(new PreconditionError('Failed to initiate call: busy lines', { status: 400 }));
      const first = await keyed('refused');
      const again = await keyed('refused');
      expect([first.status, again.status, again.body, replayed(again)]).toEqual([400, 400, first.body, true]);
      expect(carrier.started).toHaveLength(1);
    });

    test.each([
      ['a failure of ours', 500, () => Promise.reject(new Error('broken'))],
      ['a conflict', 409, () => Promise.reject(new PreconditionError('taken'))],
    ])(
      '%s is not stored, and the next request continues with the same call',
      async (name, status, answer) => {
        carrier.answer = answer;
        expect((await keyed(name.replaceAll(' ', '-'))).status).toBe(status);
        carrier.answer = () => Promise.resolve();
        const again = await keyed(name.replaceAll(' ', '-'));
        expect([again.status, replayed(again)]).toEqual([200, false]);
        expect(carrier.started.map(({ id }) => id)).toEqual([
          at(again.body, 'workflow_run_id'),
          at(again.body, 'workflow_run_id'),
        ]);
      },
    );

    test('a refusal before the call was created is not stored', async () => {
      expect((await keyed('mended', { from_phone_number_id: 999_999 })).status).toBe(400);
      expect((await keyed('mended')).status).toBe(200);
    });

    test('a call that could not be started is refused and never dialed; the next request makes another', async () => {
      carrier.answer = () =>
        Promise.reject(new UnavailableError('Temporal is not available', { dependency: 'temporal' }));
      expect((await keyed('away')).status).toBe(503);
      const lost = carrier.started[0]?.id ?? 0;
      expect(await database.db.getRepository(calls).findOneBy({ id: lost })).toMatchObject({
        state: 'refused',
      });
      carrier.answer = () => Promise.resolve();
      const again = await keyed('away');
      expect(again.status).toBe(200);
      expect(at(again.body, 'workflow_run_id')).not.toBe(lost);
    });

    test('the next request continues with its call even if the agent was archived meanwhile', async () => {
      const own = freshPath();
      const agent = await create(dialing.key, triggeredGraph(own));
      const send = () =>
        api.send(
          { 'x-api-key': dialing.key, 'idempotency-key': `${kind}-archived` },
          'POST',
          `/public/agent/${own}`,
          { phone_number: number },
        );
      carrier.answer = () => Promise.reject(new Error('the process died'));
      expect((await send()).status).toBe(500);
      await api.ask(dialing.key, 'PUT', `/workflow/${agent.id}/status`, { status: 'archived' });
      carrier.answer = () => Promise.resolve();
      expect(await send()).toMatchObject({
        status: 200,
        body: { workflow_run_id: carrier.started[0]?.id, version_number: 1 },
      });
    });
  });
});

test('without a supported carrier no connection is ready, and no call starts', async () => {
  const database = await createTestDatabase('mariadb');
  const api = await startApi(database.db);
  try {
    const { key, organizationId } = await createTenant(database.db);
    await insertConnection(database.db, organizationId, { name: 'Main' });
    await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: triggeredGraph('p'),
    });
    expect(await api.ask(key, 'POST', '/public/agent/p', { phone_number: number })).toMatchObject({
      status: 400,
      body: {
        detail:
          "The telephony configuration 'Main' is not ready for outbound calls: this installation cannot dial with telnyx",
      },
    });
    expect(await database.db.getRepository(calls).countBy({ organizationId })).toBe(0);
  } finally {
    await api.close();
    await database.drop();
  }
});

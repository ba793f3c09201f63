import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../src/db/tables/calls.ts';
import { PreconditionError } from '../../../src/domain/errors.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../../support/telephony.ts';

/**
 * Contract 5.1 to 5.5, row by row, up to the carrier. The order of the rows is tested in triggers.test.ts and
 * initiate-call.test.ts.
 */
describe.each(databases)('starting calls on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let carrier: FakeCarrier;
  let dialing: Awaited<ReturnType<typeof createTenant>>;
  let connection: { configurationId: number; numberIds: number[] };
  let bare: Awaited<ReturnType<typeof createTenant>>;
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

  const number = '4915112345678';
  /** An agent with a trigger: published version 1, and optionally a draft. */
  const create = async ({
    key = dialing.key,
    trigger = {},
    draft = false,
  }: { key?: string; trigger?: Record<string, unknown>; draft?: boolean } = {}) => {
    const path = `row-${(paths += 1)}`;
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: triggeredGraph(path, trigger),
    });
    const agent = { id: idAt(body, 'id'), uuid: idAt(body, 'workflow_uuid'), path };
    if (draft)
      await api.ask(key, 'PUT', `/workflow/${agent.id}`, {
        workflow_definition: triggeredGraph(path, trigger),
        template_context_variables: { tier: 'test value' },
      });
    return agent;
  };
  const trigger = (where: string, body: Record<string, unknown> = {}, key = dialing.key) =>
    api.ask(key, 'POST', `/public/agent/${where}`, { phone_number: number, ...body });
  const initiate = (agentId: string | number, body: Record<string, unknown> = {}, key = dialing.key) =>
    api.ask(key, 'POST', '/telephony/initiate-call', {
      workflow_id: Number(agentId),
      phone_number: number,
      ...body,
    });
  const said = ({ status, body }: { status: number; body: unknown }) => [status, at(body, 'detail')];
  const contextOf = async (agentId: string, answer: { body: unknown }) =>
    at(
      (await api.ask(dialing.key, 'GET', `/workflow/${agentId}/runs/${idAt(answer.body, 'workflow_run_id')}`))
        .body,
      'initial_context',
    );

  describe('5.1 trigger endpoints', () => {
    test.each([
      ['/public/agent/test/{uuid}', 'the latest draft', (agent: { path: string }) => `test/${agent.path}`, 2],
      ['/public/agent/{uuid}', 'the published version', (agent: { path: string }) => agent.path, 1],
      [
        '/public/agent/test/workflow/{workflow_uuid}',
        'the latest draft',
        (agent: { uuid: string }) => `test/workflow/${agent.uuid}`,
        2,
      ],
      [
        '/public/agent/workflow/{workflow_uuid}',
        'the published version',
        (agent: { uuid: string }) => `workflow/${agent.uuid}`,
        1,
      ],
    ])('%s uses %s', async (_path, _what, where, version) => {
      expect(at((await trigger(where(await create({ draft: true })))).body, 'version_number')).toBe(version);
    });

    test.each(['test/', 'test/workflow/'])(
      '%s uses the published version when there is no draft',
      async (prefix) => {
        const agent = await create();
        expect(
          at((await trigger(prefix + (prefix === 'test/' ? agent.path : agent.uuid))).body, 'version_status'),
        ).toBe('published');
      },
    );

    test('200: status, id and name; production calls are WR-API-nnnn, test calls WR-TEST-nnnn; further keys are additions', async () => {
      const { path } = await create();
      const answers = await Promise.all([trigger(path), trigger(`test/${path}`)]);
      for (const [index, name] of [/^WR-API-\d{4}$/, /^WR-TEST-\d{4}$/].entries()) {
        expect(answers[index]).toMatchObject({
          status: 200,
          body: {
            status: 'initiated',
            workflow_run_id: expect.any(Number),
            workflow_run_name: expect.stringMatching(name),
            call_id: expect.any(String),
            version_number: 1,
            version_status: 'published',
            temporal_workflow_id: expect.any(String),
          },
        });
      }
    });

    test('telephony_configuration_id and from_phone_number_id choose the connection and the number, by default the default ones', async () => {
      const { id, path } = await create();
      const chosen = await trigger(path, {
        telephony_configuration_id: connection.configurationId,
        from_phone_number_id: connection.numberIds[0],
      });
      const left = await trigger(path);
      expect([await contextOf(id, chosen), await contextOf(id, left)]).toMatchObject([
        {
          telephony_configuration_id: connection.configurationId,
          from_phone_number_id: connection.numberIds[0],
        },
        { telephony_configuration_id: connection.configurationId },
      ]);
    });

    test.each([[null], [{}]])('initial_context may be %j or absent', async (initialContext) => {
      expect((await trigger((await create()).path, { initial_context: initialContext })).status).toBe(200);
    });
  });

  describe('5.2 trigger errors', () => {
    test('422 for an absent header and a wrong body, in one list', async () => {
      const { status, body } = await api.send({}, 'POST', '/public/agent/x', {
        phone_number: 5,
        telephony_configuration_id: 'x',
      });
      expect([status, [0, 1, 2].map((index) => at(body, 'detail', index, 'loc'))]).toEqual([
        422,
        [
          ['header', 'X-API-Key'],
          ['body', 'phone_number'],
          ['body', 'telephony_configuration_id'],
        ],
      ]);
    });

    test('401 Invalid API key', async () =>
      expect(said(await trigger('x', {}, 'prl_unknown'))).toEqual([401, 'Invalid API key']));

    test('404 Agent trigger not found', async () =>
      expect(said(await trigger('unknown-path'))).toEqual([404, 'Agent trigger not found']));

    test('403 Access denied for a path of another organization; by uuid 404', async () => {
      const theirs = await create({ key: bare.key });
      expect([said(await trigger(theirs.path)), said(await trigger(`workflow/${theirs.uuid}`))]).toEqual([
        [403, 'Access denied'],
        [404, 'Workflow not found'],
      ]);
    });

    test('404 Agent trigger is not active', async () =>
      expect(said(await trigger((await create({ trigger: { enabled: false } })).path))).toEqual([
        404,
        'Agent trigger is not active',
      ]));

    test('404 Workflow not found', async () =>
      expect(said(await trigger('workflow/11111111-1111-4111-8111-111111111111'))).toEqual([
        404,
        'Workflow not found',
      ]));

    test('404 Workflow is not active', async () => {
      const { id, path } = await create();
      await api.ask(dialing.key, 'PUT', `/workflow/${id}/status`, { status: 'archived' });
      expect(said(await trigger(path))).toEqual([404, 'Workflow is not active']);
    });

    test('404 Trigger not found in the selected Agent: the path is only in the draft', async () => {
      const { body } = await api.ask(dialing.key, 'POST', '/workflow/create/definition', {
        name: 'a',
        workflow_definition: completeGraph(),
      });
      const path = `row-${(paths += 1)}`;
      await api.ask(dialing.key, 'PUT', `/workflow/${idAt(body, 'id')}`, {
        workflow_definition: triggeredGraph(path),
      });
      expect([said(await trigger(path)), (await trigger(`test/${path}`)).status]).toEqual([
        [404, 'Trigger not found in the selected Agent'],
        200,
      ]);
    });

    test('422 graph error for a graph that cannot run', async () => {
      const path = `row-${(paths += 1)}`;
      await api.ask(dialing.key, 'POST', '/workflow/create/definition', {
        name: 'a',
        workflow_definition: { nodes: triggeredGraph(path).nodes.slice(-1), edges: [] },
      });
      expect(await trigger(path)).toMatchObject({
        status: 422,
        body: { detail: { is_valid: false, errors: expect.any(Array) } },
      });
    });

    test('400 for a connection that is not ready, by name', async () => {
      const tenant = await createTenant(database.db);
      await insertConnection(database.db, tenant.organizationId, { name: 'Silent', numbers: [false] });
      expect(said(await trigger((await create({ key: tenant.key })).path, {}, tenant.key))).toEqual([
        400,
        expect.stringMatching(/Silent.*not ready for outbound/),
      ]);
    });

    test('404 Telephony configuration not found', async () =>
      expect(said(await trigger((await create()).path, { telephony_configuration_id: 999_999 }))).toEqual([
        404,
        'Telephony configuration not found',
      ]));

    test('400 telephony_not_configured', async () =>
      expect(said(await trigger((await create({ key: bare.key })).path, {}, bare.key))).toEqual([
        400,
        'telephony_not_configured',
      ]));

    test('400 from_phone_number_not_found', async () =>
      expect(said(await trigger((await create()).path, { from_phone_number_id: 999_999 }))).toEqual([
        400,
        'from_phone_number_not_found',
      ]));

    test('422 at phone_number for a number that cannot be dialed', async () => {
      expect(await trigger((await create()).path, { phone_number: '' })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'phone_number'] }] },
      });
    });

    test('429 Concurrent call limit reached, without a run', async () => {
      const { id, path } = await create();
      const answers = [];
      for (let count = 0; count < 11; count += 1) answers.push(await trigger(path));
      const runs = await api.ask(dialing.key, 'GET', `/workflow/${id}/runs`);
      expect([
        answers.map(({ status }) => status).slice(-2),
        said(answers.at(-1) ?? { status: 0, body: null }),
        at(runs.body, 'total_count'),
      ]).toEqual([[200, 429], [429, 'Concurrent call limit reached'], 10]);
    });

    test("400 with the carrier's text if it refuses", async () => {
      carrier.answer = () =>
        Promise.reject(new PreconditionError('Failed to initiate call: no credit', { status: 400 }));
      expect(said(await trigger((await create()).path))).toEqual([400, 'Failed to initiate call: no credit']);
    });
  });

  describe('5.3 what a trigger writes into initial_context', () => {
    test('1: no test values, even on the test trigger', async () => {
      const agent = await create({ draft: true });
      for (const where of [agent.path, `test/${agent.path}`])
        expect(await contextOf(agent.id, await trigger(where))).not.toHaveProperty('tier');
    });

    test.each([
      ['provider', 'telnyx'],
      ['direction', 'outbound'],
      ['phone_number', number],
      ['agent_identifier_type', 'trigger_path'],
    ])('2: %s', async (name, value) => {
      const agent = await create();
      expect(await contextOf(agent.id, await trigger(agent.path))).toMatchObject({ [name]: value });
    });

    test('2: trigger_mode, agent_identifier, workflow_uuid, agent_uuid, api_key_id, api_key_created_by', async () => {
      const agent = await create();
      const context = await contextOf(agent.id, await trigger(`test/${agent.path}`));
      expect(context).toMatchObject({
        trigger_mode: 'test',
        agent_identifier: agent.path,
        workflow_uuid: agent.uuid,
        agent_uuid: agent.path,
        api_key_id: expect.any(Number),
        api_key_created_by: dialing.userId,
      });
      expect(await contextOf(agent.id, await trigger(`workflow/${agent.uuid}`))).toMatchObject({
        trigger_mode: 'production',
        agent_identifier: agent.uuid,
        agent_identifier_type: 'workflow_uuid',
      });
    });

    test.each([
      'provider',
      'runtime_configuration',
      'direction',
      'telephony_configuration_id',
      'workflow_uuid',
      'api_key_id',
      'api_key_created_by',
      'called_number',
    ])('3, 4: a request cannot write %s', async (name) => {
      const agent = await create();
      const context = await contextOf(
        agent.id,
        await trigger(agent.path, { initial_context: { [name]: 'mine', own: 'kept' } }),
      );
      expect([at(context, name) === 'mine', at(context, 'own')]).toEqual([false, 'kept']);
    });

    test('3: a request may write other service keys', async () => {
      const agent = await create();
      expect(
        await contextOf(agent.id, await trigger(agent.path, { initial_context: { trigger_mode: 'mine' } })),
      ).toMatchObject({ trigger_mode: 'mine' });
    });

    test('4: called_number is the number as the client sent it', async () => {
      const agent = await create();
      expect(
        await contextOf(agent.id, await trigger(agent.path, { phone_number: '+49 (151) 123-456.78' })),
      ).toMatchObject({ called_number: '+49 (151) 123-456.78', phone_number: '+49 (151) 123-456.78' });
    });
  });

  describe('5.4 phone numbers', () => {
    test.each([
      '4915112345678',
      '+4915112345678',
      ' +49 151-123.456 78 ',
      '(49)15112345678',
      '1234567',
      '123456789012345',
    ])('%j is dialed', async (written) => {
      expect((await trigger((await create()).path, { phone_number: written })).status).toBe(200);
    });

    test.each([
      '',
      '+',
      '123456',
      '1234567890123456',
      '0151123456',
      '++4915112345678',
      '49151x2345678',
      'sip:ada@example.test',
      '١٢٣٤٥٦٧٨',
    ])('%j is refused: string_pattern_mismatch at phone_number', async (written) => {
      const pattern = '^\\+?[1-9]\\d{6,14}$';
      expect(await trigger((await create()).path, { phone_number: written })).toMatchObject({
        status: 422,
        body: {
          detail: [{ type: 'string_pattern_mismatch', loc: ['body', 'phone_number'], ctx: { pattern } }],
        },
      });
    });
  });

  describe('5.5 initiate-call', () => {
    test('200: the draft with its test values; the name ends the message', async () => {
      const agent = await create({ draft: true });
      const answer = await initiate(agent.id, { initial_context: { own: 1 } });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          message: expect.stringMatching(/^Call initiated successfully with run name WR-[A-Z-]+-\d+$/),
          workflow_run_id: expect.any(Number),
          workflow_run_name: expect.any(String),
        },
      });
      expect(await contextOf(agent.id, answer)).toMatchObject({ tier: 'test value', own: 1 });
    });

    test('works with a session as well as with a key', async () => {
      const { body } = await api.send({}, 'POST', '/auth/signup', {
        email: `caller-${kind}@example.com`,
        password: 'correct horse battery',
        name: 'Caller',
      });
      const answer = await api.send(
        { authorization: `Bearer ${String(at(body, 'token'))}` },
        'POST',
        '/telephony/initiate-call',
        { workflow_id: 1, phone_number: number },
      );
      expect(said(answer)).toEqual([404, 'Workflow not found']);
    });

    test('400 telephony_not_configured', async () =>
      expect(said(await initiate((await create({ key: bare.key })).id, {}, bare.key))).toEqual([
        400,
        'telephony_not_configured',
      ]));

    test('400 telephony_configuration_not_found', async () =>
      expect(said(await initiate((await create()).id, { telephony_configuration_id: 999_999 }))).toEqual([
        400,
        'telephony_configuration_not_found',
      ]));

    test('400 without a number in the request or a stored one', async () =>
      expect(said(await initiate((await create()).id, { phone_number: null }))).toEqual([
        400,
        expect.stringMatching(/number/),
      ]));

    test('400 from_phone_number_not_found', async () =>
      expect(said(await initiate((await create()).id, { from_phone_number_id: 999_999 }))).toEqual([
        400,
        'from_phone_number_not_found',
      ]));

    test('400 Workflow run not found, workflow_run_workflow_mismatch', async () => {
      const [one, other] = [await create(), await create()];
      const run = Number(
        idAt(
          (await api.ask(dialing.key, 'POST', `/workflow/${one.id}/runs`, { mode: 'telnyx', name: 'ahead' }))
            .body,
          'id',
        ),
      );
      expect([
        said(await initiate(one.id, { workflow_run_id: 999_999 })),
        said(await initiate(other.id, { workflow_run_id: run })),
      ]).toEqual([
        [400, 'Workflow run not found'],
        [400, 'workflow_run_workflow_mismatch'],
      ]);
    });

    test('404 Workflow not found', async () =>
      expect(said(await initiate(999_999))).toEqual([404, 'Workflow not found']));

    test('404 Workflow is not active', async () => {
      const { id } = await create();
      await api.ask(dialing.key, 'PUT', `/workflow/${id}/status`, { status: 'archived' });
      expect(said(await initiate(id))).toEqual([404, 'Workflow is not active']);
    });

    test('409 Workflow run already has an active call', async () => {
      const { id } = await create();
      const run = Number(
        idAt(
          (await api.ask(dialing.key, 'POST', `/workflow/${id}/runs`, { mode: 'telnyx', name: 'ahead' }))
            .body,
          'id',
        ),
      );
      expect([
        (await initiate(id, { workflow_run_id: run })).status,
        said(await initiate(id, { workflow_run_id: run })),
      ]).toEqual([200, [409, 'Workflow run already has an active call']]);
    });
  });
});

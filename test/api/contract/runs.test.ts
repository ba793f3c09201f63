import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runModes } from '../../../src/contract/calls.ts';
import { calls, type CallRow } from '../../../src/db/tables/calls.ts';
import { UnavailableError } from '../../../src/domain/errors.ts';
import {
  answeringCalls,
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { insertCalls, lasting, type CallOwner } from '../../support/call-rows.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';
import { insertOpenHost } from '../../support/media/open-host.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../../support/telephony.ts';

/**
 * Contract 6.1 to 6.4, 6.8 and 6.9, row by row, on calls without a conversation. Conversations are in
 * text-sessions.test.ts, the usage list is in test/api/sections/usage.test.ts.
 */
describe.each(databases)('runs on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let carrier: FakeCarrier;
  /** Instead of the opening of a text session. */
  let failedOpening: (() => Promise<never>) | undefined;
  let organizationId: number;
  let connection: { configurationId: number; numberIds: number[] };
  let key: string;
  let owner: CallOwner;
  let paths = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    carrier = createFakeCarrier();
    api = await startApi(database.db, {
      carriers: new Map([['telnyx', carrier]]),
      calls: {
        ...answeringCalls,
        openTextSession: (...sent) => failedOpening?.() ?? answeringCalls.openTextSession(...sent),
      },
    });
    ({ key, organizationId } = await createTenant(database.db));
    connection = await insertConnection(database.db, organizationId);
    await insertOpenHost(database.db);
  });
  beforeEach(async () => {
    carrier.answer = () => Promise.resolve();
    failedOpening = undefined;
    await database.db.getRepository(calls).update({ organizationId }, { state: 'ended' });
    owner = { organizationId, ...(await createAgent()) };
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const createAgent = async (graph: unknown = completeGraph()) => {
    const { body } = await ask('POST', '/workflow/create/definition', {
      name: 'Agent',
      workflow_definition: graph,
    });
    return { agentId: Number(idAt(body, 'id')), versionId: Number(idAt(body, 'current_definition_id')) };
  };
  const insert = (...changes: Partial<CallRow>[]) => insertCalls(database.db, owner, ...changes);
  const single = async (id: unknown, agentId = owner.agentId) =>
    (await ask('GET', `/workflow/${agentId}/runs/${String(id)}`)).body;
  const list = (query = '') => ask('GET', `/workflow/${owner.agentId}/runs${query}`);
  const listed = async (query = '') => [at((await list(query)).body, 'runs')].flat();
  const idsOf = async (query = '') => (await listed(query)).map((run) => at(run, 'id'));
  const filtered = (attribute: string, type: string, value: unknown) =>
    `?filters=${encodeURIComponent(JSON.stringify([{ attribute, type, value }]))}`;
  const make = (body: unknown, agentId: number | string = owner.agentId) =>
    ask('POST', `/workflow/${agentId}/runs`, body);
  const said = ({ status, body }: { status: number; body: unknown }) => [status, at(body, 'detail')];
  const moment = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  const token = (index: number) =>
    `6f0f0a3e-54e2-4c39-bd52-${kind === 'mariadb' ? 'a' : 'b'}${String(index).padStart(11, '0')}`;

  /** A call with all fields set. */
  const full = (index: number): Partial<CallRow> => ({
    ...lasting(41.6, moment(10)),
    name: 'WR-TEL-OUT-12345678',
    mode: 'telnyx',
    channel: 'phone',
    direction: 'outbound',
    costUsd: 0.5,
    disposition: 'user_qualified',
    publicToken: token(index),
    transcriptAvailable: true,
    initialContext: {
      phone_number: '4915112345678',
      called_number: '4915112345678',
      caller_number: '+15550001',
    },
    gatheredContext: { call_disposition: 'user_qualified', mapped_call_disposition: 'user_qualified' },
    logs: { realtime_feedback_events: [{ type: 'rtf-bot-text' }] },
    annotations: { own: 1 },
  });

  describe('6.1 run record', () => {
    const nothing = null;
    let tokens = 0;
    const rows: [string, string, (id: number) => unknown][] = [
      ['id', 'integer', (id) => id],
      ['workflow_id', 'integer', () => owner.agentId],
      ['name', 'string', () => 'WR-TEL-OUT-12345678'],
      ['mode', 'string', () => 'telnyx'],
      ['created_at', 'date-time', () => '2026-11-20T10:00:00.000000Z'],
      ['is_completed', 'boolean', () => true],
      ['state', 'string (ours)', () => 'completed'],
      ['transcript_url', 'a storage key, not a link', (id) => `transcripts/${id}.txt`],
      ['recording_url', 'a storage key; no call is recorded yet', () => nothing],
      ['user_recording_url', 'a storage key; no call is recorded yet', () => nothing],
      ['bot_recording_url', 'a storage key; no call is recorded yet', () => nothing],
      [
        'transcript_public_url',
        'the full link with the public token',
        () => `http://api.example.test/api/v1/public/download/workflow/${token(tokens)}/transcript`,
      ],
      ['recording_public_url', 'null without the artifact', () => nothing],
      ['user_recording_public_url', 'null without the artifact', () => nothing],
      ['bot_recording_public_url', 'null without the artifact', () => nothing],
      ['public_access_token', 'uuid4', () => token(tokens)],
      [
        'cost_info',
        'Dograh tokens and whole seconds',
        () => ({ dograh_token_usage: 50, call_duration_seconds: 42, charge_usd: 0.5 }),
      ],
      ['usage_info', 'object', () => ({ llm: {}, tts: {}, stt: {}, call_duration_seconds: 41.6 })],
      ['definition_id', 'the pinned version', () => owner.versionId],
      ['initial_context', 'object', () => full(0).initialContext],
      ['gathered_context', 'object', () => full(0).gatheredContext],
      ['call_type', 'inbound or outbound', () => 'outbound'],
      ['annotations', 'object', () => ({ own: 1 })],
      ['caller_number', 'string (ours)', () => '+15550001'],
      ['called_number', 'string (ours)', () => '4915112345678'],
      ['phone_number', 'string (ours)', () => '4915112345678'],
      ['disposition', 'string (ours)', () => 'user_qualified'],
      ['call_duration_seconds', 'integer (ours)', () => 42],
    ];

    test.each(rows)('%s: %s, in the list as in the single read', async (field, _type, value) => {
      const [id = 0] = await insert(full((tokens += 1)));
      expect([at(await single(id), field), at((await listed())[0], field)]).toEqual([value(id), value(id)]);
    });

    test('logs: object in the single read, left out of the list', async () => {
      const [id] = await insert(full((tokens += 1)));
      expect([at(await single(id), 'logs'), at((await listed())[0], 'logs')]).toEqual([
        { realtime_feedback_events: [{ type: 'rtf-bot-text' }] },
        null,
      ]);
    });

    test('a new call has all fields: logs and annotations are {}, links null, is_completed false', async () => {
      const { body } = await make({ mode: 'smallwebrtc', name: 'ahead' });
      const run = await single(at(body, 'id'));
      const fields = [...rows.map(([field]) => field), 'logs'];
      expect(Object.keys(typeof run === 'object' && run !== null ? run : {})).toEqual(
        expect.arrayContaining(fields),
      );
      expect(run).toMatchObject({
        is_completed: false,
        state: 'initialized',
        logs: {},
        annotations: {},
        gathered_context: {},
        transcript_url: null,
        transcript_public_url: null,
        public_access_token: null,
        disposition: null,
        call_duration_seconds: null,
      });
    });

    test('public_access_token and the link exist after a single read that finds an artifact', async () => {
      const [id] = await insert({ ...full(0), publicToken: null });
      const before = (await listed())[0];
      const read = await single(id);
      expect([at(before, 'public_access_token'), at(before, 'transcript_public_url')]).toEqual([null, null]);
      expect(at(read, 'public_access_token')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(at((await listed())[0], 'transcript_public_url')).toBe(at(read, 'transcript_public_url'));
    });

    test('transcript_public_url: null with a token but without a transcript (6.9)', async () => {
      const [id] = await insert({ ...full((tokens += 1)), transcriptAvailable: false });
      expect(await single(id)).toMatchObject({
        public_access_token: token(tokens),
        transcript_url: null,
        transcript_public_url: null,
      });
    });
  });

  describe('6.2 endpoints', () => {
    describe('GET /workflow/{id}/runs', () => {
      test('200: runs, total_count, page, limit, total_pages, applied_filters; 50 per page, newest first', async () => {
        const ids = await insert(
          { createdAt: moment(9) },
          { createdAt: moment(11) },
          { createdAt: moment(10) },
        );
        const { status, body } = await list();
        expect([status, Object.keys(Object(body)).toSorted()]).toEqual([
          200,
          ['applied_filters', 'limit', 'page', 'runs', 'total_count', 'total_pages'],
        ]);
        expect(body).toMatchObject({
          total_count: 3,
          page: 1,
          limit: 50,
          total_pages: 1,
          applied_filters: [],
          runs: [{ id: ids[1] }, { id: ids[2] }, { id: ids[0] }],
        });
      });

      test('page and limit; total_pages covers all calls', async () => {
        const ids = await insert(
          { createdAt: moment(9) },
          { createdAt: moment(10) },
          { createdAt: moment(11) },
        );
        expect((await list('?page=2&limit=2')).body).toMatchObject({
          runs: [{ id: ids[0] }],
          total_count: 3,
          page: 2,
          limit: 2,
          total_pages: 2,
        });
      });

      test.each([
        ['sort_by=created_at&sort_order=asc', [0, 1, 2]],
        ['sort_by=created_at&sort_order=desc', [2, 1, 0]],
        ['sort_by=duration&sort_order=asc', [1, 2, 0]],
        ['sort_by=duration&sort_order=desc', [0, 2, 1]],
        ['sort_by=duration', [0, 2, 1]],
      ])('%s', async (query, order) => {
        const ids = await insert(lasting(30, moment(9)), lasting(10, moment(10)), lasting(20, moment(11)));
        expect(await idsOf(`?${query}`)).toEqual(order.map((index) => ids[index]));
      });

      test.each(['page=0', 'limit=0', 'limit=101', 'limit=x', 'sort_by=name', 'sort_order=up'])(
        '422 for %s',
        async (query) => {
          expect(said(await list(`?${query}`))).toEqual([
            422,
            [expect.objectContaining({ loc: ['query', query.split('=')[0]] })],
          ]);
        },
      );

      test('an unknown workflow and one of another organization have an empty list: total_pages 0', async () => {
        await insert({});
        const stranger = (await createTenant(database.db)).key;
        const answers = [
          await ask('GET', '/workflow/999999/runs'),
          await api.ask(stranger, 'GET', `/workflow/${owner.agentId}/runs`),
        ];
        for (const answer of answers)
          expect(answer).toMatchObject({ status: 200, body: { runs: [], total_count: 0, total_pages: 0 } });
      });

      test.each(['{', '{}', '5', '[5]', '["status"]'])(
        '400 Invalid filter format for filters=%s',
        async (filters) => {
          expect(said(await list(`?filters=${encodeURIComponent(filters)}`))).toEqual([
            400,
            'Invalid filter format',
          ]);
        },
      );

      test.each([
        'x',
        'runId',
        'workflowId',
        'campaignId',
        'callTags',
        'callerNumber',
        'calledNumber',
        'callDirection',
        'callChannel',
      ])('403 Invalid attribute for a filter by %s', async (attribute) => {
        expect(said(await list(filtered(attribute, 'number', { value: 1 })))).toEqual([
          403,
          `Invalid attribute '${attribute}'`,
        ]);
      });
    });

    describe('filters', () => {
      const usageIds = async (query: string) =>
        [at((await ask('GET', `/organizations/usage/runs${query}`)).body, 'runs')]
          .flat()
          .map((run) => at(run, 'id'));
      const ofMine =
        (...ids: (number | undefined)[]) =>
        (id: unknown) =>
          ids.includes(Number(id));

      test.each<[string, string, unknown]>([
        ['dateRange', 'dateRange', { from: '2026-11-20T09:30:00Z', to: '2026-11-20T10:30:00Z' }],
        ['dispositionCode', 'multiSelect', { codes: ['busy', 'voicemail'] }],
        ['duration', 'numberRange', { min: 15, max: 25 }],
        ['status', 'radio', { status: 'completed' }],
        ['tokenUsage', 'numberRange', { min: 40, max: 60 }],
      ])('%s (%s) with %j, on the list of an agent and on the usage list', async (attribute, type, value) => {
        const one = { ...lasting(20, moment(10)), disposition: 'busy', costUsd: 0.5 };
        const other = {
          ...lasting(40, moment(12)),
          disposition: 'no-answer',
          costUsd: 2,
          state: 'talking',
        } as const;
        const [match, no] = await insert(one, other);
        const query = filtered(attribute, type, value);
        expect([await idsOf(query), (await usageIds(query)).filter(ofMine(match, no))]).toEqual([
          [match],
          [match],
        ]);
        expect(at((await list(query)).body, 'applied_filters')).toEqual([{ attribute, type, value }]);
      });

      test('status in_progress (radio)', async () => {
        const [, going] = await insert({}, { state: 'talking' });
        expect(await idsOf(filtered('status', 'radio', { status: 'in_progress' }))).toEqual([going]);
      });

      test.each<[string, string, (one: number) => unknown]>([
        ['runId', 'number', (one) => ({ value: one })],
        ['workflowId', 'number', () => ({ value: owner.agentId })],
        ['callTags', 'tags', () => ({ codes: ['user_speech', 'vip'] })],
        ['callTags', 'multiSelect', () => ({ codes: ['vip'] })],
        ['callerNumber', 'text', () => ({ value: '555' })],
        ['calledNumber', 'text', () => ({ value: '151' })],
        ['callDirection', 'radio', () => ({ status: 'outbound' })],
        ['callChannel', 'radio', () => ({ status: 'telephony' })],
      ])('%s (%s), on the usage list', async (attribute, type, value) => {
        const [match = 0] = await insert({ ...full(0), publicToken: null, tags: ['vip', 'user_speech'] });
        const [no] = await insertCalls(
          database.db,
          { organizationId, ...(await createAgent()) },
          { tags: ['user_speech'], initialContext: { caller_number: '+49', called_number: '+1' } },
        );
        expect((await usageIds(filtered(attribute, type, value(match)))).filter(ofMine(match, no))).toEqual([
          match,
        ]);
      });

      test.each([
        ['telephony', 'phone'],
        ['web', 'web'],
        ['chat', 'text'],
      ] as const)('callChannel %s: its group of modes', async (status, channel) => {
        const ids = await insert(...(['phone', 'web', 'text'] as const).map((each) => ({ channel: each })));
        expect((await usageIds(filtered('callChannel', 'radio', { status }))).filter(ofMine(...ids))).toEqual(
          [ids[['phone', 'web', 'text'].indexOf(channel)]],
        );
      });

      test('campaignId (number), on the usage list: no call belongs to a campaign', async () => {
        await insert({});
        expect(await usageIds(filtered('campaignId', 'number', { value: 1 }))).toEqual([]);
      });
    });

    describe('GET /workflow/{id}/runs/{run_id}', () => {
      test('404 Workflow run not found for an unknown run and for one of another workflow or organization', async () => {
        const [id] = await insert({});
        const other = await createAgent();
        const stranger = (await createTenant(database.db)).key;
        const answers = [
          await ask('GET', `/workflow/${owner.agentId}/runs/999999`),
          await ask('GET', `/workflow/${other.agentId}/runs/${id}`),
          await api.ask(stranger, 'GET', `/workflow/${owner.agentId}/runs/${id}`),
        ];
        expect(answers.map(said)).toEqual(Array.from({ length: 3 }, () => [404, 'Workflow run not found']));
      });
    });

    describe('POST /workflow/{id}/runs', () => {
      test('200: id, workflow_id, name, mode, created_at, definition_id, initial_context, of the draft with its test values', async () => {
        await ask('PUT', `/workflow/${owner.agentId}`, {
          workflow_definition: completeGraph('Draft'),
          template_context_variables: { tier: 'gold' },
        });
        const draft = at((await ask('GET', `/workflow/${owner.agentId}/versions`)).body, 0, 'id');
        const answer = await make({ mode: 'smallwebrtc', name: 'Mine' });
        expect(answer).toMatchObject({
          status: 200,
          body: {
            workflow_id: owner.agentId,
            name: 'Mine',
            mode: 'smallwebrtc',
            definition_id: draft,
            initial_context: { tier: 'gold', direction: 'inbound' },
          },
        });
        expect(Object.keys(Object(answer.body)).toSorted()).toEqual([
          'created_at',
          'definition_id',
          'id',
          'initial_context',
          'mode',
          'name',
          'web_call',
          'workflow_id',
        ]);
        expect([draft === owner.versionId, at(answer.body, 'created_at')]).toEqual([
          false,
          expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        ]);
      });

      test('of the published version when there is no draft', async () =>
        expect(at((await make({ mode: 'web', name: 'x' })).body, 'definition_id')).toBe(owner.versionId));

      test.each([
        [{}, 'inbound'],
        [{ direction: 'outbound' }, 'outbound'],
        [{ direction: 'inbound' }, 'inbound'],
        [{ direction: ' OUTBOUND ' }, 'outbound'],
        [{ direction: 'sideways' }, 'inbound'],
        [{ direction: 5 }, 'inbound'],
      ])('direction: a web call with the test values %j is %s', async (testValues, direction) => {
        await ask('PUT', `/workflow/${owner.agentId}`, { template_context_variables: testValues });
        const { body } = await make({ mode: 'smallwebrtc', name: 'x' });
        expect(at(body, 'initial_context')).toEqual({ direction });
        expect(await single(at(body, 'id'))).toMatchObject({
          call_type: direction,
          initial_context: { direction },
        });
      });

      test('404 Workflow not found', async () =>
        expect(said(await make({ mode: 'smallwebrtc', name: 'x' }, 999_999))).toEqual([
          404,
          'Workflow not found',
        ]));

      test('422: mode and name are both required', async () => {
        expect(said(await make({}))).toEqual([
          422,
          [
            expect.objectContaining({ type: 'missing', loc: ['body', 'mode'] }),
            expect.objectContaining({ type: 'missing', loc: ['body', 'name'] }),
          ],
        ]);
      });
    });

    test('GET /organizations/usage/runs: 422 for an invalid date and an invalid page', async () => {
      for (const query of ['start_date=soon', 'end_date=later', 'limit=101', 'page=0'])
        expect((await ask('GET', `/organizations/usage/runs?${query}`)).status).toBe(422);
    });
  });

  describe('6.3 modes, types, names, internal state', () => {
    test('mode: these eleven', () =>
      expect(runModes).toEqual([
        'telnyx',
        'twilio',
        'plivo',
        'vonage',
        'vobiz',
        'cloudonix',
        'ari',
        'webrtc',
        'smallwebrtc',
        'web',
        'textchat',
      ]));

    test.each(runModes)('mode %s is taken', async (mode) =>
      expect(at((await make({ mode, name: 'x' })).body, 'mode')).toBe(mode),
    );

    test.each(['stasis', 'VOICE', 'CHAT', 'WEB', ''])('mode %j is not: literal_error', async (mode) => {
      expect(said(await make({ mode, name: 'x' }))).toEqual([
        422,
        [expect.objectContaining({ type: 'literal_error', loc: ['body', 'mode'] })],
      ]);
    });

    test.each(['inbound', 'outbound'] as const)('call_type: %s', async (direction) => {
      const [id] = await insert({ direction });
      expect(at(await single(id), 'call_type')).toBe(direction);
    });

    test.each([
      ['created', 'initialized', false],
      ['pending', 'initialized', false],
      ['admitted', 'initialized', false],
      ['talking', 'running', false],
      ['ending', 'running', false],
      ['ended', 'completed', true],
      ['refused', 'completed', true],
    ] as const)('state: a call that is %s is %s', async (state, wire, isCompleted) => {
      const [id] = await insert({ state });
      expect(await single(id)).toMatchObject({ state: wire, is_completed: isCompleted });
    });

    const started = async (path: string) =>
      at(
        (await ask('POST', `/public/agent/${path}`, { phone_number: '4915112345678' })).body,
        'workflow_run_name',
      );
    test.each([
      ['WR-API-nnnn', '', /^WR-API-\d{4}$/],
      ['WR-TEST-nnnn', 'test/', /^WR-TEST-\d{4}$/],
    ])('name: %s of a trigger', async (_name, prefix, pattern) => {
      const path = `run-${(paths += 1)}`;
      await createAgent(triggeredGraph(path));
      expect(await started(`${prefix}${path}`)).toMatch(pattern);
    });

    test('name: WR-TEL-OUT-n, 8 digits, of initiate-call', async () => {
      expect(
        at(
          (
            await ask('POST', '/telephony/initiate-call', {
              workflow_id: owner.agentId,
              phone_number: '4915112345678',
            })
          ).body,
          'workflow_run_name',
        ),
      ).toMatch(/^WR-TEL-OUT-\d{8}$/);
    });

    test('name: WR-TEXT- and 6 hex digits, upper case, of a text session without a name', async () => {
      expect(
        at((await ask('POST', `/workflow/${owner.agentId}/text-chat/sessions`, {})).body, 'name'),
      ).toMatch(/^WR-TEXT-[0-9A-F]{6}$/);
    });

    test('name: a web test has the name from the request', async () =>
      expect(at((await make({ mode: 'smallwebrtc', name: 'WR-7' })).body, 'name')).toBe('WR-7'));
  });

  describe('6.4 initial_context keys of a call by phone, before it is dialed', () => {
    test.each(['a trigger', 'initiate-call'])(
      '%s: called_number, direction, provider, telephony_configuration_id, phone_number',
      async (what) => {
        const path = `run-${(paths += 1)}`;
        const agent = await createAgent(triggeredGraph(path));
        const asked =
          what === 'a trigger'
            ? await ask('POST', `/public/agent/${path}`, { phone_number: '4915112345678' })
            : await ask('POST', '/telephony/initiate-call', {
                workflow_id: agent.agentId,
                phone_number: '4915112345678',
              });
        expect(
          at(await single(at(asked.body, 'workflow_run_id'), agent.agentId), 'initial_context'),
        ).toMatchObject({
          called_number: '4915112345678',
          phone_number: '4915112345678',
          direction: 'outbound',
          provider: 'telnyx',
          telephony_configuration_id: connection.configurationId,
        });
      },
    );
  });

  describe('6.8 failed starts', () => {
    test.each([
      [
        'phone',
        () =>
          ask('POST', '/telephony/initiate-call', {
            workflow_id: owner.agentId,
            phone_number: '4915112345678',
          }),
      ],
      ['text', () => ask('POST', `/workflow/${owner.agentId}/text-chat/sessions`, {})],
    ])(
      'a call by %s that could not be started is completed: error in gathered_context, disposition error, no usage, duration 0, one rtf-pipeline-error',
      async (_channel, begin) => {
        const fail = () =>
          Promise.reject(new UnavailableError('The call was not started', { dependency: 'temporal' }));
        carrier.answer = fail;
        failedOpening = fail;
        expect((await begin()).status).toBe(503);
        const [run] = await listed();
        expect(run).toMatchObject({
          is_completed: true,
          disposition: 'error',
          gathered_context: {
            error: expect.any(String),
            call_disposition: 'error',
            mapped_call_disposition: 'error',
          },
          usage_info: { llm: {}, tts: {}, stt: {}, call_duration_seconds: 0 },
          cost_info: { call_duration_seconds: 0 },
        });
        expect(at(await single(at(run, 'id')), 'logs')).toEqual({
          realtime_feedback_events: [
            {
              type: 'rtf-pipeline-error',
              payload: { error: expect.any(String), fatal: true },
              timestamp: expect.stringMatching(/Z$/),
              turn: 0,
            },
          ],
        });
        expect(
          at((await ask('GET', `/workflow/fetch/${owner.agentId}`)).body, 'call_disposition_codes'),
        ).toEqual({ disposition_codes: ['error'] });
      },
    );
  });

  describe('6.9 downloads', () => {
    const download = (path: string) => api.ask(null, 'GET', `/public/download/workflow/${path}`);
    const kept = async (index: number, transcriptAvailable = true) => {
      await insert({ ...full(index), transcriptAvailable });
      return token(index);
    };

    test('302 without credentials to a link that is valid for one hour', async () => {
      const answer = await download(`${await kept(900)}/transcript`);
      const link = answer.headers.get('location') ?? '';
      const file = await api.sendAt({}, 'GET', link.replace('http://api.example.test', ''));
      expect([answer.status, file.status, file.headers.get('content-disposition')]).toEqual([
        302,
        200,
        expect.stringMatching(/^attachment/),
      ]);
    });

    test('inline=true: the link displays the file', async () => {
      const answer = await download(`${await kept(901)}/transcript?inline=true`);
      const file = await api.sendAt(
        {},
        'GET',
        (answer.headers.get('location') ?? '').replace('http://api.example.test', ''),
      );
      expect(file.headers.get('content-disposition')).toMatch(/^inline/);
    });

    test.each(['00000000-0000-4000-8000-000000000000', 'x'])(
      '404 Invalid or expired token: %s',
      async (unknown) =>
        expect(said(await download(`${unknown}/transcript`))).toEqual([404, 'Invalid or expired token']),
    );

    test.each(['recording', 'transcript', 'user_recording', 'bot_recording'])(
      '404 No %s available for this workflow run',
      async (artifact) => {
        const index = 910 + artifact.length;
        expect(said(await download(`${await kept(index, false)}/${artifact}`))).toEqual([
          404,
          `No ${artifact} available for this workflow run`,
        ]);
      },
    );

    test('400 Unsupported artifact type', async () =>
      expect(said(await download(`${await kept(902)}/video`))).toEqual([400, 'Unsupported artifact type']));
  });
});

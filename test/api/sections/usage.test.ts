import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallRow } from '../../../src/db/tables/calls.ts';
import { textSessions } from '../../../src/db/tables/text-sessions.ts';
import { initialCheckpoint } from '../../../src/domain/call/checkpoint.ts';
import type { Line } from '../../../src/domain/call/line.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { insertCalls, lasting, type CallOwner } from '../../support/call-rows.ts';
import { createTestClock, createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';
import { createFakeCarrier, insertConnection } from '../../support/telephony.ts';
import { insertTurn } from '../../support/turn-rows.ts';

const publicUrl = 'http://api.example.test/api/v1';
const clock = createTestClock('2026-11-21T10:00:00.000Z');
const moment = (text: string) => new Date(`2026-11-${text}Z`);
const filter = (attribute: string, value: unknown) => ({ attribute, type: 'any', value });
const filtersOf = (...filters: unknown[]) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;

describe.each(databases)('usage and reports over HTTP on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let owner: CallOwner;
  const carrier = createFakeCarrier();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { clock, carriers: new Map([['telnyx', carrier]]) });
  });
  beforeEach(async () => {
    clock.set('2026-11-21T10:00:00.000Z');
    carrier.answer = () => Promise.resolve();
    const tenant = await createTenant(database.db);
    key = tenant.key;
    owner = { organizationId: tenant.organizationId, ...(await createAgent('Order desk')) };
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (path: string, who = key) => api.ask(who, 'GET', `/organizations${path}`);
  const createAgent = async (name: string) => {
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name,
      workflow_definition: completeGraph(),
    });
    return { agentId: Number(idAt(body, 'id')), versionId: Number(idAt(body, 'current_definition_id')) };
  };
  const insert = (...changes: Partial<CallRow>[]) => insertCalls(database.db, owner, ...changes);
  const idsOf = (body: unknown) => [at(body, 'runs')].flat().map((run) => at(run, 'id'));

  describe('contract 6.9, the usage list', () => {
    test('has exactly the fields of a run', async () => {
      const [id] = await insert({
        ...lasting(41.6, moment('20T10:00:00.123')),
        name: 'WR-TEL-OUT-12345678',
        mode: 'telnyx',
        channel: 'phone',
        direction: 'outbound',
        costUsd: 0.00123456,
        latencyP95Ms: 1070,
        disposition: 'user_qualified',
        initialContext: {
          phone_number: '4915112345',
          called_number: '4915112345',
          caller_number: '+15550001',
          runtime_configuration: { llm_model: 'gpt-4.1-mini' },
        },
        gatheredContext: { mapped_call_disposition: 'user_qualified' },
        publicToken: '6f0f0a3e-54e2-4c39-bd52-5b5f4c6e8c11',
        transcriptAvailable: true,
        logs: { realtime_feedback_events: [1] },
        annotations: {
          qa_own: { score: 1 },
          qa_short: { skipped: true, reason: 'too short' },
          qa_judge: { node_results: {}, score: 7.5, tags: [] },
          qa_second: { node_results: {}, score: 3, tags: [] },
        },
      });
      expect((await ask('/usage/runs')).body).toEqual({
        runs: [
          {
            id,
            workflow_id: owner.agentId,
            workflow_name: 'Order desk',
            name: 'WR-TEL-OUT-12345678',
            created_at: '2026-11-20T10:00:00.123000Z',
            dograh_token_usage: 0.123456,
            call_duration_seconds: 42,
            recording_url: null,
            transcript_url: `transcripts/${id}.txt`,
            user_recording_url: null,
            bot_recording_url: null,
            recording_public_url: null,
            transcript_public_url: `${publicUrl}/public/download/workflow/6f0f0a3e-54e2-4c39-bd52-5b5f4c6e8c11/transcript`,
            user_recording_public_url: null,
            bot_recording_public_url: null,
            public_access_token: '6f0f0a3e-54e2-4c39-bd52-5b5f4c6e8c11',
            phone_number: '4915112345',
            caller_number: '+15550001',
            called_number: '4915112345',
            call_type: 'outbound',
            mode: 'telnyx',
            disposition: 'user_qualified',
            initial_context: {
              phone_number: '4915112345',
              called_number: '4915112345',
              caller_number: '+15550001',
              runtime_configuration: { llm_model: 'gpt-4.1-mini' },
            },
            gathered_context: { mapped_call_disposition: 'user_qualified' },
            charge_usd: 0.00123456,
            latency_p95_ms: 1070,
            definition_id: owner.versionId,
            version_number: 1,
            turn_count: 0,
            qa_score: 7.5,
            was_interrupted: false,
            current_node: null,
          },
        ],
        total_dograh_tokens: 0.123456,
        total_duration_seconds: 42,
        total_count: 1,
        page: 1,
        limit: 50,
        total_pages: 1,
      });
    });

    test('is empty without calls: no pages, no tokens, no seconds', async () => {
      expect(await ask('/usage/runs')).toMatchObject({
        status: 200,
        body: {
          runs: [],
          total_dograh_tokens: 0,
          total_duration_seconds: 0,
          total_count: 0,
          page: 1,
          limit: 50,
          total_pages: 0,
        },
      });
    });

    test('a live call has 0 s and no price; erased values are null', async () => {
      await insert(
        { state: 'talking', startedAt: moment('20T10:00:00') },
        { variablesErasedAt: moment('20T11:00:00') },
      );
      expect((await ask('/usage/runs?sort_order=asc')).body).toMatchObject({
        runs: [
          { call_duration_seconds: 0, charge_usd: null, initial_context: {} },
          { initial_context: null, gathered_context: null },
        ],
      });
    });

    test('counts the turns of each call after its opening, without those that a rewind took back', async () => {
      const [spoken, rewound, anew, erased] = await insert(
        { mode: 'telnyx', channel: 'phone' },
        {},
        {},
        { transcriptErasedAt: moment('20T11:00:00') },
      );
      const say = (callId: number | undefined, branch: number, turnIndex: number) =>
        insertTurn({ ...owner, db: database.db, clock }, Number(callId), 'Yes.', { branch, turnIndex });
      const rewindTo = (callId: number | undefined, cursorTurnUuid: string | null) =>
        database.db.getRepository(textSessions).insert({
          callId: Number(callId),
          organizationId: owner.organizationId,
          createdByApiKeyId: null,
          revision: 3,
          branch: 1,
          status: 'idle',
          cursorTurnUuid,
          checkpoint: null,
          updatedAt: clock.now(),
        });
      for (const turnIndex of [0, 1, 2, 3])
        for (const each of [spoken, rewound, anew]) await say(each, 0, turnIndex);
      await rewindTo(rewound, await say(rewound, 1, 1));
      await rewindTo(anew, null);
      const { body } = await ask('/usage/runs?sort_order=asc');
      expect([at(body, 'runs')].flat().map((run) => [at(run, 'id'), at(run, 'turn_count')])).toEqual([
        [spoken, 3],
        [rewound, 1],
        [anew, 0],
        [erased, null],
      ]);
    });

    test('marks the calls whose agent was interrupted, not those whose words look like the mark', async () => {
      const [interrupted, quoted] = await insert(
        { mode: 'telnyx', channel: 'phone' },
        { mode: 'telnyx', channel: 'phone' },
      );
      const line = { speaker: 'assistant', text: 'Good', at: '', nodeId: null, kind: 'reply' } as const;
      const say = (callId: number | undefined, said: Line) =>
        insertTurn({ ...owner, db: database.db, clock }, Number(callId), 'No.', { lines: [line, said] });
      await say(interrupted, { ...line, wasInterrupted: true });
      await say(quoted, { ...line, text: '"wasInterrupted":true' });
      const { body } = await ask('/usage/runs?sort_order=asc');
      expect([at(body, 'runs')].flat().map((run) => [at(run, 'id'), at(run, 'was_interrupted')])).toEqual([
        [interrupted, true],
        [quoted, false],
      ]);
    });

    test('names the node that a live call is at, also after a rewind, and none of an ended call', async () => {
      const live = { state: 'talking', startedAt: moment('20T10:00:00') } as const;
      const [spoken, rewound, silent, ended] = await insert(
        { ...live, mode: 'telnyx', channel: 'phone' },
        live,
        live,
        { mode: 'telnyx', channel: 'phone' },
      );
      const arrive = async (callId: number | undefined, turnIndex: number, nodeId: string) =>
        await insertTurn({ ...owner, db: database.db, clock }, Number(callId), 'Yes.', {
          turnIndex,
          checkpoint: { ...initialCheckpoint, turnIndex, nodeId },
        });
      for (const call of [spoken, rewound, ended]) {
        await arrive(call, 0, 's');
        await arrive(call, 1, 'a');
      }
      await database.db.getRepository(textSessions).insert({
        callId: Number(rewound),
        organizationId: owner.organizationId,
        createdByApiKeyId: null,
        revision: 3,
        branch: 1,
        status: 'idle',
        cursorTurnUuid: null,
        checkpoint: { ...initialCheckpoint, turnIndex: 0, nodeId: 's' },
        updatedAt: clock.now(),
      });
      const { body } = await ask('/usage/runs?sort_order=asc');
      expect([at(body, 'runs')].flat().map((run) => [at(run, 'id'), at(run, 'current_node')])).toEqual([
        [spoken, 'Ask'],
        [rewound, 'Start'],
        [silent, null],
        [ended, null],
      ]);
    });

    test('names the version of each call by its number, and hides a score with the other values', async () => {
      await api.ask(key, 'PUT', `/workflow/${owner.agentId}`, { workflow_definition: completeGraph('Hi') });
      const versions = (await api.ask(key, 'GET', `/workflow/${owner.agentId}/versions`)).body;
      const draft = Number(at(versions, 0, 'id'));
      const annotations = { qa_judge: { node_results: {}, score: 4, tags: [] } };
      await insert(
        { annotations },
        { versionId: draft, annotations, variablesErasedAt: moment('20T11:00:00') },
      );
      expect((await ask('/usage/runs?sort_order=asc')).body).toMatchObject({
        runs: [
          { version_number: 1, definition_id: owner.versionId, qa_score: 4 },
          { version_number: 2, definition_id: draft, qa_score: null },
        ],
      });
    });

    test('sorts newest first, in pages; calls with equal timestamps by id', async () => {
      const ids = await insert(
        { createdAt: moment('20T10:00:00') },
        { createdAt: moment('19T10:00:00') },
        { createdAt: moment('20T10:00:00') },
      );
      const newest = [ids[2], ids[0], ids[1]];
      expect(idsOf((await ask('/usage/runs')).body)).toEqual(newest);
      expect(idsOf((await ask('/usage/runs?sort_order=asc')).body)).toEqual(newest.toReversed());
      const second = await ask('/usage/runs?page=2&limit=2');
      expect(idsOf(second.body)).toEqual([ids[1]]);
      expect(second.body).toMatchObject({ total_count: 3, page: 2, limit: 2, total_pages: 2 });
      expect((await ask('/usage/runs?page=999999999999&limit=100')).body).toMatchObject({
        runs: [],
        total_count: 3,
      });
    });

    test('sorts by length; calls without a length are the shortest', async () => {
      const ids = await insert(lasting(30, moment('20T10:00:00')), {}, lasting(10, moment('20T12:00:00')));
      expect(idsOf((await ask('/usage/runs?sort_by=duration')).body)).toEqual([ids[0], ids[2], ids[1]]);
    });

    // guarantee: money-added-as-decimals
    test('totals cover all pages and the shown seconds, and money is added as decimals', async () => {
      await insert(
        ...Array.from({ length: 10 }, () => ({ ...lasting(0.5, moment('20T10:00:00')), costUsd: 0.7 })),
        { ...lasting(2.4, moment('20T10:00:00')), costUsd: 0.00000001 },
      );
      expect((await ask('/usage/runs?limit=1')).body).toMatchObject({
        total_duration_seconds: 12,
        total_dograh_tokens: 700.000001,
        total_count: 11,
      });
      expect((await ask('/usage/current-period')).body).toMatchObject({ used_amount_usd: 7.00000001 });
    });

    test.each([
      ['start_date=2026-11-20', 2],
      ['end_date=2026-11-20', 2],
      ['start_date=2026-11-20&end_date=2026-11-20', 1],
      ['start_date=2026-11-20T12:00:00%2B02:00', 2],
      ['start_date=2026-11-20T10:00:00.001Z', 1],
      ['end_date=2026-11-20T10:00:01', 2],
    ])('%s: %d calls in the list, its totals and the report', async (query, count) => {
      await insert(
        ...['19T23:59:59.999', '20T10:00:00.000', '21T00:00:00.000'].map((text) => lasting(1, moment(text))),
      );
      expect((await ask(`/usage/runs?${query}`)).body).toMatchObject({
        total_count: count,
        total_duration_seconds: count,
        runs: { length: count },
      });
      expect(String((await ask(`/usage/runs/report?${query}`)).body).split('\r\n')).toHaveLength(count + 2);
    });

    describe('contract 6.2, filters', () => {
      let ids: number[];
      let other: number;

      beforeEach(async () => {
        const stranger = await createAgent('Other');
        ids = await insert(
          {
            ...lasting(10, moment('19T10:00:00')),
            disposition: 'busy',
            tags: ['busy', 'vip "a"', 'é'],
            initialContext: { caller_number: '+1_555%1', called_number: '49111' },
            channel: 'phone',
            direction: 'outbound',
            costUsd: 0.05,
          },
          {
            ...lasting(60, moment('20T10:00:00')),
            disposition: 'user_hangup',
            tags: ['busy'],
            initialContext: { caller_number: String.raw`a\b`, note: '\ud800' },
            channel: 'web',
          },
          {
            state: 'talking',
            createdAt: moment('21T09:00:00'),
            initialContext: { caller_number: 5, called_number: '49222' },
          },
        );
        [other = 0] = await insert({
          agentId: stranger.agentId,
          versionId: stranger.versionId,
          createdAt: moment('21T09:30:00'),
          channel: 'phone',
        });
      });

      const found = async (...filters: unknown[]) => {
        const { body } = await ask(`/usage/runs?sort_order=asc&${filtersOf(...filters)}`);
        return idsOf(body).map((id) => (id === other ? 'other' : ids.indexOf(Number(id))));
      };

      test.each<[string, unknown, (number | 'other')[]]>([
        ['dateRange', { from: '2026-11-20T00:00:00Z', to: '2026-11-21T09:00:00Z' }, [1, 2]],
        ['dispositionCode', { codes: ['busy', 'x'] }, [0]],
        ['duration', { min: 10, max: 59.9 }, [0]],
        ['status', { status: 'in_progress' }, [2]],
        ['tokenUsage', { min: 5 }, [0]],
        ['callTags', { codes: ['busy'] }, [0, 1]],
        ['callTags', { codes: ['busy', 'vip "a"', 'é'] }, [0]],
        ['callTags', { codes: [] }, [0, 1, 2, 'other']],
        ['callerNumber', { value: '555' }, [0]],
        ['callerNumber', { value: '_555%' }, [0]],
        ['callerNumber', { value: '1%' }, []],
        ['callerNumber', { value: "'" }, []],
        ['calledNumber', { value: '49' }, [0, 2]],
        ['calledNumber', { value: '' }, [0, 1, 2, 'other']],
        ['callDirection', { status: 'outbound' }, [0]],
        ['callChannel', { status: 'telephony' }, [0, 'other']],
        ['callChannel', { status: 'web' }, [1]],
        ['callChannel', { status: 'chat' }, [2]],
        ['campaignId', { value: 7 }, []],
        ['runId', { value: 999_999_999 }, []],
      ])('%s %j', async (attribute, value, calls) => {
        expect(await found(filter(attribute, value))).toEqual(calls);
      });

      test('runId and workflowId match exactly, and several filters are combined', async () => {
        expect(await found(filter('runId', { value: ids[1] }))).toEqual([1]);
        expect(await found(filter('runId', { ids: [ids[0], ids[2], 999_999_999] }))).toEqual([0, 2]);
        expect(await found(filter('workflowId', { value: owner.agentId }))).toEqual([0, 1, 2]);
        expect(
          await found(
            filter('workflowId', { value: owner.agentId }),
            filter('callChannel', { status: 'telephony' }),
          ),
        ).toEqual([0]);
        expect(
          (await ask(`/usage/runs?${filtersOf(filter('callChannel', { status: 'telephony' }))}`)).body,
        ).toMatchObject({ total_count: 2, total_duration_seconds: 10, total_dograh_tokens: 5 });
      });

      test.each([
        ['no JSON', 'filters=x', 400],
        ['no array', 'filters=%7B%7D', 400],
        ['an attribute that there is not', filtersOf(filter('color', {})), 403],
        [
          'a tag with a lone surrogate',
          String.raw`filters=[{"attribute":"callTags","type":"tags","value":{"codes":["\ud800"]}}]`,
          400,
        ],
        ['a number that is text', filtersOf(filter('runId', { value: '1' })), 400],
        ['no call', filtersOf(filter('runId', { ids: [] })), 400],
        ['a call by a text', filtersOf(filter('runId', { ids: ['1'] })), 400],
        ['a channel that there is not', filtersOf(filter('callChannel', { status: 'fax' })), 400],
        ['a property of every object', filtersOf(filter('callDirection', { status: 'constructor' })), 400],
      ])('%s is refused in the list and in the report', async (_title, query, status) => {
        expect((await ask(`/usage/runs?${query}`)).status).toBe(status);
        expect((await ask(`/usage/runs/report?${query}`)).status).toBe(status);
      });

      test('the list of an agent has only the first five', async () => {
        expect(
          await api.ask(
            key,
            'GET',
            `/workflow/${owner.agentId}/runs?${filtersOf(filter('runId', { value: 1 }))}`,
          ),
        ).toMatchObject({ status: 403, body: { detail: "Invalid attribute 'runId'" } });
      });
    });

    test('an invalid date, page or order is a field fault', async () => {
      const { status, body } = await ask(
        '/usage/runs?start_date=today&end_date=2026-13-01&page=0&limit=101&sort_by=cost&sort_order=up',
      );
      expect([status, [at(body, 'detail')].flat().map((fault) => at(fault, 'loc', 1))]).toEqual([
        422,
        ['start_date', 'end_date', 'page', 'limit', 'sort_by', 'sort_order'],
      ]);
    });
  });

  describe('contract 14.4, what dograh-ctl needs', () => {
    // guarantee: call-listed-before-dial
    test('call: the run is listed at once under the name in the message, even before the carrier answers', async () => {
      await insertConnection(database.db, owner.organizationId);
      const seen: unknown[] = [];
      carrier.answer = async () => void seen.push(at((await ask('/usage/runs')).body, 'total_count'));
      const { body } = await api.ask(key, 'POST', '/telephony/initiate-call', {
        workflow_id: owner.agentId,
        phone_number: '4915112345',
      });
      const [name] = /(WR-[A-Z-]+-\d+)/.exec(String(at(body, 'message'))) ?? ['none'];
      expect((await ask('/usage/runs?page=1&limit=50')).body).toMatchObject({
        runs: [{ name, called_number: '4915112345', workflow_name: 'Order desk' }],
        total_count: 1,
      });
      expect(seen).toEqual([1]);
    });

    test('call: the run of a trigger and one created to begin later are listed too', async () => {
      await insertConnection(database.db, owner.organizationId);
      await api.ask(key, 'POST', `/workflow/${owner.agentId}/publish`);
      const { body } = await api.ask(key, 'GET', `/workflow/fetch/${owner.agentId}`);
      expect(
        (
          await api.ask(key, 'POST', `/public/agent/workflow/${idAt(body, 'workflow_uuid')}`, {
            phone_number: '4915112345',
          })
        ).status,
      ).toBe(200);
      await api.ask(key, 'POST', `/workflow/${owner.agentId}/runs`, { mode: 'smallwebrtc', name: 'ahead' });
      expect((await ask('/usage/runs?sort_order=asc')).body).toMatchObject({
        runs: [
          { name: expect.stringMatching(/^WR-API-\d{4}$/), mode: 'telnyx' },
          { name: 'ahead', mode: 'smallwebrtc' },
        ],
      });
    });

    test('run list, statistics: a model can be read from initial_context', async () => {
      await insert({
        initialContext: { runtime_configuration: { llm_provider: 'openai', llm_model: 'gpt-4.1-mini' } },
      });
      expect(
        at(
          (await ask('/usage/runs?page=1&limit=100')).body,
          'runs',
          0,
          'initial_context',
          'runtime_configuration',
          'llm_model',
        ),
      ).toBe('gpt-4.1-mini');
    });
  });

  describe('contract 15.2, usage/runs/report', () => {
    test("has the columns of an agent's report for all agents, oldest first, without formulas", async () => {
      const second = await createAgent('Second');
      const [first = 0] = await insert({
        createdAt: moment('20T10:00:00'),
        disposition: '=1+1',
        initialContext: { phone_number: '+4915' },
      });
      await insert({ ...second, createdAt: moment('19T10:00:00') });
      const { status, headers, body } = await ask('/usage/runs/report');
      expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        200,
        'text/csv; charset=utf-8',
        'attachment; filename="usage_runs_2026-11-21.csv"',
      ]);
      expect(String(body).split('\r\n')).toEqual([
        'Run ID,Campaign ID,Agent ID,Agent Definition ID,Created At,Phone Number,Call Disposition,Call Duration (s),Call Tags,Transcript URL,Recording URL',
        `${first + 1},,${second.agentId},${second.versionId},2026-11-19T10:00:00.000000Z,,,,,,`,
        `${first},,${owner.agentId},${owner.versionId},2026-11-20T10:00:00.000000Z,+4915,'=1+1,,,,`,
        '',
      ]);
    });

    test('has each call once if there are more calls than one read returns, many with equal timestamps', async () => {
      await insert(
        ...Array.from({ length: 1203 }, (_, index) => ({
          createdAt: moment(index < 700 ? '20T10:00:00' : '19T10:00:00'),
        })),
      );
      const ids = String((await ask('/usage/runs/report')).body)
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]);
      expect([ids.length, new Set(ids).size]).toEqual([1203, 1203]);
    });
  });

  describe('contract 15.2, usage/current-period', () => {
    test("covers the month in the organization's time zone, to its very end", async () => {
      await api.ask(key, 'PUT', '/organizations/preferences', { timezone: 'Europe/Berlin' });
      await insert(
        lasting(10, new Date('2026-10-31T22:59:59.999Z')),
        { ...lasting(20, new Date('2026-10-31T23:00:00.000Z')), costUsd: 0.1 },
        { ...lasting(30, moment('30T22:59:59.999')), costUsd: 0.2 },
        lasting(40, moment('30T23:00:00')),
      );
      expect((await ask('/usage/current-period')).body).toEqual({
        period_start: '2026-10-31T23:00:00.000000Z',
        period_end: '2026-11-30T23:00:00.000000Z',
        timezone: 'Europe/Berlin',
        call_count: 2,
        total_duration_seconds: 50,
        used_dograh_tokens: 30,
        used_amount_usd: 0.3,
        currency: 'USD',
        price_per_second_usd: null,
      });
    });

    test('has no amount without a known cost', async () => {
      await insert(lasting(10, moment('20T10:00:00')));
      expect((await ask('/usage/current-period')).body).toMatchObject({
        timezone: 'UTC',
        call_count: 1,
        used_dograh_tokens: 0,
        used_amount_usd: null,
        currency: null,
      });
    });
  });

  describe('contract 15.2, usage/daily-breakdown', () => {
    test('has each of the last days including today, even without calls; a call counts for its day in the time zone', async () => {
      await api.ask(key, 'PUT', '/organizations/preferences', { timezone: 'Europe/Berlin' });
      await insert(
        { ...lasting(90, moment('19T22:59:59.999')), costUsd: 0.1 },
        { ...lasting(30, moment('19T23:00:00')), costUsd: 0.2 },
        { ...lasting(15, moment('20T22:59:59.999')) },
        { ...lasting(7, moment('20T23:00:00')) },
        lasting(99, moment('18T22:59:59.999')),
      );
      expect((await ask('/usage/daily-breakdown?days=3')).body).toEqual({
        timezone: 'Europe/Berlin',
        breakdown: [
          {
            date: '2026-11-19',
            call_count: 1,
            duration_seconds: 90,
            minutes: 1.5,
            dograh_tokens: 10,
            cost_usd: 0.1,
          },
          {
            date: '2026-11-20',
            call_count: 2,
            duration_seconds: 45,
            minutes: 0.75,
            dograh_tokens: 20,
            cost_usd: 0.2,
          },
          {
            date: '2026-11-21',
            call_count: 1,
            duration_seconds: 7,
            minutes: 0.12,
            dograh_tokens: 0,
            cost_usd: null,
          },
        ],
        total_minutes: 2.37,
        total_dograh_tokens: 30,
        total_cost_usd: 0.3,
        currency: 'USD',
      });
    });

    // guarantee: day-follows-organization-time-zone
    test.each([
      ['2026-10-26T10:00:00.000Z', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
      ['2026-03-30T10:00:00.000Z', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ])(
      'at %s the day on which clocks changed is covered from start to end',
      async (now, date, first, last) => {
        clock.set(now);
        await api.ask(key, 'PUT', '/organizations/preferences', { timezone: 'Europe/Berlin' });
        const around = [new Date(new Date(first).getTime() - 1), new Date(new Date(last).getTime() + 1)];
        await insert(...[new Date(first), new Date(last), ...around].map((createdAt) => ({ createdAt })));
        expect(at((await ask('/usage/daily-breakdown?days=3')).body, 'breakdown')).toMatchObject([
          { call_count: 1 },
          { date, call_count: 2 },
          { call_count: 1 },
        ]);
      },
    );

    test('counts the calls that pass the filters of the list, by days of the time zone that is asked for', async () => {
      await insert(
        { createdAt: moment('19T23:30:00'), disposition: 'busy' },
        { createdAt: moment('20T14:59:59.999'), disposition: 'busy' },
        { createdAt: moment('20T15:00:00'), disposition: 'busy' },
        { createdAt: moment('20T16:00:00'), disposition: 'voicemail_detected' },
      );
      const busy = JSON.stringify([
        { attribute: 'dispositionCode', type: 'multiSelect', value: { codes: ['busy'] } },
      ]);
      const path = (zone: string, filters: string) =>
        `/usage/daily-breakdown?${new URLSearchParams({ days: '2', timezone: zone, filters }).toString()}`;
      expect((await ask(path('Asia/Tokyo', busy))).body).toMatchObject({
        timezone: 'Asia/Tokyo',
        breakdown: [
          { date: '2026-11-20', call_count: 2 },
          { date: '2026-11-21', call_count: 1 },
        ],
      });
      expect((await ask(path('Asia/Tokyo', '[]'))).body).toMatchObject({
        breakdown: [{ call_count: 2 }, { call_count: 2 }],
      });
      expect((await ask(path('Mars/Olympus', busy))).status).toBe(422);
      expect((await ask(path('UTC', 'busy'))).status).toBe(400);
      expect((await ask(path('UTC', '[{"attribute":"shoeSize","value":{}}]'))).status).toBe(403);
    });

    test('has seven days by default, at most thirty', async () => {
      await insert({});
      expect(at((await ask('/usage/daily-breakdown')).body, 'breakdown')).toHaveLength(7);
      expect((await ask('/usage/daily-breakdown?days=1')).body).toMatchObject({
        breakdown: [{ date: '2026-11-21', call_count: 0 }],
        total_cost_usd: null,
        currency: null,
      });
      expect(at((await ask('/usage/daily-breakdown?days=30')).body, 'breakdown')).toHaveLength(30);
      expect((await ask('/usage/daily-breakdown?days=31')).status).toBe(422);
    });
  });

  describe('contract 15.2, reports', () => {
    test('daily: metrics, dispositions and lengths of the day in the requested time zone', async () => {
      const zoned = (seconds: number, change: Partial<CallRow> = {}) => ({
        ...lasting(seconds, moment('20T10:00:00')),
        ...change,
      });
      await insert(
        zoned(0, { disposition: 'user_hangup' }),
        zoned(9.999, { disposition: 'user_hangup' }),
        zoned(10, { disposition: 'transfer_call' }),
        zoned(180.4, { disposition: 'User_hangup' }),
        { state: 'talking', createdAt: moment('20T04:59:59.999') },
        { state: 'refused', createdAt: moment('20T05:00:00') },
        { state: 'talking', createdAt: moment('21T04:59:59.999') },
        { createdAt: moment('21T05:00:00') },
      );
      expect((await ask('/reports/daily?date=2026-11-20&timezone=America/New_York')).body).toEqual({
        date: '2026-11-20',
        timezone: 'America/New_York',
        workflow_id: null,
        metrics: {
          total_runs: 6,
          completed_runs: 5,
          xfer_count: 1,
          total_duration_seconds: 200,
          average_duration_seconds: 50,
        },
        disposition_distribution: [
          { disposition: 'user_hangup', count: 2, percentage: 50 },
          { disposition: 'User_hangup', count: 1, percentage: 25 },
          { disposition: 'transfer_call', count: 1, percentage: 25 },
        ],
        call_duration_distribution: [
          { bucket: '0-10', range_start: 0, range_end: 10, count: 2, percentage: 50 },
          { bucket: '10-30', range_start: 10, range_end: 30, count: 1, percentage: 25 },
          { bucket: '30-60', range_start: 30, range_end: 60, count: 0, percentage: 0 },
          { bucket: '60-120', range_start: 60, range_end: 120, count: 0, percentage: 0 },
          { bucket: '120-180', range_start: 120, range_end: 180, count: 0, percentage: 0 },
          { bucket: '>180', range_start: 180, range_end: null, count: 1, percentage: 25 },
        ],
      });
    });

    test('daily: covers one agent on request, and is empty for an unknown one', async () => {
      const second = await createAgent('Second');
      await insert(
        { createdAt: moment('20T11:00:00') },
        { createdAt: moment('20T10:59:59.999') },
        { ...second, createdAt: moment('20T12:00:00') },
      );
      expect((await ask('/reports/daily?date=2026-11-21&timezone=Pacific/Auckland')).body).toMatchObject({
        timezone: 'Pacific/Auckland',
        metrics: { total_runs: 2 },
      });
      const ofAgent = (id: unknown) =>
        ask(`/reports/daily?date=2026-11-21&timezone=Pacific/Auckland&workflow_id=${String(id)}`);
      expect((await ofAgent(second.agentId)).body).toMatchObject({
        workflow_id: second.agentId,
        metrics: { total_runs: 1 },
      });
      expect((await ofAgent(999_999)).body).toMatchObject({
        metrics: { total_runs: 0, average_duration_seconds: 0 },
        disposition_distribution: [],
      });
    });

    test.each(['/reports/daily', '/reports/daily/runs'])(
      '%s refuses an absent or invalid day and time zone, both at once',
      async (path) => {
        expect(await ask(path)).toMatchObject({
          status: 422,
          body: {
            detail: [
              { type: 'missing', loc: ['query', 'date'] },
              { type: 'missing', loc: ['query', 'timezone'] },
            ],
          },
        });
        expect(await ask(`${path}?date=20.11.2026&timezone=Mars/Olympus`)).toMatchObject({
          status: 422,
          body: {
            detail: [
              { type: 'string_pattern_mismatch', loc: ['query', 'date'] },
              { type: 'value_error', loc: ['query', 'timezone'], input: 'Mars/Olympus' },
            ],
          },
        });
        expect(await ask(`${path}?date=2026-02-30&timezone=UTC`)).toMatchObject({
          status: 422,
          body: { detail: [{ type: 'value_error', loc: ['query', 'date'], input: '2026-02-30' }] },
        });
      },
    );

    test('daily/runs: every call of the day, oldest first, with its number', async () => {
      const [first = 0] = await insert(
        {
          ...lasting(12.4, moment('20T10:00:00')),
          disposition: 'busy',
          direction: 'outbound',
          initialContext: { phone_number: '4915', caller_number: '1' },
        },
        { createdAt: moment('20T09:00:00'), initialContext: { caller_number: '222', called_number: '333' } },
        {
          createdAt: moment('20T08:00:00'),
          direction: 'outbound',
          initialContext: { caller_number: '222', called_number: '333' },
        },
        {
          createdAt: moment('20T07:00:00'),
          initialContext: { caller_number: '444' },
          variablesErasedAt: moment('20T11:00:00'),
        },
        { createdAt: moment('21T00:00:00') },
      );
      const { headers, body } = await ask('/reports/daily/runs?date=2026-11-20&timezone=UTC');
      expect(headers.get('content-type')).toBe('application/json');
      expect(body).toMatchObject([
        { run_id: first + 3 },
        { run_id: first + 2, phone_number: '333' },
        { run_id: first + 1, phone_number: '222' },
        { run_id: first },
      ]);
      expect(at(body, 3)).toEqual({
        phone_number: '4915',
        disposition: 'busy',
        duration_seconds: 12,
        workflow_id: owner.agentId,
        run_id: first,
        workflow_name: 'Order desk',
        created_at: '2026-11-20T10:00:00.000000Z',
      });
    });

    test('daily/runs: works with more calls than one read returns, and without calls', async () => {
      await insert(...Array.from({ length: 1001 }, () => ({ createdAt: moment('20T10:00:00') })));
      expect((await ask('/reports/daily/runs?date=2026-11-20&timezone=UTC')).body).toHaveLength(1001);
      expect((await ask('/reports/daily/runs?date=2026-11-19&timezone=UTC')).body).toEqual([]);
    });

    describe('calls', () => {
      const report = async (query: string, from = '2026-11-18', to = '2026-11-20') =>
        await ask(`/reports/calls?from=${from}&to=${to}&timezone=America/New_York${query}`);
      const figures = (body: unknown) =>
        [at(body, 'groups')].flat().map((group) => [at(group, 'key'), at(group, 'name'), at(group, 'calls')]);

      test('has the figures of all days of the time zone and of each, also of a day without calls', async () => {
        const call = (seconds: number, createdAt: Date, change: Partial<CallRow> = {}) => ({
          ...lasting(seconds, createdAt),
          ...change,
        });
        await insert(
          call(10.4, moment('18T05:00:00'), { disposition: 'busy', costUsd: 0.1, latencyP95Ms: 900 }),
          call(20, moment('19T04:59:59.999'), { disposition: 'done', costUsd: 0.2, latencyP95Ms: 700 }),
          call(30, moment('20T12:00:00'), { disposition: 'done', latencyP95Ms: 800 }),
          { state: 'talking', createdAt: moment('21T04:59:59.999') },
          call(40, moment('18T04:59:59.999'), { disposition: 'early', latencyP95Ms: 1 }),
          call(50, moment('21T05:00:00'), { disposition: 'late', latencyP95Ms: 9000 }),
        );
        const none = {
          ended_calls: 0,
          duration_seconds: 0,
          average_duration_seconds: 0,
          cost_usd: null,
          latency_p50_ms: null,
          latency_p95_ms: null,
          dispositions: [],
        };
        expect((await report('')).body).toEqual({
          from: '2026-11-18',
          to: '2026-11-20',
          timezone: 'America/New_York',
          group_by: 'day',
          total: {
            calls: 4,
            ended_calls: 3,
            duration_seconds: 60,
            average_duration_seconds: 20,
            cost_usd: 0.3,
            latency_p50_ms: 800,
            latency_p95_ms: 900,
            dispositions: [
              { disposition: 'done', calls: 2 },
              { disposition: 'busy', calls: 1 },
            ],
          },
          groups: [
            {
              key: '2026-11-18',
              name: null,
              calls: 2,
              ended_calls: 2,
              duration_seconds: 30,
              average_duration_seconds: 15,
              cost_usd: 0.3,
              latency_p50_ms: 700,
              latency_p95_ms: 900,
              dispositions: [
                { disposition: 'busy', calls: 1 },
                { disposition: 'done', calls: 1 },
              ],
            },
            { key: '2026-11-19', name: null, calls: 0, ...none },
            {
              key: '2026-11-20',
              name: null,
              calls: 2,
              ended_calls: 1,
              duration_seconds: 30,
              average_duration_seconds: 30,
              cost_usd: null,
              latency_p50_ms: 800,
              latency_p95_ms: 800,
              dispositions: [{ disposition: 'done', calls: 1 }],
            },
          ],
          left_out_groups: 0,
        });
      });

      test('compares agents, versions, campaigns and dispositions, those with the most calls first', async () => {
        const second = await createAgent('Second');
        const createdAt = moment('19T12:00:00');
        await insert(
          { createdAt, ...second, disposition: 'done' },
          { createdAt, ...second, disposition: 'done' },
          { createdAt, disposition: 'busy' },
          { createdAt, ...second, disposition: null },
        );
        expect(figures((await report('&group_by=agent')).body)).toEqual([
          [String(second.agentId), 'Second', 3],
          [String(owner.agentId), 'Order desk', 1],
        ]);
        expect(figures((await report('&group_by=version')).body)).toEqual([
          [String(second.versionId), 'Second v1', 3],
          [String(owner.versionId), 'Order desk v1', 1],
        ]);
        expect(figures((await report('&group_by=disposition')).body)).toEqual([
          ['done', null, 2],
          ['', null, 1],
          ['busy', null, 1],
        ]);
        expect(figures((await report('&group_by=campaign')).body)).toEqual([['', null, 4]]);
        expect(figures((await report(`&group_by=agent&workflow_id=${owner.agentId}`)).body)).toEqual([
          [String(owner.agentId), 'Order desk', 1],
        ]);
        const busy = filtersOf(filter('dispositionCode', { codes: ['busy'] }));
        expect((await report(`&${busy}`)).body).toMatchObject({ total: { calls: 1 } });
        expect((await report('&campaign_id=99')).body).toMatchObject({ total: { calls: 0 } });
      });

      test.each([
        ['2026-02-30', '2026-03-01', 'from', 'the date does not exist'],
        ['2026-11-20', '2026-11-19', 'to', 'the last day is before the first'],
        ['2026-08-20', '2026-11-20', 'to', 'a report covers at most 92 days'],
      ])('refuses the days from %s to %s', async (from, to, field, fault) => {
        expect(await report('', from, to)).toMatchObject({
          status: 422,
          body: { detail: [{ loc: ['query', field], msg: `Value error, ${fault}` }] },
        });
      });
    });

    test('workflows: all agents, including archived ones', async () => {
      const second = await createAgent('Second');
      await api.ask(key, 'PUT', `/workflow/${second.agentId}/status`, { status: 'archived' });
      expect([(await ask('/reports/workflows')).body].flat()).toEqual(
        expect.arrayContaining([
          { id: second.agentId, name: 'Second' },
          { id: owner.agentId, name: 'Order desk' },
        ]),
      );
    });
  });

  test('nothing counts the calls of another organization', async () => {
    await insert({ ...lasting(10, moment('20T10:00:00')), costUsd: 1, disposition: 'busy' });
    const stranger = (await createTenant(database.db)).key;
    const answers = await Promise.all(
      [
        '/usage/runs',
        '/usage/current-period',
        '/usage/daily-breakdown',
        `/reports/daily?date=2026-11-20&timezone=UTC&workflow_id=${owner.agentId}`,
        '/reports/daily/runs?date=2026-11-20&timezone=UTC',
        '/reports/calls?from=2026-11-20&to=2026-11-20&timezone=UTC',
        '/reports/workflows',
      ].map((path) => ask(path, stranger)),
    );
    expect(answers.map(({ body }) => body)).toMatchObject([
      { total_count: 0, total_duration_seconds: 0 },
      { call_count: 0, used_amount_usd: null },
      { total_minutes: 0 },
      { metrics: { total_runs: 0 } },
      [],
      { total: { calls: 0 } },
      [],
    ]);
    expect(String((await ask('/usage/runs/report', stranger)).body).split('\r\n')).toHaveLength(2);
  });
});

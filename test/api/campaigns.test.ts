import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { In } from 'typeorm';
import { z } from 'zod';
import { campaignFilters, campaignStandings } from '../../src/contract/data/campaigns.ts';
import { columns } from '../../src/db/rows.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { dialPolicies, type DialPolicyRow } from '../../src/db/tables/dial-policies.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import type { CampaignInput, CampaignRuns } from '../../src/temporal/port.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
  type Asked,
} from '../support/api-on-services.ts';
import { insertCampaign, insertDirectory } from '../support/campaign-rows.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { createFakeCarrier, insertConnection } from '../support/telephony.ts';

/** Campaigns whose Workflow is replaced. The test decides how Temporal answers. */
interface FakeRuns extends CampaignRuns {
  started: CampaignInput[];
  woken: string[];
  isDown: boolean;
}

function fakeRuns(): FakeRuns {
  const unavailable = () =>
    Promise.reject(new UnavailableError('Temporal is not available', { dependency: 'temporal' }));
  const runs: FakeRuns = {
    started: [],
    woken: [],
    isDown: false,
    start: async (input) => {
      if (runs.isDown) return await unavailable();
      runs.started.push(input);
    },
    wake: async (uuid) => {
      if (runs.isDown) return await unavailable();
      runs.woken.push(uuid);
      return 'delivered';
    },
  };
  return runs;
}

describe.each(databases)('campaigns on %s (contract 11.5)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let agentId: number;
  let sourceId: string;
  const runs = fakeRuns();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, {
      campaignRuns: runs,
      carriers: new Map([['telnyx', createFakeCarrier()]]),
    });
  });
  beforeEach(async () => {
    Object.assign(runs, { started: [], woken: [], isDown: false });
    ({ organizationId, key } = await createTenant(database.db));
    await insertConnection(database.db, organizationId, {
      isDefaultOutbound: true,
      numbers: Array(5).fill(true),
    });
    agentId = await agentOf(completeGraph());
    sourceId = (await insertDirectory(database.db, organizationId, { rows: 3 })).fileKey;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown): Promise<Asked> =>
    api.ask(key, method, path, body);
  const agentOf = async (graph: object) => {
    const id = Number(
      idAt(
        (await ask('POST', '/workflow/create/definition', { name: 'Order desk', workflow_definition: graph }))
          .body,
        'id',
      ),
    );
    await ask('POST', `/workflow/${id}/publish`);
    return id;
  };
  const create = (changes: object = {}) =>
    ask('POST', '/campaign/create', {
      name: 'Spring',
      workflow_id: agentId,
      source_type: 'csv',
      source_id: sourceId,
      ...changes,
    });
  const made = async (changes: object = {}) => Number(idAt((await create(changes)).body, 'id'));
  const detail = ({ status, body }: Asked) => [status, at(body, 'detail')];
  const stateOf = async (id: number) => at((await ask('GET', `/campaign/${id}`)).body, 'state');
  const inState = async (state: CampaignRow['state']) => {
    const directory = await insertDirectory(database.db, organizationId);
    return (await insertCampaign(database.db, directory, { agentId, state })).id;
  };

  describe('creating one', () => {
    test('answers the campaign with every field of the contract in its order and defaults, and calls no one yet', async () => {
      const answer = await create();
      expect(answer.status).toBe(200);
      expect(Object.keys(Object(answer.body)).slice(0, 24)).toEqual([
        'id',
        'name',
        'workflow_id',
        'workflow_name',
        'state',
        'source_type',
        'source_id',
        'total_rows',
        'processed_rows',
        'failed_rows',
        'created_at',
        'started_at',
        'completed_at',
        'retry_config',
        'max_concurrency',
        'schedule_config',
        'circuit_breaker',
        'executed_count',
        'total_queued_count',
        'parent_campaign_id',
        'redialed_campaign_id',
        'telephony_configuration_id',
        'telephony_configuration_name',
        'logs',
      ]);
      expect(answer.body).toMatchObject({
        name: 'Spring',
        workflow_id: agentId,
        workflow_name: 'Order desk',
        state: 'created',
        source_type: 'csv',
        source_id: sourceId,
        total_rows: 3,
        started_at: null,
        max_concurrency: null,
        schedule_config: null,
        rules: null,
        retry_config: {
          enabled: true,
          max_retries: 1,
          retry_delay_seconds: 120,
          retry_on_busy: true,
          retry_on_no_answer: true,
          retry_on_voicemail: false,
        },
        circuit_breaker: {
          enabled: true,
          failure_threshold: 0.5,
          window_seconds: 120,
          min_calls_in_window: 5,
        },
      });
      expect(runs.started).toEqual([]);
    });

    test('completes a given retry_config with the defaults of the object, which differ', async () => {
      expect((await create({ retry_config: {} })).body).toMatchObject({
        retry_config: {
          enabled: true,
          max_retries: 2,
          retry_delay_seconds: 120,
          retry_on_busy: true,
          retry_on_no_answer: true,
          retry_on_voicemail: true,
        },
      });
    });

    test('lists campaigns newest first, and offers the settings of the last one for the next', async () => {
      const first = await made();
      const second = await made({ max_concurrency: null, circuit_breaker: { window_seconds: 30 } });
      const listed = at((await ask('GET', '/campaign/')).body, 'campaigns');
      expect(Array.isArray(listed) ? listed.map((each: unknown) => at(each, 'id')) : []).toEqual([
        second,
        first,
      ]);
      expect((await ask('GET', '/organizations/campaign-defaults')).body).toMatchObject({
        concurrent_call_limit: 10,
        from_numbers_count: 5,
        default_retry_config: { max_retries: 1 },
        last_campaign_settings: { circuit_breaker: { window_seconds: 30 } },
      });
    });

    test('lists pages of them, narrowed by words of their names and by how they stand', async () => {
      const ids: number[] = [];
      for (const name of ['Spring recall', 'Autumn recall', 'Autumn survey', 'Straße 100 %'])
        ids.push(await made({ name }));
      const [spring, autumn, survey, street] = ids;
      const list = async (query: string) => {
        const { body } = await ask('GET', `/campaign/?${query}`);
        const found = at(body, 'campaigns');
        return {
          ids: Array.isArray(found) ? found.map((each: unknown) => at(each, 'id')) : [],
          total: at(body, 'total_count'),
          counts: at(body, 'standing_counts'),
        };
      };
      const ofThese = (chosen: (number | undefined)[]) => ({ ids: chosen, total: chosen.length });
      expect(await list('search=recall&limit=1')).toMatchObject({ ids: [autumn], total: 2 });
      expect(await list('search=recall&limit=1&offset=1')).toMatchObject({ ids: [spring], total: 2 });
      expect(await list('search=recall&offset=1')).toMatchObject({ ids: [spring], total: 2 });
      expect(await list('search=%20SURVEY%20autumn')).toMatchObject(ofThese([survey]));
      expect(await list(`search=${encodeURIComponent('100 %')}`)).toMatchObject(ofThese([street]));
      expect(await list('search=recall%20contacts.csv')).toMatchObject(ofThese([autumn, spring]));
      for (const [state, stopMode, standing] of [
        ['syncing', null, 'running'],
        ['running', null, 'running'],
        ['running', 'finish', 'running'],
        ['paused', 'hang_up', 'running'],
        ['paused', null, 'paused'],
        ['created', null, 'created'],
        ['completed', null, 'completed'],
        ['completed', 'finish', 'stopped'],
        ['failed', 'finish', 'failed'],
      ] as const) {
        await database.db.getRepository(campaigns).update({ id: street }, { state, stopMode });
        for (const each of campaignFilters) {
          const { total, counts } = await list(`search=100&standing=${each}`);
          const isOpen = standing !== 'completed' && standing !== 'stopped';
          expect({ state, stopMode, each, total, counts }).toEqual({
            state,
            stopMode,
            each,
            total: (each === 'open' ? isOpen : each === standing) ? 1 : 0,
            counts: { ...Object.fromEntries(campaignStandings.map((one) => [one, 0])), [standing]: 1 },
          });
        }
      }
      const files = (await ask('GET', '/directories')).body;
      expect(at(files, 'directories', 0, 'campaigns')).toMatchObject([
        { id: street, name: 'Straße 100 %' },
        { id: survey },
        { id: autumn },
        { id: spring },
      ]);
    });

    test.each([
      ['an unknown agent', { workflow_id: 799_999_999 }, 404, 'Workflow not found'],
      [
        'an unknown connection',
        { telephony_configuration_id: 799_999_999, max_concurrency: 1 },
        400,
        'telephony_configuration_not_found',
      ],
      [
        'more lines than the organization has',
        { max_concurrency: 11 },
        400,
        'max_concurrency is 11, and the organization may have 10 calls at once',
      ],
      [
        'unknown numbers',
        { rules: { from_phone_number_ids: [799_999_999] } },
        400,
        'from_phone_number_not_found',
      ],
    ])('is refused for %s', async (_what, changes, status, words) => {
      expect(detail(await create(changes))).toEqual([status, words]);
    });

    test('is refused for a file of another organization as for a missing one', async () => {
      const other = await createTenant(database.db);
      const theirs = (await insertDirectory(database.db, other.organizationId)).fileKey;
      const withoutKey = (answer: Asked, fileKey: string) => [
        answer.status,
        String(at(answer.body, 'detail')).replace(fileKey, '<key>'),
      ];
      const unknown = 'campaigns/1/unknown.csv';
      expect(withoutKey(await create({ source_id: theirs }), theirs)).toEqual([
        400,
        withoutKey(await create({ source_id: unknown }), unknown)[1],
      ]);
    });

    test('is refused for more lines than its connection has numbers, because each call holds one', async () => {
      const { configurationId } = await insertConnection(database.db, organizationId, {
        name: 'Line',
        numbers: [true, true, false],
      });
      expect(
        detail(await create({ telephony_configuration_id: configurationId, max_concurrency: 3 })),
      ).toEqual([400, expect.stringContaining('2 active phone numbers')]);
      expect(
        (await create({ telephony_configuration_id: configurationId, max_concurrency: 2 })).body,
      ).toMatchObject({
        telephony_configuration_id: configurationId,
        telephony_configuration_name: 'Line',
        max_concurrency: 2,
      });
    });

    test('is refused if a prompt needs a variable without a column, and names it; time and phone variables need none', async () => {
      agentId = await agentOf(
        completeGraph(
          'Hello {{first_name}}, it is {{current_time}}; {{caller_number}} calls {{called_number}} about {{order}} and {{place | home}}',
        ),
      );
      expect(detail(await create())).toEqual([400, expect.stringMatching(/\border\b/)]);
      expect(String(at((await create()).body, 'detail'))).not.toMatch(
        /first_name|current_time|caller_number|place/,
      );
    });

    test('is refused if no row of the file can be called', async () => {
      const none = await insertDirectory(database.db, organizationId, {
        rows: 0,
        totals: {
          ...(await insertDirectory(database.db, organizationId)).totals,
          rows: 4,
          ok: 0,
          invalid: 4,
        },
      });
      expect(detail(await create({ source_id: none.fileKey }))).toEqual([
        400,
        'The file has 4 rows, and none of them can be called',
      ]);
    });

    test('leaves bad rows out and logs their number, without values', async () => {
      const { totals } = await insertDirectory(database.db, organizationId);
      const some = await insertDirectory(database.db, organizationId, {
        totals: { ...totals, rows: 5, ok: 3, invalid: 1, duplicate: 1 },
      });
      expect((await create({ source_id: some.fileKey })).body).toMatchObject({
        logs: [
          {
            level: 'warning',
            event: 'file_checked',
            message: '3 of 5 rows can be called; 2 are left out',
            details: { rows: 5, ok: 3, invalid: 1, duplicate: 1 },
          },
        ],
      });
    });

    // guarantee: unknown-rule-name-refused
    test.each([
      [
        'an unknown zone',
        {
          schedule_config: {
            timezone: 'Mars/Base',
            slots: [{ day_of_week: 0, start_time: '09:00', end_time: '10:00' }],
          },
        },
        ['body', 'schedule_config', 'timezone'],
        'value_error',
      ],
      [
        'a slot across midnight',
        { schedule_config: { slots: [{ day_of_week: 0, start_time: '22:00', end_time: '06:00' }] } },
        ['body', 'schedule_config', 'slots', 0],
        'value_error',
      ],
      ['no slot', { schedule_config: { slots: [] } }, ['body', 'schedule_config', 'slots'], 'too_short'],
      ['another source', { source_type: 'google' }, ['body', 'source_type'], 'string_pattern_mismatch'],
      [
        'an unknown rule',
        { rules: { windw_zone: 'contact' } },
        ['body', 'rules', 'windw_zone'],
        'extra_forbidden',
      ],
      [
        'a plan for an unknown outcome',
        { rules: { retry_plan: { bored: { waits_seconds: [60], max_retries: 1 } } } },
        ['body', 'rules', 'retry_plan', 'bored'],
        'extra_forbidden',
      ],
      [
        'a plan for calls in doubt',
        { rules: { retry_plan: { unknown: { waits_seconds: [60], max_retries: 1 } } } },
        ['body', 'rules', 'retry_plan', 'unknown'],
        'value_error',
      ],
      [
        'a plan for a callback',
        { rules: { retry_plan: { callback: { waits_seconds: [60], max_retries: 1 } } } },
        ['body', 'rules', 'retry_plan', 'callback'],
        'value_error',
      ],
      [
        'days in a plan for faults',
        { rules: { retry_plan: { provider: { waits_seconds: [60], max_retries: 1, next_day: true } } } },
        ['body', 'rules', 'retry_plan', 'provider', 'next_day'],
        'extra_forbidden',
      ],
      [
        'a wait that is too short',
        { rules: { retry_plan: { busy: { waits_seconds: [1], max_retries: 1 } } } },
        ['body', 'rules', 'retry_plan', 'busy', 'waits_seconds', 0],
        'greater_than_equal',
      ],
      [
        'too many retries',
        { retry_config: { max_retries: 11 } },
        ['body', 'retry_config', 'max_retries'],
        'less_than_equal',
      ],
    ])('is a field fault for %s, at its position', async (_what, changes, loc, type) => {
      const { status, body } = await create(changes);
      expect([status, at(body, 'detail', 0, 'loc'), at(body, 'detail', 0, 'type')]).toEqual([422, loc, type]);
    });

    test('tells an unknown time zone beside all other faults of the body, also of a change', async () => {
      const schedule_config = {
        timezone: 'Mars/Base',
        slots: [{ day_of_week: 7, start_time: '09:00', end_time: '10:00' }],
      };
      const faults = { name: '', schedule_config, circuit_breaker: { window_seconds: 1 } };
      const places = [
        ['body', 'name'],
        ['body', 'schedule_config', 'timezone'],
        ['body', 'schedule_config', 'slots', 0, 'day_of_week'],
        ['body', 'circuit_breaker', 'window_seconds'],
      ];
      const placesOf = ({ body }: Asked) =>
        z
          .object({ detail: z.array(z.object({ loc: z.array(z.unknown()) })) })
          .parse(body)
          .detail.map(({ loc }) => loc);
      expect(placesOf(await create(faults))).toEqual(places);
      expect(placesOf(await ask('PATCH', `/campaign/${await made()}`, faults))).toEqual(places);
    });

    test('and changing one are refused at once for hours that never open', async () => {
      const monday = { slots: [{ day: 0, start: '08:00', end: '09:00' }] };
      const now = new Date();
      await database.db.getRepository(dialPolicies).insert(
        columns<DialPolicyRow>({
          organizationId,
          policy: { window: monday },
          stoppedAt: null,
          stoppedByUserId: null,
          operatorStoppedAt: null,
          paceTokens: 1,
          paceAt: now,
          updatedAt: now,
        }),
      );
      const never = {
        schedule_config: { slots: [{ day_of_week: 3, start_time: '10:00', end_time: '11:00' }] },
      };
      const sometimes = {
        schedule_config: { slots: [{ day_of_week: 0, start_time: '08:30', end_time: '11:00' }] },
      };
      expect(detail(await create(never))).toEqual([400, expect.stringContaining('never open')]);
      const id = await made(sometimes);
      expect(detail(await ask('PATCH', `/campaign/${id}`, never))).toEqual([
        400,
        expect.stringContaining('never open'),
      ]);
    });
  });

  describe('its life', () => {
    beforeEach(() => insertConnection(database.db, organizationId));

    test('goes from created through syncing to paused, running and its stop, each signaled to its Workflow and logged', async () => {
      const id = await made();
      expect((await ask('POST', `/campaign/${id}/start`)).body).toMatchObject({
        id,
        state: 'syncing',
        started_at: expect.any(String),
      });
      expect(runs.started).toEqual([expect.objectContaining({ campaignId: id, organizationId })]);
      expect((await ask('POST', `/campaign/${id}/pause`)).body).toMatchObject({
        state: 'paused',
        wait_reason: 'paused',
      });
      expect((await ask('POST', `/campaign/${id}/resume`)).body).toMatchObject({
        state: 'running',
        wait_reason: null,
      });
      expect((await ask('POST', `/campaign/${id}/stop`, { mode: 'finish' })).body).toMatchObject({
        state: 'running',
        stop_mode: 'finish',
        wait_reason: 'stopped',
      });
      expect((await ask('POST', `/campaign/${id}/stop`, { mode: 'hang_up' })).body).toMatchObject({
        stop_mode: 'hang_up',
      });
      expect([runs.started.length, runs.woken.length]).toEqual([2, 3]);
      const logs = at((await ask('GET', `/campaign/${id}`)).body, 'logs');
      expect(Array.isArray(logs) ? logs.map((each: unknown) => at(each, 'event')) : []).toEqual([
        'file_checked',
        'campaign_started',
        'campaign_paused',
        'campaign_resumed',
        'campaign_stop_requested',
        'campaign_stop_requested',
      ]);
    });

    // guarantee: campaign-state-conflict-explained
    test.each([
      ['start', 'running', 'The campaign must be created to be started; it is running'],
      ['pause', 'completed', 'The campaign must be running or syncing to be paused; it is completed'],
      ['resume', 'running', 'The campaign must be paused to be resumed; it is running'],
      ['stop', 'failed', 'The campaign must be running or syncing or paused to be stopped; it is failed'],
      ['redial', 'running', 'The campaign must be completed to be redialed; it is running'],
    ] as const)(
      '%s in the wrong state is refused with the needed and the present state',
      async (verb, state, words) => {
        const id = await inState(state);
        expect(detail(await ask('POST', `/campaign/${id}/${verb}`, {}))).toEqual([400, words]);
        expect(await stateOf(id)).toBe(state);
      },
    );

    // guarantee: campaign-starts-once
    test('starts once for any number of concurrent starts', async () => {
      const id = await made();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => ask('POST', `/campaign/${id}/start`)),
      );
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200, 400, 400, 400, 400, 400,
      ]);
      expect(runs.started.length).toBe(1);
    });

    test('ends in one state for concurrent pauses and resumes: that of the last one, with as many log entries as changes', async () => {
      const id = await inState('running');
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_each, index) =>
          ask('POST', `/campaign/${id}/${index % 2 === 0 ? 'pause' : 'resume'}`),
        ),
      );
      const done = answers.filter(({ status }) => status === 200).length;
      const logs = at((await ask('GET', `/campaign/${id}`)).body, 'logs');
      expect(Array.isArray(logs) ? logs.length : -1).toBe(done);
      expect(await stateOf(id)).toBe(done % 2 === 0 ? 'running' : 'paused');
    });

    // guarantee: failed-start-is-undone
    test('stays as it was when Temporal is unavailable at a start or a resume; a pause and a stop stand', async () => {
      const id = await made();
      runs.isDown = true;
      expect((await ask('POST', `/campaign/${id}/start`)).status).toBe(503);
      expect((await ask('GET', `/campaign/${id}`)).body).toMatchObject({
        state: 'created',
        started_at: null,
      });
      runs.isDown = false;
      expect((await ask('POST', `/campaign/${id}/start`)).body).toMatchObject({ state: 'syncing' });
      runs.isDown = true;
      expect((await ask('POST', `/campaign/${id}/pause`)).body).toMatchObject({ state: 'paused' });
      expect((await ask('POST', `/campaign/${id}/resume`)).status).toBe(503);
      expect((await ask('GET', `/campaign/${id}`)).body).toMatchObject({
        state: 'paused',
        wait_reason: 'paused',
      });
      expect((await ask('POST', `/campaign/${id}/stop`, { mode: 'finish' })).body).toMatchObject({
        state: 'paused',
        stop_mode: 'finish',
      });
    });

    test('cannot start with an agent that is archived or was never published', async () => {
      const id = await made();
      await ask('PUT', `/workflow/${agentId}/status`, { status: 'archived' });
      expect(detail(await ask('POST', `/campaign/${id}/start`))).toEqual([400, 'The agent is archived']);
      expect(await stateOf(id)).toBe('created');
    });

    test('cannot be resumed while it is being stopped', async () => {
      const id = await inState('paused');
      await ask('POST', `/campaign/${id}/stop`, {});
      expect(detail(await ask('POST', `/campaign/${id}/resume`))).toEqual([
        400,
        expect.stringContaining('is being stopped'),
      ]);
    });

    test('cannot be created or start without a connection: 400, not 401', async () => {
      const other = await createTenant(database.db);
      const theirs = await api.ask(other.key, 'POST', '/workflow/create/definition', {
        name: 'a',
        workflow_definition: completeGraph(),
      });
      const directory = await insertDirectory(database.db, other.organizationId);
      const campaign = await insertCampaign(database.db, directory, {
        agentId: Number(idAt(theirs.body, 'id')),
      });
      const body = {
        name: 'Spring',
        workflow_id: campaign.agentId,
        source_type: 'csv',
        source_id: directory.fileKey,
      };
      expect(detail(await api.ask(other.key, 'POST', '/campaign/create', body))).toEqual([
        400,
        'telephony_not_configured',
      ]);
      expect(detail(await api.ask(other.key, 'POST', `/campaign/${campaign.id}/start`))).toEqual([
        400,
        'telephony_not_configured',
      ]);
    });

    test('holds its connection, which cannot be deleted before the campaign is over', async () => {
      const { configurationId } = await insertConnection(database.db, organizationId);
      const id = await made({ telephony_configuration_id: configurationId });
      expect(await ask('DELETE', `/organizations/telephony-configs/${configurationId}`)).toMatchObject({
        status: 409,
        body: { detail: `This telephony configuration is used by campaign ${id}` },
      });
      expect((await ask('GET', `/organizations/telephony-configs/${configurationId}`)).status).toBe(200);
    });
  });

  describe('changing one', () => {
    test('while it runs wakes its pacer, and is logged', async () => {
      const id = await inState('running');
      const rules = {
        window_zone: 'contact',
        retry_plan: { busy: { waits_seconds: [600, 1800], max_retries: 3 } },
        caps: { per_day: null },
        weight: 2,
      };
      const answer = await ask('PATCH', `/campaign/${id}`, {
        name: 'Summer',
        max_concurrency: 5,
        retry_config: { max_retries: 0 },
        rules,
      });
      expect(answer.body).toMatchObject({
        name: 'Summer',
        state: 'running',
        max_concurrency: 5,
        retry_config: { max_retries: 0, retry_on_voicemail: true },
        rules,
        logs: [
          {
            event: 'campaign_changed',
            details: { changed: ['retry_config', 'max_concurrency', 'rules', 'name'] },
            by: expect.stringMatching(/\w/),
          },
        ],
      });
      expect(runs.woken.length).toBe(1);
    });

    test.each([
      [
        {
          schedule_config: {
            timezone: 'UTC',
            slots: [{ day_of_week: 0, start_time: '09:00', end_time: '12:00' }],
          },
        },
        0,
      ],
      [{ rules: { caps: { per_hour: 2 } } }, 0],
      [{ retry_config: { enabled: false } }, 0],
      [{ name: 'Summer', max_concurrency: 5 }, null],
    ])(
      'by %j lets waiting rows be decided again if hours, caps or the retry plan may have changed',
      async (change, expected) => {
        const id = await inState('running');
        expect((await ask('PATCH', `/campaign/${id}`, change)).status).toBe(200);
        expect((await database.db.getRepository(campaigns).findOneByOrFail({ id })).reviseAfterRow).toBe(
          expected,
        );
      },
    );

    // guarantee: policy-change-wakes-campaigns
    test('of the dial policy wakes every running campaign, and no other; it stands if Temporal is unavailable', async () => {
      const going = [await inState('running'), await inState('running'), await inState('syncing')];
      for (const state of ['created', 'paused', 'completed', 'failed'] as const) await inState(state);
      const uuids = (await database.db.getRepository(campaigns).find({ where: { id: In(going) } })).map(
        ({ uuid }) => uuid,
      );
      expect((await ask('PUT', '/organizations/dial-policy', { starts_per_second: 2 })).status).toBe(200);
      expect(runs.woken.toSorted()).toEqual(uuids.toSorted());
      runs.isDown = true;
      expect((await ask('PUT', '/organizations/dial-policy', { starts_per_second: 3 })).body).toMatchObject({
        starts_per_second: 3,
      });
    });

    // guarantee: campaign-change-needs-current-tag
    test('of two changes based on the same state one succeeds, whatever calls do meanwhile', async () => {
      const id = await made();
      const send = (headers: Record<string, string>, method: string, body?: unknown) =>
        api.send({ 'x-api-key': key, ...headers }, method, `/campaign/${id}`, body);
      const tag = String((await send({}, 'GET')).headers.get('etag'));
      expect((await send({ 'if-none-match': tag }, 'GET')).status).toBe(304);
      await ask('POST', `/campaign/${id}/start`, {});
      expect((await send({ 'if-none-match': tag }, 'GET')).status).toBe(200);
      const first = await send({ 'if-match': tag }, 'PATCH', { max_concurrency: 2 });
      expect(first.status).toBe(200);
      expect(await send({ 'if-match': tag }, 'PATCH', { name: 'Autumn' })).toMatchObject({
        status: 412,
        body: { detail: expect.stringMatching(/^The campaign does not match If-Match; its last change: /) },
      });
      const next = String(first.headers.get('etag'));
      expect((await send({ 'if-match': next }, 'PATCH', { name: 'Autumn' })).body).toMatchObject({
        name: 'Autumn',
        max_concurrency: 2,
      });
    });

    test('keeps what is absent or null', async () => {
      const id = await made({ retry_config: { max_retries: 7 } });
      expect(
        (await ask('PATCH', `/campaign/${id}`, { name: null, retry_config: null, max_concurrency: 3 })).body,
      ).toMatchObject({ name: 'Spring', retry_config: { max_retries: 7 }, max_concurrency: 3 });
    });

    test.each(['completed', 'failed'] as const)('is refused when it is %s', async (state) => {
      const id = await inState(state);
      expect(detail(await ask('PATCH', `/campaign/${id}`, { name: 'x' }))).toEqual([
        400,
        `A campaign that is over cannot be changed; it is ${state}`,
      ]);
    });

    test.each([{ start_order: 'priority' }, { agent_version: 'pinned' }])(
      'after the start cannot be %j, which the first rows have used',
      async (rules) => {
        const id = await inState('running');
        expect(detail(await ask('PATCH', `/campaign/${id}`, { rules }))).toEqual([
          400,
          expect.stringContaining('cannot change after the start'),
        ]);
      },
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { columns } from '../../src/db/rows.ts';
import type { CallRow } from '../../src/db/tables/calls.ts';
import { campaignAttempts, type CampaignAttemptRow } from '../../src/db/tables/campaign-attempts.ts';
import { campaignTargets, type CampaignTargetRow } from '../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../src/db/tables/campaigns.ts';
import { rowOutcomes, rowReasons } from '../../src/contract/campaigns.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { targetOutcomes } from '../../src/domain/campaign/outcome.ts';
import { waitReasons } from '../../src/domain/campaign/wait-reason.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { insertCalls } from '../support/call-rows.ts';
import { insertCampaign, insertContact, insertDirectory } from '../support/campaign-rows.ts';
import { createTestDatabase, bothDatabases, type TestDatabase } from '../support/database.ts';
import { createFakeCarrier } from '../support/telephony.ts';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

describe.each(bothDatabases)('rows of a campaign on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let agentId: number;
  let versionId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { carriers: new Map([['telnyx', createFakeCarrier()]]) });
  });
  beforeEach(async () => {
    ({ organizationId, key } = await createTenant(database.db));
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: completeGraph(),
    });
    [agentId, versionId] = [Number(idAt(body, 'id')), Number(idAt(body, 'current_definition_id'))];
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const read = async (path: string) => (await api.ask(key, 'GET', path)).body;
  const calls = (...changes: Partial<CallRow>[]) =>
    insertCalls(database.db, { organizationId, agentId, versionId }, ...changes);
  type Target = Partial<CampaignTargetRow> & { rowNumber: number };
  const campaignOf = async (targets: Target[], changes: Partial<CampaignRow> = {}) =>
    await insertCampaign(
      database.db,
      await insertDirectory(database.db, organizationId, { rows: targets.length }),
      { agentId, targets, state: 'running', ...changes },
    );
  const attempt = async (campaign: CampaignRow, row: Partial<CampaignAttemptRow> & { callId: number }) =>
    await database.db.getRepository(campaignAttempts).insert(
      columns<CampaignAttemptRow>({
        campaignId: campaign.id,
        rowNumber: 1,
        attemptNumber: 1,
        organizationId,
        because: null,
        begunAt: new Date('2026-11-21T10:00:00Z'),
        outcome: null,
        isSpent: null,
        settledAt: null,
        ...row,
      }),
    );

  // guarantee: left-out-rows-are-not-progress
  test('progress counts rows by state and outcome, and with the rows that are left out they are all rows of the file', async () => {
    const { id } = await campaignOf(
      [
        { rowNumber: 1, state: 'processed', outcome: 'reached' },
        { rowNumber: 2, state: 'processed', outcome: 'reached' },
        { rowNumber: 3, state: 'failed', outcome: 'busy' },
        { rowNumber: 4, state: 'processing' },
        { rowNumber: 5, state: 'waiting', outcome: 'no_answer', dueAt: new Date('2099-01-01') },
        { rowNumber: 6 },
      ],
      { totalRows: 8, startedAt: new Date('2026-11-21T10:00:00Z'), waitReason: 'no_line' },
    );
    expect(await read(`/campaign/${id}/progress`)).toEqual({
      campaign_id: id,
      state: 'running',
      total_rows: 8,
      processed_rows: 2,
      failed_calls: 1,
      progress_percentage: 50,
      source_sync: { status: 'completed', last_synced_at: '2026-11-21T10:00:00.000000Z', error: null },
      rate_limit: 1,
      started_at: '2026-11-21T10:00:00.000000Z',
      completed_at: null,
      rows: { queued: 1, waiting: 1, processing: 1, processed: 2, failed: 1, left_out: 2 },
      outcomes: { reached: 2, busy: 1 },
      reasons: {
        no_line: { rows: 1, next_at: null },
        retry: { rows: 1, next_at: '2099-01-01T00:00:00.000000Z' },
      },
      closed_zones: [],
      dials_last_minute: 0,
      stop_mode: null,
      wait_reason: 'no_line',
      wait_until: null,
      estimated_completion_at: null,
    });
    expect(await read(`/campaign/${id}`)).toMatchObject({
      total_rows: 8,
      processed_rows: 2,
      failed_rows: 1,
      executed_count: 3,
      total_queued_count: 6,
    });
  });

  test.each([
    ['created', {}, 'pending', 0],
    ['syncing', {}, 'in_progress', 0],
    ['failed', { syncFault: 'The file is gone' }, 'failed', 0],
    ['completed', { plannedAt: new Date() }, 'completed', 100],
  ] as const)(
    'progress of one that is %s says how far its file is read',
    async (state, changes, status, percentage) => {
      const { id } = await campaignOf([], { state, plannedAt: null, totalRows: null, ...changes });
      expect(await read(`/campaign/${id}/progress`)).toMatchObject({
        state,
        source_sync: { status },
        progress_percentage: percentage,
      });
    },
  );

  test('the numbers of a progress are of one moment: they add up when rows change after the campaign was shown, and when its last rows are read', async () => {
    const targets = [{ rowNumber: 1 }, { rowNumber: 2 }, { rowNumber: 3 }];
    const { id } = await campaignOf(targets, { totalRows: 5, waitReason: 'no_line', plannedAt: null });
    expect(await read(`/campaign/${id}`)).toMatchObject({ total_queued_count: 3 });
    const repository = database.db.getRepository(campaignTargets);
    await repository.update({ campaignId: id, rowNumber: 1 }, { state: 'processing' });
    await repository.update({ campaignId: id, rowNumber: 2 }, { state: 'processed', outcome: 'reached' });
    const changed = { queued: 1, waiting: 0, processing: 1, processed: 1, failed: 0 };
    expect(await read(`/campaign/${id}/progress`)).toMatchObject({
      rows: { ...changed, left_out: 0 },
      outcomes: { reached: 1 },
      reasons: { no_line: { rows: 1 } },
    });
    await database.db.query(
      `INSERT INTO campaign_targets (campaign_id, \`row_number\`, organization_id, state, phone, zone_key, position, spent_attempts, attempts)
       SELECT campaign_id, 4, organization_id, state, phone, zone_key, position, spent_attempts, attempts FROM campaign_targets WHERE campaign_id = ? AND \`row_number\` = 3`,
      [id],
    );
    await database.db.getRepository(campaigns).update({ id }, { plannedAt: new Date() });
    expect(await read(`/campaign/${id}/progress`)).toMatchObject({
      rows: { ...changed, queued: 2, left_out: 1 },
      reasons: { no_line: { rows: 2 } },
    });
  });

  // guarantee: waiting-row-shows-reason-and-time
  test("each waiting row says why and until when: its own reason, otherwise its window, otherwise the campaign's", async () => {
    const later = new Date(Date.now() + 3_600_000);
    const targets: Target[] = [
      { rowNumber: 1, state: 'waiting', dueAt: later, waitReason: 'capped' },
      { rowNumber: 2, state: 'waiting', dueAt: later },
      { rowNumber: 3 },
      { rowNumber: 4, state: 'processed', outcome: 'reached', waitReason: null },
    ];
    const wire = later.toISOString().replace('Z', '000Z');
    const reasons = async (changes: Partial<CampaignRow>) =>
      listOf(at(await read(`/campaign/${(await campaignOf(targets, changes)).id}/rows`), 'rows')).map(
        (row) => [at(row, 'state'), at(row, 'reason'), at(row, 'due_at')],
      );
    const [capped, retry, over] = [
      ['queued', 'capped', wire],
      ['queued', 'retry', wire],
      ['processed', null, null],
    ];
    expect(await reasons({ waitReason: 'no_line' })).toEqual([
      capped,
      retry,
      ['queued', 'no_line', null],
      over,
    ]);
    expect(await reasons({ state: 'paused' })).toEqual([
      ['queued', 'paused', null],
      ['queued', 'paused', null],
      ['queued', 'paused', null],
      over,
    ]);
    expect(await reasons({ stopMode: 'finish' })).toEqual([
      ['queued', 'stopped', null],
      ['queued', 'stopped', null],
      ['queued', 'stopped', null],
      over,
    ]);
    expect(await reasons({ state: 'created' })).toEqual([capped, retry, ['queued', null, null], over]);
    // The weekday before yesterday: closed today and tomorrow, in every zone.
    const day = (new Date().getUTCDay() + 4) % 7;
    const closed = await reasons({
      settings: {
        retry_config: null,
        max_concurrency: null,
        schedule_config: {
          timezone: 'UTC',
          slots: [{ day_of_week: day, start_time: '09:00', end_time: '10:00' }],
        },
        circuit_breaker: null,
        rules: null,
      },
    });
    expect(closed[2]).toEqual(['queued', 'outside_window', expect.stringMatching(/T09:00:00\.000000Z$/)]);
  });

  test('of a failed campaign say so, whatever they waited for, even those that were never read', async () => {
    const targets: Target[] = [
      { rowNumber: 1 },
      { rowNumber: 2, state: 'waiting', dueAt: new Date(Date.now() + 3_600_000), waitReason: 'retry' },
      { rowNumber: 3, state: 'processed', outcome: 'reached' },
    ];
    const directory = await insertDirectory(database.db, organizationId, { rows: 4 });
    const { id } = await insertCampaign(database.db, directory, {
      agentId,
      targets,
      state: 'failed',
      plannedAt: null,
    });
    const rows = listOf(at(await read(`/campaign/${id}/rows`), 'rows'));
    expect(rows.map((row) => [at(row, 'state'), at(row, 'reason'), at(row, 'due_at')])).toEqual([
      ['queued', 'campaign_failed', null],
      ['queued', 'campaign_failed', null],
      ['processed', null, null],
    ]);
    expect(await read(`/campaign/${id}/rows/4`)).toMatchObject({
      state: 'queued',
      reason: 'campaign_failed',
    });
  });

  // guarantee: row-filter-matches-shown-reasons
  test('the filter finds exactly the rows that show a reason, wherever it comes from, and the progress counts those that wait; an unknown reason is a fault that lists the known ones', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const targets: Target[] = [
      { rowNumber: 1, state: 'waiting', dueAt: later, waitReason: 'capped' },
      { rowNumber: 2, state: 'waiting', dueAt: later },
      {
        rowNumber: 3,
        state: 'waiting',
        dueAt: new Date(Date.now() - 1000),
        waitReason: 'retry',
        zoneKey: 'Europe/Berlin',
      },
      { rowNumber: 4 },
      { rowNumber: 5, zoneKey: 'Asia/Tokyo' },
      { rowNumber: 6, state: 'failed', waitReason: 'window_never_opens', outcome: 'busy' },
      { rowNumber: 7, state: 'processed', outcome: 'reached' },
      { rowNumber: 8, state: 'processing' },
    ];
    const day = (new Date().getUTCDay() + 2) % 7;
    const closed = {
      retry_config: null,
      max_concurrency: null,
      schedule_config: {
        timezone: 'UTC',
        slots: [{ day_of_week: day, start_time: '09:00', end_time: '10:00' }],
      },
      circuit_breaker: null,
      rules: null,
    };
    const someZones = {
      ...closed,
      schedule_config: {
        timezone: 'UTC',
        slots: [0, 1, 2, 3, 4, 5, 6].map((each) => ({
          day_of_week: each,
          start_time: `${String((new Date().getUTCHours() + 23) % 24).padStart(2, '0')}:00`,
          end_time: '23:59',
        })),
      },
      rules: { window_zone: 'contact' as const },
    };
    for (const changes of [
      { waitReason: 'carrier_down' },
      { waitReason: null },
      { state: 'paused' },
      { state: 'paused', waitReason: 'breaker' },
      { stopMode: 'finish' },
      { state: 'created' },
      { state: 'completed' },
      { state: 'failed' },
      { settings: closed },
      { settings: someZones, waitReason: 'no_line' },
    ] satisfies Partial<CampaignRow>[]) {
      const { id } = await campaignOf(targets, changes);
      const shown = listOf(at(await read(`/campaign/${id}/rows?limit=100`), 'rows')).map((row) => ({
        row: at(row, 'row'),
        state: at(row, 'state'),
        reason: at(row, 'reason'),
        dueAt: at(row, 'due_at'),
      }));
      expect(shown).toHaveLength(8);
      const waiting = shown.filter((each) => each.state === 'queued' && each.reason !== null);
      expect({ changes, reasons: at(await read(`/campaign/${id}/progress`), 'reasons') }).toEqual({
        changes,
        reasons: Object.fromEntries(
          [...Map.groupBy(waiting, (each) => each.reason)].map(([reason, rows]) => {
            const ends = rows.flatMap(({ dueAt }) => (typeof dueAt === 'string' ? [dueAt] : []));
            return [reason, { rows: rows.length, next_at: ends.toSorted()[0] ?? null }];
          }),
        ),
      });
      for (const reason of waitReasons) {
        const found = listOf(at(await read(`/campaign/${id}/rows?limit=100&reason=${reason}`), 'rows')).map(
          (row) => at(row, 'row'),
        );
        expect({ changes, reason, found }).toEqual({
          changes,
          reason,
          found: shown.filter((each) => each.reason === reason).map(({ row }) => row),
        });
      }
    }
    const { id } = await campaignOf(targets);
    expect(await api.ask(key, 'GET', `/campaign/${id}/rows?reason=tired`)).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['query', 'reason'],
            type: 'literal_error',
            msg: expect.stringContaining("'line_in_doubt'"),
          },
        ],
      },
    });
    expect([...rowReasons].toSorted()).toEqual([...waitReasons].toSorted());
  });

  test('are listed by state and reason, page by page in the order of the file', async () => {
    const { id } = await campaignOf(
      Array.from({ length: 7 }, (_each, index): Target => ({
        rowNumber: index + 1,
        ...(index % 2 === 0 ? { state: 'waiting', waitReason: 'retry', dueAt: new Date('2099-01-01') } : {}),
      })),
    );
    const rowsOf = (page: unknown) => listOf(at(page, 'rows')).map((row) => at(row, 'row'));
    const first = await read(`/campaign/${id}/rows?limit=3&state=queued`);
    expect([rowsOf(first), at(first, 'next_after')]).toEqual([[1, 2, 3], 3]);
    const last = await read(`/campaign/${id}/rows?limit=4&state=queued&after=3`);
    expect([rowsOf(last), at(last, 'next_after')]).toEqual([[4, 5, 6, 7], null]);
    expect(rowsOf(await read(`/campaign/${id}/rows?reason=retry`))).toEqual([1, 3, 5, 7]);
    expect(rowsOf(await read(`/campaign/${id}/rows?state=failed`))).toEqual([]);
  });

  test('are listed by the outcome of their last attempt and by the first digits of their number, which needs people:read', async () => {
    const { id } = await campaignOf([
      { rowNumber: 1, phone: '4915112345678', state: 'failed', outcome: 'busy' },
      {
        rowNumber: 2,
        phone: '4915112399999',
        state: 'waiting',
        outcome: 'busy',
        dueAt: new Date('2099-01-01'),
      },
      { rowNumber: 3, phone: '4915112300000' },
      { rowNumber: 4, phone: '12025550104', state: 'processed', outcome: 'reached' },
    ]);
    const other = await campaignOf([{ rowNumber: 1, phone: '4915112345678', outcome: 'busy' }]);
    const rowsOf = async (query: string, of = id) =>
      listOf(at(await read(`/campaign/${of}/rows?${query}`), 'rows')).map((row) => at(row, 'row'));
    expect(await rowsOf('outcome=busy')).toEqual([1, 2]);
    expect(await rowsOf('outcome=busy&state=failed')).toEqual([1]);
    expect(await rowsOf(`number=${encodeURIComponent('+49 (151) 123')}`)).toEqual([1, 2, 3]);
    expect(await rowsOf('number=4915112345678&outcome=reached')).toEqual([]);
    expect(await rowsOf('number=15112345678')).toEqual([]);
    expect(await rowsOf('number=4915112345678', other.id)).toEqual([1]);
    for (const [wrong, path] of [
      ['outcome=tired', 'outcome'],
      ['number=%25', 'number'],
    ] as const)
      expect(await api.ask(key, 'GET', `/campaign/${id}/rows?${wrong}`)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query', path] }] },
      });
    const { body } = await api.ask(key, 'POST', '/user/api-keys', { name: 'no people', scopes: ['read'] });
    const blind = String(at(body, 'api_key'));
    expect(await api.ask(blind, 'GET', `/campaign/${id}/rows?number=4915`)).toMatchObject({
      status: 403,
      body: { detail: '`number` needs the scope people:read' },
    });
    expect((await api.ask(blind, 'GET', `/campaign/${id}/rows?outcome=busy`)).status).toBe(200);
    expect([...rowOutcomes].toSorted()).toEqual([...targetOutcomes].toSorted());
  });

  test('progress says how many wait for which hours, by the clock that they follow, and how many were dialed in the last minute', async () => {
    const day = (new Date().getUTCDay() + 2) % 7;
    const settings = (rules: CampaignRow['settings']['rules']) => ({
      retry_config: null,
      max_concurrency: null,
      schedule_config: {
        timezone: 'UTC',
        slots: [{ day_of_week: day, start_time: '09:00', end_time: '10:00' }],
      },
      circuit_breaker: null,
      rules,
    });
    const targets: Target[] = [
      { rowNumber: 1, zoneKey: 'America/Chicago' },
      { rowNumber: 2, zoneKey: 'America/Chicago' },
      { rowNumber: 3, zoneKey: 'Asia/Tokyo' },
      { rowNumber: 4, state: 'waiting', waitReason: 'retry', dueAt: new Date('2099-01-01') },
    ];
    const byContact = await campaignOf(targets, { settings: settings({ window_zone: 'contact' }) });
    expect(at(await read(`/campaign/${byContact.id}/progress`), 'closed_zones')).toMatchObject([
      { time_zones: ['America/Chicago'], rows: 2, opens_at: expect.any(String) },
      { time_zones: ['Asia/Tokyo'], rows: 1, opens_at: expect.any(String) },
    ]);
    const byCampaign = await campaignOf(targets, { settings: settings(null) });
    expect(at(await read(`/campaign/${byCampaign.id}/progress`), 'closed_zones')).toMatchObject([
      { time_zones: ['UTC'], rows: 3 },
    ]);
    const [first, second, third] = await calls({}, {}, {});
    const [now, old] = [new Date(), new Date(Date.now() - 3_600_000)];
    await attempt(byContact, { attemptNumber: 1, callId: first ?? 0, begunAt: now });
    await attempt(byContact, { attemptNumber: 2, callId: second ?? 0, begunAt: now, settledAt: now });
    await attempt(byContact, { attemptNumber: 3, callId: third ?? 0, begunAt: old, settledAt: old });
    expect(at(await read(`/campaign/${byContact.id}/progress`), 'dials_last_minute')).toBe(2);
  });

  test('one row has its values and every attempt with its call; a row that is left out has its findings', async () => {
    const [first, second] = await calls(
      { name: 'WR-CAMPAIGN-1-1', disposition: 'no-answer' },
      { name: 'WR-CAMPAIGN-1-1', durationSeconds: 12.4, disposition: 'user_qualified' },
    );
    const directory = await insertDirectory(database.db, organizationId);
    await insertContact(database.db, directory, {
      rowNumber: 2,
      state: 'invalid',
      phone: null,
      cells: ['12', 'Bob'],
      findings: [{ code: 'phone_invalid', level: 'error', column: 'phone_number' }],
    });
    const campaign = await insertCampaign(database.db, directory, {
      agentId,
      state: 'running',
      targets: [
        {
          rowNumber: 1,
          state: 'processed',
          outcome: 'reached',
          spentAttempts: 2,
          attempts: 2,
          callId: second ?? null,
        },
      ],
    });
    await attempt(campaign, {
      attemptNumber: 1,
      callId: first ?? 0,
      outcome: 'no_answer',
      isSpent: true,
      settledAt: new Date('2026-11-21T10:01:00Z'),
    });
    await attempt(campaign, {
      attemptNumber: 2,
      callId: second ?? 0,
      because: 'no_answer',
      outcome: 'reached',
      isSpent: true,
    });
    expect(await read(`/campaign/${campaign.id}/rows/1`)).toMatchObject({
      row: 1,
      state: 'processed',
      spent_attempts: 2,
      outcome: 'reached',
      workflow_run_id: second,
      values: { phone_number: '12025551001', first_name: 'Ada 1' },
      findings: [],
      history: [
        {
          attempt: 1,
          workflow_run_id: first,
          because: null,
          outcome: 'no_answer',
          is_spent: true,
          settled_at: '2026-11-21T10:01:00.000000Z',
          disposition: 'no-answer',
        },
        {
          attempt: 2,
          workflow_run_id: second,
          because: 'no_answer',
          outcome: 'reached',
          call_duration_seconds: 12,
        },
      ],
    });
    expect(await read(`/campaign/${campaign.id}/rows/2`)).toMatchObject({
      row: 2,
      state: 'left_out',
      reason: 'invalid',
      phone_number: null,
      values: { first_name: 'Bob' },
      findings: [{ code: 'phone_invalid', message: expect.any(String), suggestion: expect.any(String) }],
      history: [],
    });
    expect(await api.ask(key, 'GET', `/campaign/${campaign.id}/rows/3`)).toMatchObject({
      status: 404,
      body: { detail: 'The campaign has no row 3' },
    });
  });

  describe('redialing (contract 11.7)', () => {
    const over = async () => {
      const ids = await calls(
        { tags: ['voicemail_detected'] },
        { tags: ['not_connected', 'telephony_no-answer'] },
        { tags: ['not_connected', 'telephony_busy'] },
        { tags: ['user_qualified'] },
        { tags: ['telephony_busy'] },
      );
      const targets = ids.map((callId, index): Target => ({
        rowNumber: index + 1,
        state: index === 3 ? 'processed' : 'failed',
        outcome: 'busy',
        spentAttempts: 3,
        attempts: 3,
        callId,
        zoneKey: '+1202',
      }));
      return await campaignOf(targets, {
        state: 'completed',
        name: 'Spring',
        settings: {
          retry_config: { max_retries: 4 },
          max_concurrency: 2,
          schedule_config: null,
          circuit_breaker: null,
          rules: null,
        },
      });
    };

    test('queues each row once by its last call, for the chosen reasons, and starts it anew; the settings stay', async () => {
      const parent = await over();
      const { status, body } = await api.ask(key, 'POST', `/campaign/${parent.id}/redial`, {
        retry_on_no_answer: false,
      });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          name: 'Spring (Redial)',
          state: 'created',
          parent_campaign_id: parent.id,
          total_rows: 3,
          total_queued_count: 3,
          executed_count: 0,
          max_concurrency: 2,
          retry_config: expect.objectContaining({ max_retries: 4 }),
        }),
      ]);
      const rows = listOf(at(await read(`/campaign/${idAt(body, 'id')}/rows`), 'rows'));
      expect(
        rows.map((row) => [
          at(row, 'row'),
          at(row, 'state'),
          at(row, 'spent_attempts'),
          at(row, 'attempts'),
          at(row, 'outcome'),
          at(row, 'workflow_run_id'),
        ]),
      ).toEqual([1, 3, 5].map((row) => [row, 'queued', 0, 0, null, null]));
      expect(await read(`/campaign/${parent.id}`)).toMatchObject({
        redialed_campaign_id: at(body, 'id'),
        state: 'completed',
      });
    });

    test('chooses by the outcomes of the last calls, even rows without a call, instead of by reasons', async () => {
      const ids = await calls(...Array.from({ length: 6 }, () => ({ tags: ['telephony_busy'] })));
      const parent = await campaignOf(
        (['declined', 'busy', 'canceled', 'opted_out', 'reached', 'unknown'] as const).map(
          (outcome, index): Target => ({
            rowNumber: index + 1,
            state: outcome === 'reached' ? 'processed' : 'failed',
            outcome,
            callId: outcome === 'canceled' ? null : (ids[index] ?? null),
          }),
        ),
        { state: 'completed' },
      );
      const { body } = await api.ask(key, 'POST', `/campaign/${parent.id}/redial`, {
        retry_on_busy: false,
        retry_on_no_answer: false,
        retry_on_voicemail: false,
        outcomes: ['canceled', 'declined', 'unknown'],
      });
      expect(
        listOf(at(await read(`/campaign/${idAt(body, 'id')}/rows`), 'rows')).map((row) => [
          at(row, 'row'),
          at(row, 'state'),
        ]),
      ).toEqual([1, 3, 6].map((row) => [row, 'queued']));
    });

    // guarantee: redial-excludes-final-outcomes
    test('never repeats calls after outcomes that forbid it: they cannot be chosen', async () => {
      const parent = await over();
      for (const outcome of ['opted_out', 'wrong_number', 'invalid_number', 'suppressed']) {
        expect(
          await api.ask(key, 'POST', `/campaign/${parent.id}/redial`, { outcomes: ['busy', outcome] }),
        ).toMatchObject({
          status: 422,
          body: { detail: [{ type: 'literal_error', loc: ['body', 'outcomes', 1] }] },
        });
      }
      expect(listOf(at(await read('/campaign/'), 'campaigns')).length).toBe(1);
    });

    // guarantee: campaign-redialed-once
    test('happens once, even for concurrent requests', async () => {
      const parent = await over();
      const answers = await Promise.all(
        [1, 2, 3].map(() => api.ask(key, 'POST', `/campaign/${parent.id}/redial`, {})),
      );
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200, 400, 400,
      ]);
      expect(listOf(at(await read('/campaign/'), 'campaigns')).length).toBe(2);
    });

    test('is refused without a row to call and without a reason, and creates nothing', async () => {
      const [callId] = await calls({ tags: ['user_qualified'] });
      const { id } = await campaignOf([{ rowNumber: 1, state: 'processed', callId: callId ?? null }], {
        state: 'completed',
      });
      expect(await api.ask(key, 'POST', `/campaign/${id}/redial`, {})).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('No row to redial') },
      });
      expect(
        await api.ask(key, 'POST', `/campaign/${id}/redial`, {
          retry_on_busy: false,
          retry_on_no_answer: false,
          retry_on_voicemail: false,
        }),
      ).toMatchObject({ status: 422, body: { detail: [{ type: 'value_error', loc: ['body'] }] } });
      expect(listOf(at(await read('/campaign/'), 'campaigns')).length).toBe(1);
    });
  });

  test('has calls of its own in lists, filters and the report', async () => {
    const campaign = await campaignOf([]);
    const [mine] = await calls(
      { campaignId: campaign.id, initialContext: { phone_number: '12025551001' }, disposition: 'busy' },
      { disposition: 'user_hangup' },
    );
    expect(await read(`/campaign/${campaign.id}/runs?limit=8`)).toMatchObject({
      total_count: 1,
      total_pages: 1,
      page: 1,
      limit: 8,
      runs: [{ id: mine, campaign_id: campaign.id, phone_number: '12025551001', disposition: 'busy' }],
    });
    expect(await api.ask(key, 'GET', '/campaign/799999999/runs')).toMatchObject({
      status: 404,
      body: { detail: 'Campaign 799999999 not found' },
    });
    const filter = encodeURIComponent(
      JSON.stringify([{ attribute: 'campaignId', type: 'number', value: { value: campaign.id } }]),
    );
    expect(await read(`/organizations/usage/runs?filters=${filter}`)).toMatchObject({
      total_count: 1,
      runs: [{ id: mine }],
    });
    const report = await api.ask(key, 'GET', `/campaign/${campaign.id}/report`);
    expect(report.headers.get('content-disposition')).toBe(
      `attachment; filename="campaign_${campaign.id}_report.csv"`,
    );
    const [header, line, ...rest] = String(report.body).split('\r\n');
    expect([
      header?.startsWith('Run ID,Campaign ID,Agent ID,'),
      line?.startsWith(`${mine},${campaign.id},${agentId},`),
      rest,
    ]).toEqual([true, true, ['']]);
  });

  describe('exports', () => {
    const exported = async () => {
      const [callId] = await calls({ disposition: 'user_qualified', durationSeconds: 12 });
      const directory = await insertDirectory(database.db, organizationId, {
        rows: 0,
        columns: ['phone_number', 'note'],
      });
      await insertContact(database.db, directory, {
        rowNumber: 1,
        cells: ['12025551001', '=HYPERLINK("http://evil")'],
      });
      await insertContact(database.db, directory, { rowNumber: 2, cells: ['12025551002', '@SUM(A1)'] });
      await insertContact(database.db, directory, {
        rowNumber: 3,
        state: 'duplicate',
        cells: ['12025551001', 'twice'],
        findings: [{ code: 'duplicate', level: 'error', column: 'phone_number', otherRow: 1 }],
      });
      const { id } = await insertCampaign(database.db, directory, {
        agentId,
        state: 'running',
        targets: [
          {
            rowNumber: 1,
            state: 'processed',
            outcome: 'reached',
            spentAttempts: 1,
            attempts: 1,
            callId: callId ?? null,
          },
          { rowNumber: 2, state: 'failed', outcome: 'busy' },
        ],
      });
      return { id, callId };
    };

    test('as CSV have every row with its own columns, and no cell that a spreadsheet would execute', async () => {
      const { id, callId } = await exported();
      const answer = await api.ask(key, 'GET', `/campaign/${id}/export`);
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="campaign_${id}_results.csv"`,
      );
      expect(String(answer.body).split('\r\n')).toEqual([
        'Row,Phone Number,Customer ID,State,Outcome,Reason,Due At,Spent Attempts,Attempts,Run ID,Call Disposition,Call Duration (s),Settled At,Transcript URL,Recording URL,phone_number,note',
        `1,12025551001,,processed,reached,,,1,1,${callId},user_qualified,12,,,,12025551001,"'=HYPERLINK(""http://evil"")"`,
        `2,12025551002,,failed,busy,,,0,0,,,,,,,12025551002,'@SUM(A1)`,
        '3,12025551003,,left_out,,duplicate,,,,,,,,,,12025551001,twice',
        '',
      ]);
    });

    /** Every CSV that is not a customer’s file, with its first words. */
    const everyCsv = (id: number): [path: string, words: string][] => {
      const ofRoutes: Partial<Record<RouteName, [path: string, words: string]>> = {
        exportCampaign: [`/campaign/${id}/export`, 'Row,'],
        downloadCampaignReport: [`/campaign/${id}/report`, 'Run ID,'],
        downloadWorkflowReport: [`/workflow/${agentId}/report`, 'Run ID,'],
        downloadUsageReport: ['/organizations/usage/runs/report', 'Run ID,'],
        exportSuppressions: ['/suppressions/export', 'phone_number,'],
      };
      const csvRoutes = Object.entries<Route>(routes).filter(
        ([, { answers }]) => answers[200]?.mediaType === 'text/csv',
      );
      expect(Object.keys(ofRoutes)).toEqual(expect.arrayContaining(csvRoutes.map(([name]) => name)));
      return [...Object.values(ofRoutes), [`/campaign/${id}/export?kind=errors`, 'Row,']];
    };

    // guarantee: csv-begins-with-its-mark
    test('as CSV, and every other CSV that is not a customer’s file, begin with a byte-order mark', async () => {
      const { id } = await exported();
      for (const [path, words] of everyCsv(id)) {
        const answer = await fetch(`${api.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
        const text = Buffer.from(await answer.arrayBuffer()).toString();
        expect(text.slice(0, words.length + 1)).toBe(`\uFEFF${words}`);
      }
    });

    test('as CSV, and every other CSV that is not a customer’s file, have no cell that a spreadsheet would execute', async () => {
      const directory = await insertDirectory(database.db, organizationId, {
        rows: 0,
        columns: ['phone_number', 'note'],
      });
      await insertContact(database.db, directory, { rowNumber: 1, cells: ['12025551001', '=1+1'] });
      const { id } = await insertCampaign(database.db, directory, {
        agentId,
        state: 'running',
        targets: [{ rowNumber: 1, state: 'failed', outcome: 'busy' }],
      });
      await calls({ campaignId: id, disposition: '=1+1' });
      await api.ask(key, 'POST', '/suppressions', { phone_numbers: ['+12025551002'], reason: '=1+1' });
      const cellsOf = async (path: string) =>
        String(await read(path))
          .split(/[,\r\n]+/)
          .filter((cell) => cell.includes('1+1'));
      const paths = everyCsv(id).map(([path]) => path);
      expect(await Promise.all(paths.map(async (path) => [path, await cellsOf(path)]))).toEqual(
        paths.map((path) => [path, [`'=1+1`]]),
      );
    });

    test('of errors have only the rows that are left out or failed, with the reason', async () => {
      const { id } = await exported();
      const [header, ...lines] = String(await read(`/campaign/${id}/export?kind=errors`)).split('\r\n');
      expect(header).toBe(
        'Row,Phone Number,Customer ID,State,Code,Column,Message,Suggestion,phone_number,note',
      );
      expect(lines.map((line) => line.split(',').slice(0, 6))).toEqual([
        ['2', '12025551002', '', 'failed', 'busy', ''],
        ['3', '12025551003', '', 'left_out', 'duplicate', 'phone_number'],
        [''],
      ]);
    });

    test('of errors give the reason even for rows without a call: hours that never open', async () => {
      const directory = await insertDirectory(database.db, organizationId, { rows: 2 });
      const { id } = await insertCampaign(database.db, directory, {
        agentId,
        state: 'running',
        targets: [
          { rowNumber: 1, state: 'failed', waitReason: 'window_never_opens' },
          { rowNumber: 2, state: 'failed', waitReason: 'window_never_opens', outcome: 'busy' },
        ],
      });
      const [, ...lines] = String(await read(`/campaign/${id}/export?kind=errors`)).split('\r\n');
      const why = 'window_never_opens,,The calling hours for this contact do not open within 31 days';
      expect(lines).toEqual([
        expect.stringContaining(`,failed,${why},`),
        expect.stringContaining(`,failed,${why},`),
        '',
      ]);
    });

    test('as a workbook have only texts: no cell is a formula', async () => {
      const { id } = await exported();
      const answer = await fetch(`${api.url}/api/v1/campaign/${id}/export?format=xlsx`, {
        headers: { 'x-api-key': key },
      });
      expect(answer.headers.get('content-type')).toBe(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      );
      const book = new ExcelJS.Workbook();
      await book.xlsx.load(await answer.arrayBuffer());
      const cells: unknown[][] = [];
      book.worksheets[0]?.eachRow((row) => cells.push(listOf(row.values)));
      expect(cells.length).toBe(4);
      expect(cells[1]?.at(-1)).toBe('=HYPERLINK("http://evil")');
      expect(cells.flat().filter((cell) => cell !== undefined && typeof cell !== 'string')).toEqual([]);
    });
  });
});

import { expect, test } from '@jest/globals';
import {
  dayOf,
  failureFilters,
  failuresOf,
  faultDispositions,
  hourFilters,
  hoursOf,
  latenciesOf,
  needsOf,
  niceTop,
  openCampaigns,
  outcomesOf,
} from '../../../console/src/screens/home/figures.ts';
import { apiFilters, parseFilters } from '../../../console/src/screens/calls/filters.ts';

type Needs = NonNullable<Parameters<typeof needsOf>[0]>;
type Agent = NonNullable<Needs['agents']>[number];
type Run = Parameters<typeof hoursOf>[0][number];
type Figures = Parameters<typeof outcomesOf>[0];
type Failed = Parameters<typeof failuresOf>[0][number];

const now = new Date('2026-11-23T12:00:00Z');

const agent = (id: number, fields: Partial<Agent> = {}): Agent => ({
  id,
  name: `Agent ${id}`,
  status: 'active',
  workflow_uuid: 'u',
  created_at: '2026-11-01T00:00:00Z',
  folder: null,
  published: { version_number: 1, at: '2026-11-01T00:00:00Z' },
  draft: null,
  problems: 0,
  own_models: [],
  used_by: { campaigns: [], phone_numbers: [], trigger_paths: [] },
  last_7_days: { calls: 0, outcomes: [], latency_p95_ms: null },
  changed_at: '2026-11-01T00:00:00Z',
  changed_by: null,
  outline: { nodes: [], edges: [] },
  ...fields,
});
const draft = (at: string) => ({ version_number: 2, at, changes: 3 });

test('nothing is needed of an organization without trouble', () => {
  expect(needsOf({ agents: [agent(1)], now })).toEqual([]);
});

test('a stop of dialing comes first, then endpoints, connections that are off, tripped campaigns, failed calls, results that were not delivered, unsigned connections, and drafts of more than a week, oldest first', () => {
  const needs = needsOf({
    dialing: {
      is_stopped: true,
      stopped_at: '2026-11-23T11:00:00Z',
      stopped_by: 1,
      operator_stopped_at: null,
    },
    endpoints: [
      {
        id: 'e',
        workflow_id: 1,
        workflow_name: 'A',
        node_id: 'n',
        node_name: 'CRM',
        address: 'hooks.example.com/a',
        is_published: true,
        state: 'off',
        failing_since: null,
        switched_off_at: '2026-11-23T10:00:00Z',
        delivery_id: 'd',
        waiting: 0,
        next_attempt_at: null,
        last_attempt_at: null,
        median_answer_ms: null,
        attempts: [],
      },
    ],
    connections: [
      { id: 1, name: 'Main line', inactive: true, inactive_since: '2026-11-22T10:00:00Z' },
      { id: 2, name: 'Spare line', inactive: false, inactive_since: null },
    ],
    campaigns: [
      { id: 1, name: 'Spring', state: 'paused', stop_mode: null, wait_reason: 'breaker' },
      { id: 2, name: 'Autumn', state: 'paused', stop_mode: null, wait_reason: null },
    ],
    failures: [
      { disposition: 'pipeline_error', calls: 6, at: '2026-11-23T11:58:00Z', said: 'too many requests' },
    ],
    deadLetters: { count: 4, isMore: false },
    warnings: { telnyx_missing_webhook_public_key_count: 0, vonage_missing_signature_secret_count: 2 },
    agents: [
      agent(1, { draft: draft('2026-11-12T00:00:00Z') }),
      agent(2, { draft: draft('2026-11-20T00:00:00Z') }),
      agent(3, { draft: draft('2026-11-02T00:00:00Z') }),
      agent(4, { draft: draft('2026-11-02T00:00:00Z'), published: null }),
    ],
    now,
  });
  expect(needs.map((need) => [need.kind, need.is, 'agentId' in need ? need.agentId : null])).toEqual([
    ['dialing', 'bad', null],
    ['endpoint', 'bad', 1],
    ['blocked', 'bad', null],
    ['tripped', 'bad', null],
    ['failed', 'bad', null],
    ['deadLetters', 'bad', null],
    ['unsigned', 'warn', null],
    ['draft', 'warn', 3],
    ['draft', 'warn', 1],
  ]);
  expect(needs[1]).toMatchObject({ host: 'hooks.example.com/a' });
});

test('hours and days are those of the time zone', () => {
  const run = (at: string, disposition: string): Run => ({
    phone_number: '',
    disposition,
    duration_seconds: 1,
    workflow_id: 1,
    run_id: 1,
    workflow_name: 'A',
    created_at: at,
  });
  const hours = hoursOf(
    [
      run('2026-11-23T14:10:00Z', 'confirmed'),
      run('2026-11-23T14:50:00Z', 'no-answer'),
      run('2026-11-23T05:00:00Z', 'x'),
    ],
    'America/New_York',
  );
  expect(hours[9]).toEqual({ reached: 1, notReached: 1 });
  expect(hours[0]).toEqual({ reached: 1, notReached: 0 });
  expect(dayOf(new Date('2026-11-23T02:00:00Z'), 'America/New_York')).toBe('2026-11-22');
  expect(dayOf(new Date('2026-03-01T12:00:00Z'), 'UTC', 1)).toBe('2026-02-28');
});

test('a scale of calls ends at a round number, and so does its half', () => {
  expect([0, 1, 4, 5, 7, 19, 21, 61, 150, 990].map(niceTop)).toEqual([4, 4, 4, 6, 8, 20, 40, 80, 200, 1000]);
});

test('outcomes are compared with the day before, which may have had none', () => {
  const figures = (...dispositions: Figures['dispositions']): Figures => ({ dispositions });
  const [confirmed, busy] = [
    { disposition: 'confirmed', calls: 4 },
    { disposition: 'busy', calls: 5 },
  ];
  const today = figures(confirmed, { ...busy, calls: 1 });
  expect(outcomesOf(today, figures(confirmed, busy)).map(({ change }) => change)).toEqual([36, -36]);
  expect(outcomesOf(today, figures(busy))[0]?.change).toBe(80);
  expect(outcomesOf(today, undefined)[0]).toEqual({
    disposition: 'confirmed',
    codes: ['confirmed'],
    calls: 4,
    change: null,
  });
});

test('the less frequent outcomes name their codes as soon as the calls of the day are known, unless one has their name', () => {
  const today: Figures = {
    dispositions: [
      { disposition: 'confirmed', calls: 4 },
      { disposition: 'Other', calls: 3 },
    ],
  };
  const runs = ['confirmed', 'busy', '', 'moved', 'busy'].map((disposition) => ({ disposition }));
  expect(outcomesOf(today, undefined, runs)[1]).toMatchObject({
    disposition: null,
    codes: ['busy', 'moved'],
  });
  expect(outcomesOf(today, undefined)[1]).toMatchObject({ disposition: 'Other', codes: [] });
});

test('failures are grouped by their outcome with the fault that most of them name; too many are only counted', () => {
  const failed = (disposition: string, minute: number, error?: string): Failed => ({
    disposition,
    created_at: `2026-11-23T11:${minute}:00Z`,
    gathered_context: error === undefined ? null : { error },
  });
  const runs = [
    failed('system_connect_error', 58),
    failed('pipeline_error', 57, 'too many requests'),
    failed('pipeline_error', 22, 'timed out'),
    failed('pipeline_error', 30, 'too many requests'),
  ];
  expect(failuresOf(runs, 4)).toEqual([
    { disposition: 'pipeline_error', calls: 3, at: '2026-11-23T11:57:00Z', said: 'too many requests' },
    { disposition: 'system_connect_error', calls: 1, at: '2026-11-23T11:58:00Z', said: null },
  ]);
  expect(failuresOf(runs, 140)).toEqual([
    { disposition: null, calls: 140, at: '2026-11-23T11:58:00Z', said: null },
  ]);
  expect(failuresOf([], 0)).toEqual([]);
});

test('a link to failures and to an hour leads to the calls from and to its very minutes', () => {
  const asked = (q: string): unknown => {
    const { filters, faults } = parseFilters(q);
    expect(faults).toEqual([]);
    return JSON.parse(apiFilters(filters, { agents: [], now }).text ?? '');
  };
  const since = new Date('2026-11-23T11:04:00Z');
  expect(asked(failureFilters(since, null))).toMatchObject([
    { attribute: 'dispositionCode', value: { codes: faultDispositions } },
    { attribute: 'dateRange', value: { from: since.toISOString() } },
  ]);
  expect(asked(failureFilters(since, 'failed'))).toMatchObject([{ value: { codes: ['failed'] } }, {}]);
  expect(asked(hourFilters('2026-11-23', 23, 'America/New_York'))).toEqual([
    {
      attribute: 'dateRange',
      type: 'dateRange',
      value: { from: '2026-11-24T04:00:00.000Z', to: '2026-11-24T04:59:59.999Z' },
    },
  ]);
  // The clocks go back at 2:00.
  expect(asked(hourFilters('2026-11-01', 5, 'America/New_York'))).toMatchObject([
    { value: { from: '2026-11-01T10:00:00.000Z' } },
  ]);
});

test('campaigns that are not over are counted as their list filters them', () => {
  const counts = { running: 2, paused: 1, created: 0, completed: 9, stopped: 3, failed: 0 };
  expect(openCampaigns(counts)).toEqual([
    { state: 'running', count: 2 },
    { state: 'paused', count: 1 },
  ]);
});

test('latencies are those of agents that have spoken, most used first', () => {
  const figures = (calls: number, latency_p95_ms: number | null) => ({ calls, outcomes: [], latency_p95_ms });
  const agents = [
    agent(1, { last_7_days: figures(1, 900) }),
    agent(2, { last_7_days: figures(9, 1100) }),
    agent(3, { last_7_days: figures(20, null) }),
  ];
  expect(latenciesOf(agents).map(({ id, p95Ms }) => [id, p95Ms])).toEqual([
    [2, 1100],
    [1, 900],
  ]);
});

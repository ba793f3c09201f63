import { expect, test } from '@jest/globals';
import {
  dayOf,
  hoursOf,
  latenciesOf,
  needsOf,
  niceTop,
  outcomesOf,
} from '../../../console/src/screens/home/figures.ts';

type Needs = NonNullable<Parameters<typeof needsOf>[0]>;
type Agent = NonNullable<Needs['agents']>[number];
type Run = Parameters<typeof hoursOf>[0][number];
type Report = Parameters<typeof outcomesOf>[0];

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
  expect(needsOf({ agents: [agent(1)], failedCalls: 0, now })).toEqual([]);
});

test('a stop of dialing comes first, then endpoints, connections that are off, tripped campaigns, failed calls, unsigned connections, and drafts of more than a week, oldest first', () => {
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
    failedCalls: 6,
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
  const report = (percentage: number, disposition = 'confirmed'): Report => ({
    date: '2026-11-23',
    timezone: 'UTC',
    workflow_id: null,
    metrics: {
      total_runs: 1,
      completed_runs: 1,
      xfer_count: 0,
      total_duration_seconds: 1,
      average_duration_seconds: 1,
    },
    disposition_distribution: [{ disposition, count: 4, percentage }],
    call_duration_distribution: [],
  });
  expect(outcomesOf(report(60), report(55.6))).toEqual([{ disposition: 'confirmed', calls: 4, change: 4 }]);
  expect(outcomesOf(report(60), report(100, 'busy'))[0]?.change).toBe(60);
  expect(outcomesOf(report(60), undefined)[0]?.change).toBeNull();
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

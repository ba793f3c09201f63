import { expect, test } from '@jest/globals';
import { waitReasons } from '../../../src/domain/campaign/wait-reason.ts';
import { targetOutcomes } from '../../../src/domain/campaign/outcome.ts';
import { defaultPlan } from '../../../src/domain/campaign/retry-plan.ts';
import words from '../../../console/src/locales/en/campaigns.json' with { type: 'json' };
import {
  calledRows,
  partsOf,
  pollMs,
  type Progress,
  remedyOf,
  standingOf,
  truthOf,
  verbsOf,
  waitsOf,
} from '../../../console/src/screens/campaigns/facts.ts';
import {
  groupsOf,
  painted,
  readTime,
  sameOn,
  slotsOf,
  weekOf,
} from '../../../console/src/screens/campaigns/hours.ts';
import { askEveryMs } from '../../../console/src/app/session-poll.ts';
import { checksOf, type Known } from '../../../console/src/screens/campaigns/launch.ts';
import { campaignSearch, rowReasons } from '../../../console/src/screens/campaigns/search.ts';
import {
  breakerOf,
  changesOf,
  merged,
  newSettings,
  placeRefusal,
  readWaits,
  rulesOf,
  settingsOf,
  updateOf,
  usualPlan,
  waitsText,
} from '../../../console/src/screens/campaigns/settings.ts';

const progress = (fields: Partial<Progress> = {}): Progress => ({
  campaign_id: 1,
  state: 'running',
  total_rows: 20,
  processed_rows: 6,
  failed_calls: 1,
  progress_percentage: 35,
  source_sync: { status: 'completed', last_synced_at: null, error: null },
  rate_limit: 1,
  started_at: '2026-11-24T09:00:00Z',
  completed_at: null,
  rows: { queued: 4, waiting: 5, processing: 3, processed: 6, failed: 1, left_out: 1 },
  outcomes: { reached: 3, callback: 1, no_answer: 2, invalid_number: 1 },
  reasons: {},
  closed_zones: [],
  dials_last_minute: 0,
  stop_mode: null,
  wait_reason: null,
  wait_until: null,
  estimated_completion_at: null,
  ...fields,
});

test('the parts of the bar add up to the rows that are called', () => {
  const parts = partsOf(progress());
  expect(Object.fromEntries(parts.map(({ part, rows }) => [part, rows]))).toEqual({
    reached: 4,
    calls: 3,
    queued: 4,
    waiting: 5,
    ended: 2,
    failed: 1,
  });
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(calledRows(progress()));
});

test('reached rows are never more than finished ones, also if a count is a second older', () => {
  const parts = partsOf(progress({ outcomes: { reached: 9 } }));
  expect(parts.find(({ part }) => part === 'ended')?.rows).toBe(0);
});

test('the truth of a running campaign names the calls, the reason with its end, and who is left', () => {
  const said = truthOf(progress({ wait_reason: 'outside_window', wait_until: '2026-11-25T09:00:00Z' }));
  expect(said).toEqual([
    { id: 'campaigns.truth.calls', values: { calls: 3 } },
    { id: 'campaigns.because.outside_window', until: '2026-11-25T09:00:00Z' },
    { id: 'campaigns.truth.left', values: { queued: 4, waiting: 5, all: 9 } },
  ]);
});

test('the truth names the zones with most rows that wait for their hours, by their own clock', () => {
  const closed = (zone: string, rows: number) => ({
    time_zones: [zone],
    rows,
    opens_at: '2026-11-25T15:00:00Z',
  });
  const said = truthOf(
    progress({
      closed_zones: [
        closed('America/Chicago', 3120),
        closed('America/New_York', 40),
        { ...closed('America/Denver', 2), time_zones: ['America/Denver', 'America/Boise'] },
      ],
    }),
  );
  const until = '2026-11-25T15:00:00Z';
  expect(said.slice(-2)).toEqual([
    {
      id: 'campaigns.truth.zone',
      values: { rows: 3120, others: 0 },
      names: { zone: 'America/Chicago' },
      until,
      zone: 'America/Chicago',
    },
    expect.objectContaining({ names: { zone: 'America/New York' }, zone: 'America/New_York' }),
  ]);
});

test('a campaign that runs does not say that nobody is left while its first rows are read', () => {
  const rows = { queued: 0, waiting: 0, processing: 0, processed: 0, failed: 0, left_out: 0 };
  for (const state of ['syncing', 'running'] as const)
    expect(truthOf(progress({ state, rows, wait_reason: 'rows_are_read' }))).toEqual([
      { id: 'campaigns.because.rows_are_read' },
    ]);
});

test.each([
  [{ state: 'paused', wait_reason: 'breaker' }, 'tripped', ['resume', 'stop', 'change']],
  [{ state: 'paused', wait_reason: 'paused' }, 'paused', ['resume', 'stop', 'change']],
  [{ state: 'running', stop_mode: 'finish' }, 'stopping', []],
  [{ state: 'completed', stop_mode: 'hang_up' }, 'stopped', ['redial']],
  [{ state: 'created' }, 'created', ['start', 'change']],
  [{ state: 'running' }, 'running', ['pause', 'stop', 'change']],
  [{ state: 'failed' }, 'failed', []],
] as const)('%j is %s and offers %j', (fields, standing, verbs) => {
  const campaign = { ...progress(fields), redialed_campaign_id: null };
  expect(standingOf(campaign)).toBe(standing);
  expect(verbsOf(campaign)).toEqual(verbs);
});

test('every reason, outcome and sentence has words', () => {
  const ids = new Set(Object.keys(words));
  const needed = [
    ...waitReasons.flatMap((reason) =>
      ['reason', 'because', 'ends'].map((kind) => `campaigns.${kind}.${reason}`),
    ),
    ...targetOutcomes.map((outcome) => `campaigns.outcome.${outcome}`),
    ...(['created', 'syncing', 'running', 'paused', 'completed', 'failed'] as const).flatMap((state) =>
      ([null, 'finish', 'hang_up'] as const).flatMap((stop) =>
        [null, 0, 5].flatMap((total) =>
          truthOf(progress({ state, stop_mode: stop, total_rows: total })).map(({ id }) => id),
        ),
      ),
    ),
  ];
  expect(needed.filter((id) => !ids.has(id))).toEqual([]);
});

test('rows can be filtered by every reason, and a wrong filter in the address is left out', () => {
  expect([...rowReasons].toSorted()).toEqual([...waitReasons].toSorted());
  expect(campaignSearch({ state: 'queued', reason: 'none', row: '7', outcome: 'DROP' })).toEqual({
    state: 'queued',
    row: 7,
  });
});

test('waits are listed most first, with the rows whose turn is yet to come', () => {
  expect(
    waitsOf(
      progress({
        reasons: {
          capped: { rows: 1, next_at: null },
          retry: { rows: 5, next_at: '2026-11-24T11:00:00Z' },
        },
      }),
    ),
  ).toEqual([
    { reason: 'retry', rows: 5, nextAt: '2026-11-24T11:00:00Z' },
    { reason: 'next', rows: 3, nextAt: null },
    { reason: 'capped', rows: 1, nextAt: null },
  ]);
  expect(remedyOf('outside_window')).toBe('hours');
  expect(remedyOf('callback')).toBeNull();
});

test('progress is read more than once a second only while something may change and the page is seen', () => {
  expect(pollMs(progress(), { isHidden: false })).toBeLessThan(1000);
  expect(pollMs(progress(), { isHidden: true })).toBeGreaterThan(5000);
  const rows = { ...progress().rows, processing: 0 };
  expect(pollMs(progress({ state: 'completed', rows }), { isHidden: false })).toBeGreaterThan(1000);
});

test('hours go to slots and back, and days with the same hours are said together', () => {
  const week = sameOn([0, 1, 2, 5], { from: 540, to: 1440 });
  expect(slotsOf(week)[0]).toEqual({ day_of_week: 0, start_time: '09:00', end_time: '24:00' });
  expect(weekOf(slotsOf(week))).toEqual(week);
  expect(groupsOf(week).map(({ first, last }) => [first, last])).toEqual([
    [0, 2],
    [5, 5],
  ]);
  expect([readTime('9'), readTime('09:30'), readTime('24:00'), readTime('24:30'), readTime('x')]).toEqual([
    540,
    570,
    1440,
    null,
    null,
  ]);
});

test('dragging opens and closes stretches', () => {
  const nine = { from: 540, to: 600 };
  expect(painted([nine], { from: 600, to: 720 }, true)).toEqual([{ from: 540, to: 720 }]);
  expect(painted([{ from: 540, to: 720 }], { from: 600, to: 660 }, false)).toEqual([
    nine,
    { from: 660, to: 720 },
  ]);
});

test('waits are read as people write them and written the same way', () => {
  expect(readWaits('10 min, 2 h')).toEqual([10, 120]);
  expect(readWaits('30s')).toEqual([0.5]);
  expect(waitsText([0.5, 10, 120, 1440])).toBe('30 s, 10 min, 2 h, 1 d');
  expect([readWaits('soon'), readWaits('10 s'), readWaits('31 d'), readWaits('')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('the plan of the form is that of the service', () => {
  for (const [outcome, rule] of Object.entries(usualPlan)) {
    const known = new Map(Object.entries(defaultPlan)).get(outcome);
    expect([outcome, rule]).toEqual([
      outcome,
      {
        retries: known?.maxRetries ?? 0,
        waits: (known?.waitsMs ?? []).map((each) => each / 60_000),
        isNextDay: known?.isNextDay ?? false,
        isOtherPart: known?.isOtherPartOfDay ?? false,
      },
    ]);
  }
});

test('settings become the rules of the API and come back the same', () => {
  const before = newSettings('Europe/Berlin');
  const settings = {
    ...before,
    name: 'Recall',
    lines: 4,
    pace: 2,
    rampLines: 1,
    rampMore: 2,
    plan: { ...usualPlan, busy: { retries: 1, waits: [5], isNextDay: false, isOtherPart: false } },
    caps: { per_hour: 2, per_day: null, per_week: 7 },
    numbers: [7],
    version: 'pinned' as const,
    breaker: { isOn: true, share: 30, calls: 10, seconds: 300 },
  };
  const rules = rulesOf(settings);
  expect(rules).toMatchObject({
    window_zone: 'contact',
    retry_plan: { busy: { waits_seconds: [300], max_retries: 1 } },
    ramp: { lines: 1, each_minute: 2 },
  });
  const back = settingsOf({
    name: 'Recall',
    max_concurrency: 4,
    schedule_config: { enabled: true, timezone: 'Europe/Berlin', slots: slotsOf(settings.week) },
    circuit_breaker: breakerOf(settings),
    rules,
  });
  expect(back).toEqual(settings);
  expect(changesOf(before, settings)).toEqual([
    'name',
    'lines',
    'plan',
    'caps',
    'pace',
    'ramp',
    'numbers',
    'breaker',
  ]);
});

test('a campaign that paused because its hours never open says so', () => {
  expect(
    truthOf(progress({ state: 'paused', wait_reason: 'window_never_opens' })).map(({ id }) => id),
  ).toEqual(['campaigns.truth.paused', 'campaigns.because.window_never_opens', 'campaigns.truth.left']);
});

test('a session is asked for twice in the five seconds within which the page of a removed person stops', () => {
  expect(2 * askEveryMs).toBeLessThanOrEqual(5000);
});

const breaker = { enabled: true, failure_threshold: 0.5, window_seconds: 120, min_calls_in_window: 5 };
const stored = { name: 'A', max_concurrency: 2, schedule_config: null, circuit_breaker: breaker };

test('a change sends only what changed and keeps rules that the form does not show', () => {
  const rules = { opt_out_tool: false, retry_plan: { provider: { waits_seconds: [60], max_retries: 2 } } };
  const before = settingsOf({ ...stored, rules });
  expect(updateOf(before, { ...before, lines: 3 }, rules)).toEqual({ max_concurrency: 3 });
  expect(updateOf(before, { ...before, breaker: { ...before.breaker, isOn: false } }, rules)).toEqual({
    circuit_breaker: { ...breaker, enabled: false },
  });
  expect(updateOf(before, { ...before, pace: 2 }, rules)).toEqual({
    rules: { ...rules, window_zone: 'campaign', agent_version: 'published', starts_per_second: 2 },
  });
});

test('what one person changes is kept over what another stored meanwhile, setting by setting', () => {
  const before = settingsOf({ ...stored, rules: {} });
  const mine = { ...before, pace: 2, lines: 3 };
  const theirs = { ...before, name: 'B', lines: 5 };
  expect(merged(before, { mine, stored: theirs })).toEqual({ ...before, name: 'B', pace: 2, lines: 3 });
});

test('refusals go to the fields that they name', () => {
  expect(
    placeRefusal({
      message: '',
      faults: [
        {
          loc: ['body', 'rules', 'retry_plan', 'busy', 'waits_seconds', 0],
          msg: 'Input should be at least 30',
        },
        { loc: ['body', 'strange'], msg: 'Value error, no' },
      ],
    }),
  ).toEqual({ at: { plan: 'Input should be at least 30' }, rest: ['No'] });
  expect(
    placeRefusal({
      message: "max_concurrency is 9, and the telephony configuration 'A' has 1 active phone number",
      faults: [],
    }).at,
  ).toHaveProperty('lines');
});

test('the check list begins with what keeps the campaign from starting', () => {
  const settings = { ...newSettings('UTC'), lines: 3 };
  const checks = checksOf({
    settings,
    connection: null,
    isDialingStopped: true,
  });
  expect(checks.map(({ is, id }) => [is, id])).toEqual([
    ['bad', 'campaigns.check.noDirectory'],
    ['bad', 'campaigns.check.noAgent'],
    ['bad', 'campaigns.check.noConnection'],
    ['bad', 'campaigns.check.dialingStopped'],
  ]);
  expect(checks.every(({ id }) => id in words)).toBe(true);
});

const ready = {
  directory: {
    id: 3,
    totals: { rows: 12, ok: 10, suppressed: 2 },
  },
  agent: { id: 5, published: { version_number: 2 }, draft: null },
};

test.each([
  ['nothing that could be called twice', { recentlyCalled: 0 }, ['ok notRecent']],
  [
    'contacts of another campaign, with the way to leave them out',
    { recentlyCalled: 3 },
    ['warn recent skipRecent'],
  ],
  [
    'contacts of another campaign that are left out',
    { recentlyCalled: 3, settings: { ...newSettings('UTC'), skipDays: 7 } },
    ['ok skipsRecent'],
  ],
  ['an agent without warnings', { agentWarnings: [] }, ['ok noWarnings']],
  [
    'the warnings of the agent but the opt-out, which the campaign gives',
    {
      agentWarnings: [
        { code: 'opt_out_missing', message: 'No opt-out' },
        ...['a', 'b', 'c', 'd', 'e'].map((message) => ({ code: 'disclosure_missing', message })),
      ],
    },
    ['warn agentWarning', 'warn agentWarning', 'warn agentWarning', 'warn agentWarnings'],
  ],
  ['a webhook that answers', { endpoints: [endpoint('healthy')] }, ['ok endpointHealthy test']],
  ['a webhook that fails', { endpoints: [endpoint('failing')] }, ['warn endpointFails test']],
  ['a webhook that was not tried', { endpoints: [endpoint('unused')] }, ['warn endpointUntried test']],
  ['a webhook that is off', { endpoints: [endpoint('off')] }, ['warn endpointOff']],
  [
    'a webhook whose test succeeded',
    { endpoints: [endpoint('failing')], tested: new Map([['e1', { isReached: true, why: '' }]]) },
    ['ok endpointReached'],
  ],
  [
    'a webhook whose test failed',
    { endpoints: [endpoint('healthy')], tested: new Map([['e1', { isReached: false, why: 'HTTP 500' }]]) },
    ['warn endpointNotReached test'],
  ],
] as const)('the check list shows %s', (_what, known, expected) => {
  const always = ['contacts', 'leftOut', 'published', 'optOut', 'suppressed'];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields that the checks read
  const checks = checksOf({ settings: newSettings('UTC'), ...ready, ...known } as unknown as Known);
  expect(checks.every(({ id }) => id in words)).toBe(true);
  expect(
    checks
      .map(({ is, id, fix }) => [is, id.replace('campaigns.check.', ''), fix?.does].filter(Boolean).join(' '))
      .filter((each) => !always.includes(each.split(' ')[1] ?? '')),
  ).toEqual(expected);
});

function endpoint(state: 'healthy' | 'failing' | 'off' | 'unused') {
  return { id: 'e1', address: 'crm.example/hook', node_name: 'CRM', state };
}

test('rows are filtered by a known outcome and by the first digits of a number', () => {
  expect(campaignSearch({ outcome: 'busy', number: 49_151 })).toEqual({ outcome: 'busy', number: '49151' });
  expect(campaignSearch({ outcome: 'tired', number: 'me' })).toEqual({});
});

import { describe, expect, test } from '@jest/globals';
import {
  closedLabels,
  counters,
  gauges,
  givenLabels,
  histograms,
  type Described,
} from '../../src/runtime/metric-catalog.ts';
import { createPrometheus } from '../../src/runtime/prometheus.ts';
import { readSamples, sumOf } from '../support/metrics-text.ts';

const all: [string, Described][] = [
  ...Object.entries(counters),
  ...Object.entries(histograms),
  ...Object.entries(gauges),
];

describe('labels', () => {
  test('never hold free text: a value outside its list becomes `other`', async () => {
    const { metrics, scrape } = createPrometheus({
      role: 'worker',
      labelValues: { disposition: ['user_hangup'] },
    });
    for (const disposition of [
      '+49 170 1234567',
      'https://customer.example/hook?key=1',
      'Ada Lovelace',
      'user_hangup',
    ])
      metrics.count('parlance_calls_ended_total', { disposition });
    const { text } = await scrape();
    expect(text).not.toMatch(/170|customer|Ada/);
    expect(
      readSamples(text)
        .filter(({ name }) => name === 'parlance_calls_ended_total')
        .map(({ labels, value }) => ({ ...labels, value })),
    ).toEqual([
      { disposition: 'user_hangup', value: 1 },
      { disposition: 'other', value: 3 },
    ]);
  });

  test('make no more series than their lists allow, for any number of values', async () => {
    const { metrics, scrape } = createPrometheus({ role: 'api', labelValues: { route: ['/a', '/b'] } });
    for (let each = 0; each < 5000; each += 1) {
      metrics.count('parlance_http_requests_total', {
        route: `/path/${each}`,
        method: `verb-${each}`,
        status_class: `${each}xx`,
      });
      metrics.observe('parlance_http_request_seconds', { route: `/path/${each}`, method: 'get' }, 0.1);
    }
    const samples = readSamples((await scrape()).text);
    const begun = 2 * closedLabels.method.length * closedLabels.status_class.length;
    expect(samples.filter(({ name }) => name === 'parlance_http_requests_total').length).toBeLessThanOrEqual(
      begun + 10,
    );
    expect(
      samples.filter(({ name }) => name === 'parlance_http_request_seconds_count').length,
    ).toBeLessThanOrEqual(2 * closedLabels.method.length + 1);
  });

  test('each have a closed list, from the catalog or from the composition of the process', () => {
    const known: string[] = [...Object.keys(closedLabels), ...givenLabels];
    expect(
      [...new Set(all.flatMap(([, { labels }]) => labels))].filter((label) => !known.includes(label)),
    ).toEqual([]);
  });

  test('can be extended by words of the program, which then start at 0', async () => {
    const { metrics, allow, scrape } = createPrometheus({
      role: 'worker',
      labelValues: { code: ['invariant'] },
    });
    allow('activity', ['converse']);
    expect(
      sumOf((await scrape()).text, 'parlance_activity_failures_total', {
        activity: 'converse',
        code: 'invariant',
      }),
    ).toBe(0);
    metrics.count('parlance_activity_failures_total', { activity: 'converse', code: 'invariant' });
    expect(
      sumOf((await scrape()).text, 'parlance_activity_failures_total', {
        activity: 'converse',
        code: 'invariant',
      }),
    ).toBe(1);
  });
});

describe('metrics', () => {
  test('all exist from the start at 0, because a rule that adds two metrics would otherwise return nothing', async () => {
    for (const role of ['api', 'worker', 'media'] as const) {
      const { scrape } = createPrometheus({
        role,
        labelValues: {
          route: ['/a'],
          activity: ['b'],
          code: ['c'],
          disposition: ['d'],
          model: ['e'],
          target_outcome: ['f'],
        },
      });
      const names = new Set(
        readSamples((await scrape()).text)
          .filter(({ value }) => value === 0)
          .map(({ name }) => name),
      );
      const ofRole = (described: Readonly<Record<string, Described>>) =>
        Object.entries(described).flatMap(([name, { roles }]) => (roles.includes(role) ? [name] : []));
      expect(
        [...ofRole(counters), ...ofRole(histograms).map((name) => `${name}_count`)].filter(
          (name) => !names.has(name),
        ),
      ).toEqual([]);
    }
  });

  test('keep their values when a list of labels grows', async () => {
    const { metrics, allow, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
    metrics.observe('parlance_model_answer_seconds', { form: 'words' }, 2);
    allow('activity', ['converse']);
    expect(sumOf((await scrape()).text, 'parlance_model_answer_seconds_count', { form: 'words' })).toBe(1);
  });

  test('have names with what they measure and their unit', () => {
    for (const name of Object.keys(counters)) expect(name).toMatch(/^parlance_[a-z_]+_total$/);
    for (const name of Object.keys(histograms)) expect(name).toMatch(/^parlance_[a-z_]+_seconds$/);
    for (const name of Object.keys(gauges)) expect(name).toMatch(/^parlance_[a-z_]+(?<!_total)$/);
  });

  test('of time resolve what people notice: at least six buckets below 250 ms, in rising order', () => {
    const described: [string, Described][] = Object.entries(histograms);
    for (const [name, { buckets = [] }] of described) {
      expect({
        name,
        below: buckets.filter((limit) => limit < 0.25).length >= 6,
        rising: buckets.every((limit, at) => limit > (buckets[at - 1] ?? 0)),
      }).toEqual({ name, below: true, rising: true });
    }
  });

  test('of other roles are not shown', async () => {
    const { metrics, scrape } = createPrometheus({ role: 'api', labelValues: {} });
    metrics.count('parlance_turns_total', { turn_outcome: 'failed' });
    expect((await scrape()).text).not.toContain('parlance_turns_total');
  });

  test('of two processes are independent', async () => {
    const [one, two] = [
      createPrometheus({ role: 'worker', labelValues: {} }),
      createPrometheus({ role: 'worker', labelValues: {} }),
    ];
    one.metrics.count('parlance_delivery_dead_letters_total', {});
    expect(sumOf((await one.scrape()).text, 'parlance_delivery_dead_letters_total')).toBe(1);
    expect(sumOf((await two.scrape()).text, 'parlance_delivery_dead_letters_total')).toBe(0);
  });

  test('never break the measured code: a clock that went back and an odd number cause no error', async () => {
    const { metrics, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
    metrics.observe('parlance_turn_stage_seconds', { stage: 'whole' }, -3);
    metrics.count('parlance_model_tokens_total', { form: 'words', token_kind: 'prompt', model: 'm' }, -5);
    metrics.observe('parlance_turn_stage_seconds', { stage: 'whole' }, Number.NaN);
    metrics.count(
      'parlance_model_tokens_total',
      { form: 'words', token_kind: 'prompt', model: 'm' },
      Number.NaN,
    );
    const { text } = await scrape();
    expect(sumOf(text, 'parlance_turn_stage_seconds_sum', { stage: 'whole' })).toBe(0);
    expect(sumOf(text, 'parlance_model_tokens_total', { form: 'words', token_kind: 'prompt' })).toBe(0);
  });
});

describe('a scrape', () => {
  test('runs its refreshers, and is answered although one of them fails', async () => {
    const { metrics, onScrape, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
    onScrape(() => Promise.reject(new Error('MySQL is unavailable')));
    onScrape(() => metrics.gauge('parlance_mysql_waiting', {}, 7));
    expect(sumOf((await scrape()).text, 'parlance_mysql_waiting')).toBe(7);
  });

  test('omits values that are unknown again', async () => {
    const { metrics, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
    metrics.gauge('parlance_calls_live', { live_state: 'talking' }, 3);
    expect(sumOf((await scrape()).text, 'parlance_calls_live')).toBe(3);
    metrics.gauge('parlance_calls_live', { live_state: 'talking' }, null);
    metrics.gauge('parlance_delivery_oldest_seconds', {}, null);
    const { text } = await scrape();
    expect(sumOf(text, 'parlance_calls_live')).toBeUndefined();
    expect(sumOf(text, 'parlance_delivery_oldest_seconds')).toBeUndefined();
  });
});

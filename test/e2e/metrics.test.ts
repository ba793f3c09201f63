import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSamples, sumOf, typesIn } from '../support/metrics-text.ts';
import { namesInDashboard, namesInRules } from '../support/observed-names.ts';
import { eventually, runNode, type RunningProcess } from '../support/process.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

let service: WholeService;
let worker: RunningProcess;
let scraped: { api: string; worker: string };

beforeAll(async () => {
  service = await startWholeService();
  worker = service.startWorker();
  const { apiUrl, apiKey, env } = service;
  const demo = runNode('tools/demo/demo.ts', { env: { PARLANCE_API_URL: apiUrl, PARLANCE_API_KEY: apiKey, TEMPORAL_UI_URL: env['TEMPORAL_UI_URL'] ?? '', TEMPORAL_NAMESPACE: service.namespace, PARLANCE_SIMULATED: 'true', NO_COLOR: '1' } });
  const { code } = await demo.ended;
  if (code !== 0) throw new Error(`the demonstration failed:\n${demo.output()}`);
  scraped = { api: await scrape(service.api), worker: await eventually('the delivery is counted', async () => withDelivery(await scrape(worker))) };
}, 120_000);

afterAll(async () => {
  await service.stop();
}, 60_000);

async function scrape(running: RunningProcess): Promise<string> {
  const port = /"port":(\d+),"msg":"Health server listens"/.exec(running.output())?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({ status: 200, type: expect.stringMatching(/^text\/plain; version=0\.0\.4/) });
  return await answer.text();
}

const withDelivery = (text: string) => ((sumOf(text, 'parlance_delivery_attempts_total', { result: 'succeeded' }) ?? 0) > 0 ? text : undefined);

describe('after one conversation with a webhook', () => {
  test('the worker has counted turns, tokens, extractions, the outcome of the call and its webhook', () => {
    const { worker: text } = scraped;
    expect(sumOf(text, 'parlance_turns_total', { turn_outcome: 'committed' })).toBeGreaterThan(5);
    expect(sumOf(text, 'parlance_turns_total', { turn_outcome: 'failed' })).toBe(0);
    expect(sumOf(text, 'parlance_model_tokens_total', { form: 'words', token_kind: 'prompt' })).toBeGreaterThan(0);
    expect(sumOf(text, 'parlance_extractions_total', { extraction_outcome: 'found' })).toBeGreaterThan(0);
    expect(sumOf(text, 'parlance_calls_ended_total', { disposition: 'user_qualified' })).toBe(1);
    expect(sumOf(text, 'parlance_delivery_attempts_total', { result: 'succeeded' })).toBe(1);
    expect(sumOf(text, 'parlance_calls_admitted_total', { admission: 'admitted' })).toBe(1);
    expect(sumOf(text, 'parlance_activity_failures_total')).toBe(0);
    expect(sumOf(text, 'parlance_mysql_connections')).toBeGreaterThan(0);
    for (const dependency of ['mysql', 'temporal', 'workers']) expect(sumOf(text, 'parlance_dependency_up', { dependency })).toBe(1);
  });

  test('a turn\'s time is split into model and our own overhead', () => {
    for (const stage of ['model_first_token', 'model', 'whole', 'overhead', 'commit']) {
      expect({ stage, count: sumOf(scraped.worker, 'parlance_turn_stage_seconds_count', { stage }) }).toEqual({ stage, count: expect.any(Number) });
    }
    const sum = (stage: string) => sumOf(scraped.worker, 'parlance_turn_stage_seconds_sum', { stage }) ?? NaN;
    expect(sum('overhead')).toBeGreaterThan(0);
    expect(sum('overhead')).toBeLessThan(sum('whole'));
  });

  test('the API has counted requests by the pattern of their route', () => {
    expect(sumOf(scraped.api, 'parlance_http_requests_total', { route: '/workflow/create/definition', method: 'post', status_class: '2xx' })).toBe(1);
    expect(sumOf(scraped.api, 'parlance_http_requests_in_flight')).toBe(0);
    expect(sumOf(scraped.api, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    for (const dependency of ['mysql', 'temporal']) expect(sumOf(scraped.api, 'parlance_dependency_up', { dependency })).toBe(1);
  });

  test('Temporal\'s own histograms of tasks and requests have limits below 250 ms', () => {
    for (const name of ['temporal_workflow_task_schedule_to_start_latency_seconds', 'temporal_activity_schedule_to_start_latency_seconds', 'temporal_workflow_task_execution_latency_seconds', 'temporal_activity_execution_latency_seconds', 'temporal_request_latency_seconds']) {
      const limits = new Set(readSamples(scraped.worker).filter((sample) => sample.name === `${name}_bucket`).map(({ labels }) => Number(labels['le'])));
      expect({ name, below: [...limits].filter((limit) => limit < 0.25).length }).toEqual({ name, below: 10 });
    }
  });

  test('no label holds a name, an address or a word of the conversation', () => {
    const values = new Set(readSamples(`${scraped.api}\n${scraped.worker}`).flatMap(({ labels }) => Object.values(labels)));
    for (const each of values) expect(each).not.toMatch(/https?:|@|Thursday|\+\d{6,}|[0-9a-f]{8}-[0-9a-f]{4}/i);
  });

  test('every metric that the alert rules and the dashboard use is served, or is one that only a fault begins', () => {
    const served = new Set(readSamples(`${scraped.api}\n${scraped.worker}`).map(({ name }) => name));
    const fromFaults = new Set(['temporal_workflow_task_execution_failed_total', 'temporal_activity_execution_failed_total', 'temporal_request_failure_total']);
    const used = [...namesInRules(), ...namesInDashboard()].filter((name) => name !== 'up');
    expect(used.length).toBeGreaterThan(20);
    // Calls by phone have processes and metrics of their own.
    const ofPhone = /^parlance_(media|carrier|speech|recognition|repl(y|ies)|barge|calls_(moved|given)|conversation|step|journal|phone)/;
    expect([...new Set(used)].filter((name) => !served.has(name) && !fromFaults.has(name) && !ofPhone.test(name))).toEqual([]);
  });

  test('both processes tell their types, so that a scraper understands them', () => {
    expect(typesIn(scraped.api).get('parlance_http_request_seconds')).toBe('histogram');
    expect(typesIn(scraped.worker).get('parlance_turns_total')).toBe('counter');
  });
});

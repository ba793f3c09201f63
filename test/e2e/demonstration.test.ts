import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createListener } from '../../emulators/modem/listener.ts';
import { readWav } from '../../src/domain/audio/wav.ts';
import { readSamples, sumOf, typesIn } from '../support/metrics-text.ts';
import { namesInDashboard, namesInRules } from '../support/observed-names.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually, runNode } from '../support/process.ts';

/** One run of the demonstration with its phone call: what it prints, the call's files, and the metrics. */

let service: PhoneService;
let printed: string;
let scraped: { api: string; worker: string; media: string };
const all = () => `${scraped.api}\n${scraped.worker}\n${scraped.media}`;

beforeAll(async () => {
  service = await startPhoneService();
  const worker = service.startWorker();
  const media = await service.startMedia();
  const { apiUrl, apiKey, env } = service;
  const demo = runNode('tools/demo/demo.ts', {
    env: {
      PARLANCE_API_URL: apiUrl,
      PARLANCE_API_KEY: apiKey,
      TEMPORAL_UI_URL: env['TEMPORAL_UI_URL'] ?? '',
      TEMPORAL_NAMESPACE: service.namespace,
      PARLANCE_SIMULATED: 'true',
      NO_COLOR: '1',
      PARLANCE_SIMULATED_CARRIER_URL: service.carrier.url,
    },
  });
  const { code } = await demo.ended;
  printed = demo.output();
  if (code !== 0) throw new Error(`the demonstration failed:\n${printed}`);
  const healthUrlOf = ({ output }: { output: () => string }) =>
    `http://127.0.0.1:${/"port":(\d+),"msg":"The health server is listening"/.exec(output())?.[1]}`;
  scraped = {
    api: await scrape(healthUrlOf(service.api)),
    worker: await eventually('both deliveries are counted', async () =>
      withDeliveries(await scrape(healthUrlOf(worker))),
    ),
    media: await scrape(media.healthUrl),
  };
});

afterAll(async () => {
  await service.stop();
});

async function scrape(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`);
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
    status: 200,
    type: expect.stringMatching(/^text\/plain; version=0\.0\.4/),
  });
  return await answer.text();
}

const withDeliveries = (text: string) =>
  (sumOf(text, 'parlance_delivery_attempts_total', { result: 'succeeded' }) ?? 0) > 1 ? text : undefined;

const Agents = z.array(z.object({ id: z.int(), name: z.string() }));
const Runs = z.object({ runs: z.array(z.object({ id: z.int() })) });
const Run = z.object({
  is_completed: z.boolean(),
  disposition: z.string().nullable(),
  recording_public_url: z.string(),
  user_recording_public_url: z.string(),
  bot_recording_public_url: z.string(),
  transcript_public_url: z.string(),
});

test('the demonstration creates, changes and publishes an agent, talks through several nodes and gets its signed webhook', () => {
  for (const words of [
    'simulated',
    'signature verified',
    'version 2 draft',
    'published version 2',
    'disposition user_qualified',
    '"preferred_time": "Thursday at 3 PM"',
    '"party_size": 2',
    '"quality": "8.8"',
    'quality     8.8 of 10, judged by the language model (simulated)',
    '/workflows/call%2F',
  ]) {
    expect(printed).toContain(words);
  }
});

test('the demonstration rings, talks through several nodes, is interrupted once, extracts, hangs up and sends its webhook; recording and transcript contain what was said', async () => {
  const byPhone = printed.slice(printed.indexOf('A phone call'));
  for (const words of [
    'simulated',
    'signature verified',
    'disposition user_qualified',
    '"preferred_time":"Thursday at 3 PM"',
    '"party_size":2',
    '"call_disposition": "user_qualified"',
  ])
    expect(byPhone).toContain(words);

  const log = await service.carrier.log();
  expect(
    log.filter(
      ({ type, what, droppedMs }) => type === 'stream' && what === 'cleared' && Number(droppedMs) > 0,
    ),
  ).toHaveLength(1); // she interrupted, and the unheard rest was removed
  expect(log.findLast(({ type, state }) => type === 'leg' && state === 'ended')).toMatchObject({
    cause: 'normal_clearing',
    answered: true,
  });
  await judgeFiles();
});

/** The files of the demonstration's call: both sides in the mix, and each side in its own file. */
async function judgeFiles(): Promise<void> {
  const agents = Agents.parse((await service.request('GET', '/workflow/fetch?status=active')).body);
  const agentId = agents.find(({ name }) => name.startsWith('Appointment reminder'))?.id;
  const { runs } = Runs.parse((await service.request('GET', `/workflow/${agentId}/runs`)).body);
  const runId = Math.max(...runs.map(({ id }) => id));
  const run = Run.parse((await service.request('GET', `/workflow/${agentId}/runs/${runId}`)).body);
  expect(run).toMatchObject({ is_completed: true, disposition: 'user_qualified' });
  const [both, caller, agent] = [
    await heardIn(run.recording_public_url),
    await heardIn(run.user_recording_public_url),
    await heardIn(run.bot_recording_public_url),
  ];
  const callersWords = ['I have to travel for work.', "Yes, that's right.", 'My daughter will be seen too'];
  const agentsWords = [
    'Can you come to the appointment as planned?',
    'I have noted Thursday at 3 PM. Is that right?',
    'Goodbye!',
  ];
  const tracks = { both, caller, agent };
  const expected = [
    ...callersWords.map((words) => ({ words, both: true, caller: true, agent: false })),
    ...agentsWords.map((words) => ({ words, both: true, caller: false, agent: true })),
  ];
  const heard = expected.map(({ words }) => ({
    words,
    both: isHeardIn(both, words),
    caller: isHeardIn(caller, words),
    agent: isHeardIn(agent, words),
  }));
  expect({ heard, tracks }).toEqual({ heard: expected, tracks });
  const transcript = await (await fetch(run.transcript_public_url)).text();
  for (const words of [...callersWords, ...agentsWords]) expect(transcript).toContain(words);
}

/**
 * Whether the words are in what was heard, but for a fifth of their letters: on an overloaded machine sound has gaps, and
 * each costs the letter that it splits.
 */
function isHeardIn(heard: string, words: string): boolean {
  // The least number of changes that make the words, as far as a row goes, of any part of the text that ends there.
  let row = Array.from({ length: words.length + 1 }, (_, index) => index);
  let least = words.length;
  for (const letter of heard) {
    const before = row;
    row = [0];
    for (let index = 0; index < words.length; index += 1)
      row.push(
        Math.min(
          (before[index] ?? 0) + (letter === words[index] ? 0 : 1),
          (before[index + 1] ?? 0) + 1,
          (row[index] ?? 0) + 1,
        ),
      );
    least = Math.min(least, row.at(-1) ?? least);
  }
  return least <= words.length / 5;
}

/** The words in the audio of a WAV file. */
async function heardIn(url: string): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  const wav = readWav(new Uint8Array(await answer.arrayBuffer()));
  if (wav === null) throw new Error(`${url} is not a WAV file`);
  expect(wav.sampleRate).toBe(8000);
  const listener = createListener({ sampleRate: 8000, onText: () => undefined });
  for (const track of wav.tracks) listener.push(track);
  listener.push(new Int16Array(1600)); // the last character is recognized after a pause
  return listener.text;
}

describe('metrics after one text call and one phone call, each with a webhook', () => {
  test('the worker counts turns, tokens, extractions, the disposition of the call and its webhook', () => {
    const { worker: text } = scraped;
    expect(sumOf(text, 'parlance_turns_total', { turn_outcome: 'committed' })).toBeGreaterThan(5);
    expect(sumOf(text, 'parlance_turns_total', { turn_outcome: 'failed' })).toBe(0);
    expect(
      sumOf(text, 'parlance_model_tokens_total', { form: 'words', token_kind: 'prompt' }),
    ).toBeGreaterThan(0);
    expect(sumOf(text, 'parlance_extractions_total', { extraction_outcome: 'found' })).toBeGreaterThan(0);
    expect(sumOf(text, 'parlance_calls_ended_total', { disposition: 'user_qualified' })).toBe(2);
    expect(sumOf(text, 'parlance_delivery_attempts_total', { result: 'succeeded' })).toBe(2);
    expect(sumOf(text, 'parlance_calls_admitted_total', { admission: 'admitted' })).toBe(2);
    expect(sumOf(text, 'parlance_activity_failures_total')).toBe(0);
    expect(sumOf(text, 'parlance_mysql_connections')).toBeGreaterThan(0);
    for (const dependency of ['mysql', 'temporal', 'workers'])
      expect(sumOf(text, 'parlance_dependency_up', { dependency })).toBe(1);
  });

  test('the media host counts heard, spoken and sent audio, and its times', () => {
    const { media: text } = scraped;
    for (const name of [
      'parlance_recognition_audio_seconds_total',
      'parlance_speech_audio_seconds_total',
      'parlance_speech_characters_total',
      'parlance_media_tick_late_seconds_count',
      'parlance_speech_first_audio_seconds_count',
      'parlance_recognition_final_seconds_count',
      'parlance_reply_first_sound_seconds_count',
      'parlance_reply_overhead_seconds_count',
      'parlance_interruption_seconds_count',
    ]) {
      expect({ name, isCounted: (sumOf(text, name) ?? 0) > 0 }).toEqual({ name, isCounted: true });
    }
    expect(sumOf(text, 'parlance_media_seats_total', { seat_outcome: 'seated' })).toBe(1);
    expect(sumOf(text, 'parlance_media_sessions_ended_total')).toBe(1);
    expect(sumOf(text, 'parlance_media_sessions')).toBe(0);
    expect(sumOf(text, 'parlance_media_recording_faults_total')).toBe(0);
    expect(
      sumOf(scraped.worker, 'parlance_carrier_commands_total', { command: 'dial', command_outcome: 'done' }),
    ).toBe(1);
    expect(sumOf(scraped.api, 'parlance_carrier_events_total', { receipt: 'kept' })).toBeGreaterThan(2);
    expect(sumOf(scraped.worker, 'parlance_calls_given_up_total')).toBe(0);
  });

  test("a turn's time is split into model and our own overhead", () => {
    for (const stage of ['model_first_token', 'model', 'whole', 'overhead', 'commit']) {
      expect({
        stage,
        isMeasured: (sumOf(scraped.worker, 'parlance_turn_stage_seconds_count', { stage }) ?? 0) > 0,
      }).toEqual({ stage, isMeasured: true });
    }
    const sum = (stage: string) => sumOf(scraped.worker, 'parlance_turn_stage_seconds_sum', { stage }) ?? NaN;
    expect(sum('overhead')).toBeGreaterThan(0);
    expect(sum('overhead')).toBeLessThan(sum('whole'));
  });

  test('the API counts requests by the pattern of their route', () => {
    expect(
      sumOf(scraped.api, 'parlance_http_requests_total', {
        route: '/workflow/create/definition',
        method: 'post',
        status_class: '2xx',
      }),
    ).toBe(1);
    expect(sumOf(scraped.api, 'parlance_http_requests_in_flight')).toBe(0);
    expect(sumOf(scraped.api, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    for (const dependency of ['mysql', 'temporal'])
      expect(sumOf(scraped.api, 'parlance_dependency_up', { dependency })).toBe(1);
  });

  test("Temporal's own histograms of tasks and requests have buckets below 250 ms", () => {
    for (const name of [
      'temporal_workflow_task_schedule_to_start_latency_seconds',
      'temporal_activity_schedule_to_start_latency_seconds',
      'temporal_workflow_task_execution_latency_seconds',
      'temporal_activity_execution_latency_seconds',
      'temporal_request_latency_seconds',
    ]) {
      const limits = new Set(
        readSamples(scraped.worker)
          .filter((sample) => sample.name === `${name}_bucket`)
          .map(({ labels }) => Number(labels['le'])),
      );
      expect({ name, below: [...limits].filter((limit) => limit < 0.25).length }).toEqual({
        name,
        below: 10,
      });
    }
  });

  test('no label contains a name, an address or a word of the conversation', () => {
    const values = new Set(readSamples(all()).flatMap(({ labels }) => Object.values(labels)));
    for (const each of values)
      expect(each).not.toMatch(/https?:|@|Thursday|\+\d{6,}|[0-9a-f]{8}-[0-9a-f]{4}/i);
  });

  test('every metric of the alert rules and the dashboard is served, or begins only with a fault', () => {
    const served = new Set(readSamples(all()).map(({ name }) => name));
    const fromFaults = new Set([
      'temporal_workflow_task_execution_failed_total',
      'temporal_activity_execution_failed_total',
      'temporal_request_failure_total',
    ]);
    const used = [...namesInRules(), ...namesInDashboard()].filter((name) => name !== 'up');
    expect(used.length).toBeGreaterThan(20);
    expect([...new Set(used)].filter((name) => !served.has(name) && !fromFaults.has(name))).toEqual([]);
  });

  test('all processes send types, so that a scraper understands them', () => {
    expect(typesIn(scraped.api).get('parlance_http_request_seconds')).toBe('histogram');
    expect(typesIn(scraped.worker).get('parlance_turns_total')).toBe('counter');
    expect(typesIn(scraped.media).get('parlance_media_sessions')).toBe('gauge');
  });
});

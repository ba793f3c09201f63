import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { callersWords } from '../../emulators/llm/decide.ts';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import { holdCall, pause, type Held } from '../support/chaos/caller.ts';
import { keepDying, killServers, type Kept, type Run } from '../support/chaos/killers.ts';
import {
  endpoints,
  expectedLines,
  orderCase,
  orderDesk,
  orderDeskRules,
  orderDeskTools,
  type Case,
  type Endpoint,
} from '../support/chaos/order-desk.ts';
import { startOwnMariadb, startOwnTemporal } from '../support/own-servers.ts';
import { eventually } from '../support/process.ts';
import {
  startReceiver,
  type Answer,
  type AnswerRule,
  type ReceivedRequest,
  type Receiver,
} from '../support/receiver.ts';
import { seededRandom } from '../support/seed.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * Text calls, each with tools, extraction, summaries, sometimes a rewind, a judge and four webhooks,
 * while everything dies: workers and the API at every point between two steps and then at random, Temporal
 * and MySQL by SIGKILL. Checked by what the customer's server and the simulated model received and what
 * callers were answered, not by the service's own records; only waiting deliveries are read from the API,
 * because only it knows them. By hand, alone on the machine.
 */

const callCount = 50;
const callersAtOnce = 10;
/**
 * Calls that start, one after another, only when a process has died at every point or no other call is live,
 * so that there are calls left to die in.
 */
const heldBack = 12;

const activities = [
  'admitCall',
  'fetchBeforeCall',
  'converse',
  'runTool',
  'commitTurn',
  'rewindSession',
  'summarize',
  'extract',
  'finalizeCall',
  'judgeCall',
  'prepareDeliveries',
  'attemptDelivery',
  'scheduleNextAttempt',
];
/**
 * Before and after each activity; in the middle of those with external requests; and after the customer's
 * server has done its work, before the result is known.
 */
const workerPoints = [
  ...activities.flatMap((activity) => [`before ${activity}`, `after ${activity}`]),
  ...['converse', 'runTool', 'summarize', 'extract', 'judgeCall', 'attemptDelivery'].map(
    (activity) => `during ${activity}`,
  ),
  ...['fetchBeforeCall', 'runTool', 'attemptDelivery'].map((activity) => `answered ${activity}`),
  'before firstAttempt',
  'answered firstAttempt',
  'before handOver',
  'after handOver',
];
const apiPoints = ['openTextSession', 'sendMessage', 'rewind', 'endSession'].flatMap((request) =>
  ['before', 'during', 'after', 'answering'].map((moment) => `${moment} ${request}`),
);

const ofThisRun = folder(statePath('test', `run-${process.pid}`));
/** The output of every role after a failed run. */
const rolesLog = join(folder(statePath('test', 'logs')), 'chaos-roles.log');
const random = seededRandom('text call chaos');
const randomKills = { workers: 6, apis: 3 };

const Made = z.object({ id: z.int() });
const Tool = z.object({ tool_uuid: z.string() });
const Secrets = z.array(z.object({ secret: z.string() }));
const Payload = z.object({
  case: z.string(),
  drink: z.string(),
  size: z.string(),
  disposition: z.string(),
  score: z.string(),
});
const Order = z.object({ item: z.string(), mark: z.string() });
const Delivery = z.object({
  id: z.string(),
  run_id: z.int(),
  node_id: z.string(),
  state: z.string(),
  attempt_count: z.int(),
  last_error: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
});
const DeliveryPage = z.object({ items: z.array(Delivery), next_cursor: z.string().nullable() });
const ModelRequest = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullable().optional() })),
});
const ModelLog = z.object({ entries: z.array(z.object({ request: ModelRequest, sent: z.string() })) });

const started: { stop(): Promise<unknown> }[] = [];
let mariadb: Awaited<ReturnType<typeof startOwnMariadb>>;
let temporal: Awaited<ReturnType<typeof startOwnTemporal>>;
let service: WholeService;
let receiver: Receiver;

beforeAll(async () => {
  started.push((mariadb = await startOwnMariadb()));
  started.push((temporal = await startOwnTemporal()));
  const compileCache = folder(join(ofThisRun, 'compile-cache')); // it makes process starts a third cheaper
  service = await startWholeService({
    servers: { databaseUrl: mariadb.url, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl },
    env: { PARLANCE_LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: compileCache },
  });
  started.push(service);
  const secrets = Secrets.parse((await service.request('GET', '/organizations/webhook-secrets')).body);
  receiver = await startReceiver({ secrets: secrets.map(({ secret }) => secret), answer: customersServer() });
  started.push({ stop: () => receiver.close() });
  await giveRules();
}, 120_000);

afterAll(async () => {
  for (const each of started.toReversed()) await each.stop();
}, 60_000);

/** The customer's server: it numbers orders by how often the same one came. */
function customersServer(): AnswerRule {
  const orders = new Map<string, number>();
  const json = (body: unknown): Answer => ({ kind: 'answer', status: 200, body: JSON.stringify(body) });
  return (request, earlier) => {
    const { pathname } = new URL(request.path, 'http://customer.test');
    switch (pathname) {
      case '/title':
        return json({ initial_context: { title: 'Captain' } });
      case '/stock':
        return json({ in_stock: true });
      case '/order': {
        const order = orderIn(request);
        orders.set(order, (orders.get(order) ?? 0) + 1);
        return json({ order_number: `${order} #${orders.get(order)}` });
      }
      case '/hook/shaky':
        return { kind: 'answer', status: earlier === 0 ? 500 : 204 };
      case '/hook/closed':
        // After the first attempt, which is the pump's, so that the Workflow waits after the second.
        return { kind: 'answer', status: 503, headers: earlier === 0 ? {} : { 'retry-after': '3600' } };
      case '/hook/gone':
        return { kind: 'answer', status: 410 };
      default:
        return { kind: 'answer', status: 204 };
    }
  };
}

async function giveRules(): Promise<void> {
  const added = await fetch(new URL('/emulator/rules', service.llmUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer simulated' },
    body: JSON.stringify({ scope: 'simulated', rules: orderDeskRules() }),
  });
  if (added.status !== 201)
    throw new Error(`the rules were not taken: ${added.status} ${await added.text()}`);
}

async function createAgent(): Promise<number> {
  const toolUuids: string[] = [];
  for (const tool of orderDeskTools(receiver.url))
    toolUuids.push(Tool.parse((await service.request('POST', '/tools/', tool)).body).tool_uuid);
  const { id } = Made.parse(
    (
      await service.request('POST', '/workflow/create/definition', {
        name: 'Order desk',
        workflow_definition: orderDesk({ url: receiver.url, toolUuids }),
      })
    ).body,
  );
  const settings = await service.request('PUT', `/workflow/${id}`, {
    workflow_configurations: { context_compaction_enabled: true },
  });
  expect(settings.status).toBe(200);
  return id;
}

// guarantee: tool-request-sent-at-most-once
test('calls survive the death of workers, API, Temporal and MySQL: each has one disposition, each webhook arrives once or visibly waits, and no side effect and no utterance is repeated', async () => {
  const agentId = await createAgent();
  const cases = Array.from({ length: callCount }, (_, index) => orderCase(index + 1));
  const state = { isOver: false, begun: 0, over: 0, answers: 0, maxMs: 0 };
  const run: Run = { random, isOver: () => state.isOver };
  const refusals = new Map<string, number>();
  const onRefused = (how: string) => void refusals.set(how, (refusals.get(how) ?? 0) + 1);
  const onAnswered = (ms: number) => {
    state.answers += 1;
    state.maxMs = Math.max(state.maxMs, ms);
  };

  const workers = workersThatDie(run);
  const api = apisThatDie(run, () => state.answers > callersAtOnce);
  const serversKilled = killServers(run, serverKills(), () => state.over);
  const held: Held[] = [];
  const caller = async () => {
    while (state.begun < callCount) {
      const next = cases[state.begun];
      if (next === undefined) return;
      const isHeldBack = () =>
        state.begun >= callCount - heldBack &&
        [...workers.remaining(), ...api.remaining()].length > 0 &&
        state.over < state.begun;
      if (isHeldBack()) {
        await pause(50);
        continue;
      }
      state.begun += 1;
      held.push(
        await holdCall(
          service,
          {
            agentId,
            keysMessages: state.begun % 5 === 0,
            think: () => pause(random() * 700),
            isOver: run.isOver,
            onRefused,
            onAnswered,
          },
          next,
        ),
      );
      state.over += 1;
    }
  };
  let kills = 0;
  try {
    await Promise.all(Array.from({ length: callersAtOnce }, caller));
    kills = await serversKilled;
    await eventually(
      'a death at every point',
      () => ([...workers.remaining(), ...api.remaining()].length === 0 ? true : undefined),
      { limitMs: 60_000, detail: () => [...workers.remaining(), ...api.remaining()].join(', ') },
    );
    await eventually(
      'the webhooks are taken',
      () => (taken('steady').size === callCount && taken('shaky').size === callCount ? true : undefined),
      { limitMs: 120_000, detail: () => `${taken('steady').size}, ${taken('shaky').size} of ${callCount}` },
    );
    await judgeDeliveries(new Map(held.map(({ runId, lines }) => [runId, lines.join('\n')])));
  } catch (error) {
    writeFileSync(rolesLog, service.logs());
    process.stderr.write(`text call chaos: the output of the roles is in ${rolesLog}\n`);
    throw error;
  } finally {
    state.isOver = true;
    await Promise.all([workers.ended, api.ended]);
  }
  process.stderr.write(
    `text call chaos: workers died ${workers.died.size} + ${workers.random} times, APIs ${api.died.size} + ${api.random}, servers ${kills}; refused: ${JSON.stringify(Object.fromEntries(refusals))}; longest answer ${Math.round(state.maxMs / 1000)} s\n`,
  );

  expect([...workers.remaining(), ...api.remaining()]).toEqual([]);
  expect({ kills, random: workers.random + api.random }).toEqual({
    kills: 4,
    random: randomKills.workers + randomKills.apis,
  });
  expect(
    [...refusals.keys()].filter(
      (how) => !['connection lost', '503 with Retry-After', '409 with Retry-After'].includes(how),
    ),
  ).toEqual([]);
  judgeWebhooks(cases);
  judgeWords(cases, held, await transcriptsForTheModel());
}, 600_000);

/** Kills Temporal and MySQL twice each, after these numbers of ended calls. */
function serverKills() {
  const after = (calls: number) => Math.floor(((calls + random() * 6) * callCount) / 50);
  const downMs = () => Math.floor(random() * 1500);
  return [
    { calls: after(4), server: temporal, downMs: downMs() },
    { calls: after(12), server: mariadb, downMs: downMs() },
    { calls: after(20), server: temporal, downMs: downMs() },
    { calls: after(28), server: mariadb, downMs: downMs() },
  ];
}

/** One at a time; the first lives until calls are live. */
function apisThatDie(run: Run, mayBegin: () => boolean): Kept {
  const start = (points: string[]) =>
    points.length === 0
      ? service.startRole('src/api/main.ts')
      : service.startRole('test/support/chaos/api.ts', {
          CHAOS_POINTS: points.join(','),
          CHAOS_REST_MS: '2500',
        });
  return keepDying({
    run,
    points: apiPoints,
    randomKills: randomKills.apis,
    width: 1,
    first: { running: service.api, mayDie: mayBegin },
    start,
  });
}

/** Two at a time. */
function workersThatDie(run: Run): Kept {
  const start = (points: string[]) =>
    points.length === 0
      ? service.startWorker()
      : service.startWorker('test/support/chaos/worker.ts', {
          CHAOS_POINTS: points.join(','),
          CHAOS_REST_MS: '2500',
        });
  return keepDying({ run, points: workerPoints, randomKills: randomKills.workers, width: 2, start });
}

function orderIn({ body }: ReceivedRequest): string {
  const { item, mark } = Order.parse(JSON.parse(body));
  return `${item} ${mark}`;
}

const caseIn = ({ body }: ReceivedRequest): string => Payload.parse(JSON.parse(body)).case;

/** Webhooks by case. */
function sentTo(endpoint: Endpoint): Map<string, ReceivedRequest[]> {
  return Map.groupBy(
    receiver.requests.filter(({ path }) => path === `/hook/${endpoint}`),
    caseIn,
  );
}

/** Cases whose webhook the endpoint accepted at once or after one refusal. */
function taken(endpoint: 'steady' | 'shaky'): Set<string> {
  const refusals = endpoint === 'steady' ? 0 : 1;
  return new Set(
    [...sentTo(endpoint)].filter(([, requests]) => requests.length > refusals).map(([name]) => name),
  );
}

/**
 * Checks that each run and endpoint has one delivery in the state that its endpoint causes: delivered,
 * waiting with the time of its next attempt, or failed with the reason.
 */
async function judgeDeliveries(runs: Map<number, string>): Promise<void> {
  const expected: Record<Endpoint, Record<string, unknown>> = {
    steady: { state: 'succeeded', next_attempt_at: null },
    shaky: { state: 'succeeded', next_attempt_at: null },
    closed: {
      state: 'pending',
      last_error: 'The receiver answered 503',
      next_attempt_at: expect.any(String),
    },
    gone: { state: 'dead_letter', last_error: expect.stringMatching(/switched off/), next_attempt_at: null },
  };
  const wanted = [...runs.keys()].flatMap((run_id) =>
    endpoints.map((node_id) => expect.objectContaining({ run_id, node_id, ...expected[node_id] })),
  );
  let listed: z.infer<typeof Delivery>[] = [];
  await eventually(
    'every delivery is where its endpoint leaves it',
    async () => {
      listed = (await allDeliveries()).toSorted((one, other) => one.run_id - other.run_id);
      const isSettled = listed.every(({ node_id, state, next_attempt_at }) =>
        node_id === 'closed' ? next_attempt_at !== null : state !== 'pending',
      );
      return isSettled ? true : undefined;
    },
    {
      limitMs: 60_000,
      everyMs: 500,
      detail: () => JSON.stringify(listed.filter(({ state }) => state === 'pending')),
    },
  );
  expect(listed).toHaveLength(callCount * endpoints.length);
  expect(listed).toEqual(expect.arrayContaining(wanted));
}

async function allDeliveries(): Promise<z.infer<typeof Delivery>[]> {
  const all: z.infer<typeof Delivery>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.infer<typeof DeliveryPage> = DeliveryPage.parse(
      (
        await service.request(
          'GET',
          `/webhook-deliveries?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
      ).body,
    );
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

/**
 * Checks for each case and endpoint: one webhook id, the same bytes in every attempt, signed, with the one
 * disposition and only values that were said.
 */
function judgeWebhooks(cases: readonly Case[]): void {
  for (const endpoint of endpoints) {
    const sent = [...sentTo(endpoint)];
    // An endpoint that answered 410 gets no further webhook.
    expect({
      endpoint,
      unsent:
        endpoint === 'gone' ? [] : cases.filter(({ name }) => !sent.some(([sentName]) => sentName === name)),
    }).toEqual({ endpoint, unsent: [] });
    for (const [name, requests] of sent) {
      expect({
        name,
        ids: new Set(requests.map(({ webhookId }) => webhookId)).size,
        bodies: new Set(requests.map(({ body }) => body)).size,
      }).toEqual({ name, ids: 1, bodies: 1 });
      expect(requests.every(({ verifiedBy }) => verifiedBy.length === 1)).toBe(true);
      const disposition = cases.find((each) => each.name === name)?.disposition;
      expect(Payload.parse(JSON.parse(requests[0]?.body ?? ''))).toEqual({
        case: name,
        drink: 'tea',
        size: 'not said',
        disposition,
        score: '9',
      });
    }
  }
  expect(sentTo('gone').size).toBeGreaterThan(0);
}

/** The conversation of each case in the model's last extraction request, with tools. */
async function transcriptsForTheModel(): Promise<Map<string, string[]>> {
  const { entries } = ModelLog.parse(await (await fetch(`${service.llmUrl}/emulator/log`)).json());
  const extractions = entries
    .map(({ request }) => request.messages.at(-1)?.content ?? '')
    .filter((content) => content.startsWith('Variables:'));
  const longest = new Map<string, string[]>();
  for (const content of extractions) {
    const name = /\[(c\d+)\//.exec(callersWords(content))?.[1] ?? '';
    const lines = content.slice(content.indexOf('Conversation:\n')).split('\n').slice(1);
    if (lines.length > (longest.get(name)?.length ?? 0)) longest.set(name, lines);
  }
  return longest;
}

/**
 * Checks that every utterance appears once and in order, for the caller and for the model; and orders as the
 * model was answered, never twice.
 */
function judgeWords(cases: readonly Case[], held: readonly Held[], transcripts: Map<string, string[]>): void {
  const received = Map.groupBy(
    receiver.requests.filter(({ path }) => path === '/order').map(orderIn),
    (order) => order,
  );
  expect([...received].filter(([, times]) => times.length > 1)).toEqual([]);
  expect(held).toHaveLength(cases.length);
  expect(
    [...transcripts.values()]
      .flat()
      .some((line) => line.startsWith('tool: ') && line.includes('outcome is unknown')),
  ).toBe(true); // a worker died between order and record
  for (const each of cases) {
    const lines = transcripts.get(each.name) ?? [];
    const said = lines
      .filter((line) => !line.startsWith('tool: '))
      .map((line) => line.replace(/^(user|assistant): /, ''));
    expect(unexpected(each, said)).toEqual([]);
    expect(held.filter((caller) => JSON.stringify(caller.lines) === JSON.stringify(said))).toHaveLength(1);

    const orders = each.steps.flatMap((step) => (step !== 'end' && 'orders' in step ? step.orders : []));
    const tools = lines.filter((line) => line.startsWith('tool: '));
    const confirmed = orders.filter((order) => tools.some((line) => line.includes(`"${order} #1"`)));
    const unknown = tools.filter((line) => line.includes('outcome is unknown'));
    expect({
      name: each.name,
      confirmed: confirmed.length + unknown.length,
      notReceived: confirmed.filter((order) => !received.has(order)),
    }).toEqual({ name: each.name, confirmed: orders.length, notReceived: [] });
  }
  expect(
    [...received.keys()].filter(
      (order) =>
        !cases.some(({ steps }) =>
          steps.some((step) => step !== 'end' && 'orders' in step && step.orders.includes(order)),
        ),
    ),
  ).toEqual([]);
}

/** Lines other than those that must or may stand in their place. */
function unexpected(each: Case, said: readonly string[]): string[] {
  const expected = expectedLines(each);
  return Array.from({ length: Math.max(said.length, expected.length) }, (_, index) => index).flatMap(
    (index) =>
      expected[index]?.includes(said[index] ?? '') === true
        ? []
        : [`${index}: ${said[index]} instead of ${expected[index]?.join(' or ')}`],
  );
}

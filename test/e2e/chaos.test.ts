import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { demoAgent } from '../../tools/demo/agent.ts';
import { callersLines, expectedVariables } from '../../tools/demo/script.ts';
import type { RunningProcess } from '../support/process.ts';
import { startReceiver, statuses, type Receiver, type ReceivedRequest } from '../support/receiver.ts';
import { seededRandom } from '../support/seed.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * Twenty text calls with extraction and a webhook while workers die: at every enumerated point once, then at random.
 * Judged from what the receiver and the language model's emulator saw, not from what the service says of itself.
 */

const callCount = 20;
const callersAtOnce = 5;
const activities = ['admitCall', 'converse', 'commitTurn', 'extract', 'finalizeCall', 'judgeCall', 'prepareDeliveries', 'attemptDelivery', 'scheduleNextAttempt'];
/** Before and after each activity; in the middle of those that take longer than a transaction. */
const killPoints = [...activities.flatMap((activity) => [`before ${activity}`, `after ${activity}`]), 'during converse', 'during extract', 'during judgeCall'];
const randomKills = 6;

const random = seededRandom('chaos over text calls');

const Agent = z.object({ id: z.int() });
const Session = z.object({ workflow_run_id: z.int(), revision: z.int(), is_completed: z.boolean() });
const Secrets = z.array(z.object({ secret: z.string() }));
const ChatRequest = z.object({ stream: z.boolean().optional(), response_format: z.unknown().optional(), messages: z.array(z.object({ role: z.string(), content: z.string().nullable().optional() })) });
const LogEntries = z.object({ entries: z.array(z.object({ request: z.unknown(), sent: z.string(), receivedAt: z.string() })) });

let service: WholeService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startWholeService({ env: { PARLANCE_LOG_LEVEL: 'warn' } });
  const secrets = Secrets.parse((await service.request('GET', '/organizations/webhook-secrets')).body);
  // The first attempt of every delivery fails, so that waiting for the next one is under fire too.
  receiver = await startReceiver({ secrets: secrets.map(({ secret }) => secret), answer: statuses(500, 204) });
}, 60_000);

afterAll(async () => {
  await receiver.close();
  await service.stop();
}, 60_000);

test('twenty calls survive workers killed between any two steps: twenty dispositions, one webhook id each, no turn lost or doubled', async () => {
  const agentId = await createAgent();
  const calls = new Set<Promise<unknown>>();
  const isOver = { value: false };
  const killed = killWorkers(isOver);
  let next = 0;
  const caller = async () => {
    while (next < callCount) await holdCall(agentId, (next += 1));
  };
  for (let index = 0; index < callersAtOnce; index += 1) calls.add(caller());
  try {
    await Promise.all(calls);
    await everyDeliveryAccepted();
  } finally {
    isOver.value = true;
  }
  const kills = await killed;

  expect(kills.enumerated).toEqual(killPoints);
  expect(kills.random).toBeGreaterThan(0);
  judgeWebhooks([...receiver.byDelivery().values()]);
  judgeModelRequests(await requestsToTheModel());
}, 540_000);

async function createAgent(): Promise<number> {
  const definition = demoAgent({ webhookUrl: `${receiver.url}/calls` });
  const nodes = definition.workflow_definition.nodes.map((node) => {
    if (node.type === 'globalNode') return { ...node, data: { ...node.data, prompt: `${String(node.data['prompt'])}\nCase {{case}}.` } };
    if (node.type === 'webhook') return { ...node, data: { ...node.data, payload_template: { case: '{{initial_context.case}}', gathered: '{{gathered_context.extracted_variables}}', disposition: '{{gathered_context.call_disposition}}', score: '{{annotations.qa_quality.score}}', tokens: '{{cost_info.llm}}' } } };
    return node;
  });
  const created = await service.request('POST', '/workflow/create/definition', { name: 'Chaos', workflow_definition: { ...definition.workflow_definition, nodes } });
  const { id } = Agent.parse(created.body);
  await service.request('PUT', `/workflow/${id}`, { template_context_variables: definition.template_context_variables });
  return id;
}

/** One caller: says every line, sends a request again when the service asks for it, and never says anything twice. */
async function holdCall(agentId: number, index: number): Promise<void> {
  const sessions = `/workflow/${agentId}/text-chat/sessions`;
  let session = await untilAnswered('POST', sessions, { initial_context: { case: caseName(index) } }, { 'Idempotency-Key': `open-${caseName(index)}` });
  for (const text of callersLines) session = await untilAnswered('POST', `${sessions}/${session.workflow_run_id}/messages`, { text, expected_revision: session.revision });
  expect(session.is_completed).toBe(true);
}

/** Sends the same request until it is answered: a worker that keeps dying is no reason to give up, and no reason to say anything twice. */
async function untilAnswered(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<z.infer<typeof Session>> {
  for (;;) {
    const answer = await service.request(method, path, body, headers);
    if (answer.status === 200) return Session.parse(answer.body);
    if (answer.status === 503) continue;
    await new Promise((resolve) => setTimeout(resolve, 500)); // what the roles print comes a moment later
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}\n${service.logs()}`);
  }
}

/** Keeps one worker running: each dies at the next enumerated point, later ones at random moments. */
async function killWorkers(isOver: { value: boolean }): Promise<{ enumerated: string[]; random: number }> {
  const enumerated: string[] = [];
  for (const point of killPoints) {
    const worker = service.startWorker('test/support/chaos-worker.ts', { CHAOS_POINT: point });
    if (await diesBeforeTheEnd(worker, isOver)) enumerated.push(point);
    else return { enumerated, random: 0 };
  }
  let count = 0;
  while (!isOver.value) {
    const worker = service.startWorker();
    if (count >= randomKills) {
      await endOf(isOver);
      await worker.stop();
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 1200 + random() * 2500));
    worker.child.kill('SIGKILL');
    await worker.ended;
    count += 1;
  }
  return { enumerated, random: count };
}

async function diesBeforeTheEnd(worker: RunningProcess, isOver: { value: boolean }): Promise<boolean> {
  const died = await Promise.race([worker.ended.then(({ signal }) => signal === 'SIGKILL'), endOf(isOver).then(() => false)]);
  if (!died) await worker.stop();
  return died;
}

async function endOf(isOver: { value: boolean }): Promise<void> {
  while (!isOver.value) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Every case has a delivery that the receiver took. */
async function everyDeliveryAccepted(): Promise<void> {
  const deadline = Date.now() + 120_000;
  const taken = () => new Set([...receiver.byDelivery().values()].filter((requests) => requests.length >= 2).map(([first]) => (first === undefined ? '' : caseOf(first))));
  while (taken().size < callCount) {
    if (Date.now() > deadline) throw new Error(`only ${taken().size} of ${callCount} webhooks were taken`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function judgeWebhooks(deliveries: ReceivedRequest[][]): void {
  expect(deliveries.map(([first]) => (first === undefined ? '' : caseOf(first))).toSorted()).toEqual(allCases());
  for (const requests of deliveries) {
    expect(new Set(requests.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(requests.every(({ verifiedBy }) => verifiedBy.length === 1)).toBe(true);
    const payload = Payload.parse(JSON.parse(requests[0]?.body ?? ''));
    expect(payload.disposition).toBe('user_qualified');
    expect(JSON.parse(payload.gathered)).toEqual(expectedVariables);
    expect(payload.score).toBe('8.8');
    expect(payload.tokens).toContain('QAAnalysis|||');
  }
}

/** The last answer of each case was to the whole conversation: what the model was told then is what had been committed. */
function judgeModelRequests(requests: z.infer<typeof ChatRequest>[]): void {
  for (const name of allCases()) {
    const own = requests.filter(({ messages }) => messages.some(({ content }) => content?.includes(`Case ${name}.`) === true));
    const longest = own.toSorted((one, other) => one.messages.length - other.messages.length).at(-1);
    const said = longest?.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect({ name, said }).toEqual({ name, said: [...callersLines] });
    const replies = longest?.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content) ?? [];
    expect(new Set(replies).size).toBe(replies.length);
  }
}

async function requestsToTheModel(): Promise<z.infer<typeof ChatRequest>[]> {
  const answer = await fetch(`${service.llmUrl}/emulator/log`);
  const { entries } = LogEntries.parse(await answer.json());
  return entries.filter(({ sent }) => sent === 'complete').map(({ request }) => ChatRequest.parse(request));
}

const Payload = z.object({ case: z.string(), gathered: z.string(), disposition: z.string(), score: z.string(), tokens: z.string() });

function caseOf(request: ReceivedRequest): string {
  return Payload.parse(JSON.parse(request.body)).case;
}

function caseName(index: number): string {
  return `case-${String(index).padStart(2, '0')}`;
}

function allCases(): string[] {
  return Array.from({ length: callCount }, (_, index) => caseName(index + 1));
}

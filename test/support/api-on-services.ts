import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { createApi, createSignIn, type ApiDeps } from '../../src/api/compose.ts';
import type { AccountLimits } from '../../src/config/env.ts';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import { createTickets } from '../../src/providers/secrets/tickets.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { noMetrics } from '../../src/runtime/metrics.ts';
import { createEventHub } from '../../src/services/events/index.ts';
import { createOrganization } from '../../src/services/identity/index.ts';
import type { DeliveryStarter } from '../../src/temporal/delivery-port.ts';
import type { ErasureStarter } from '../../src/temporal/erasure-port.ts';
import type { JudgingStarter } from '../../src/temporal/judging-port.ts';
import type { ImportRuns } from '../../src/temporal/import-port.ts';
import type { CallStarter, CampaignRuns } from '../../src/temporal/port.ts';
import { answerText } from './answer-text.ts';
import { createFakeCustomerHttp } from './fake-customer-http.ts';
import { FakeLlm } from './fake-llm.ts';
import { fakeVoices } from './fake-voices.ts';
import { serveApp } from './api-server.ts';
import { testKeyRing, testSecrets } from './database.ts';
import { smallDesign } from './designs.ts';
import { addNeighbor } from './neighbor.ts';

/** The API with real services and a real database; only the running calls are fakes. */
export interface ApiUnderTest {
  url: string;
  /** One request with an API key, or without one; `path` begins after /api/v1. */
  ask: (key: string | null, method: string, path: string, body?: unknown) => Promise<Asked>;
  /** The same with headers of the test's own. */
  send: (headers: Record<string, string>, method: string, path: string, body?: unknown) => Promise<Asked>;
  /** The same at a path from the root. */
  sendAt: (headers: Record<string, string>, method: string, path: string, body?: unknown) => Promise<Asked>;
  close: () => Promise<void>;
}

export interface Asked {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Limits of accounts in tests. */
export const testAccounts: AccountLimits = { maxSignupsPerHour: 10, sessionIdleMs: 14 * 86_400_000 };

/** Calls that always answer; tests replace methods. */
export const answeringCalls: CallStarter = {
  openTextSession: () => Promise.resolve({ kind: 'answered', revision: 1 }),
  sendMessage: ({ expectedRevision }) =>
    Promise.resolve({ kind: 'answered', revision: expectedRevision + 1 }),
  rewind: ({ expectedRevision }) => Promise.resolve({ kind: 'answered', revision: expectedRevision + 1 }),
  endSession: ({ expectedRevision }) => Promise.resolve({ kind: 'answered', revision: expectedRevision + 1 }),
  startPhoneCall: () => Promise.resolve({ kind: 'accepted' }),
  startCall: () => Promise.resolve(),
  cancelCall: () => Promise.resolve('delivered'),
  intervene: () => Promise.resolve('delivered'),
  takeInbound: () => Promise.resolve('taken'),
  signalCarrierEvent: () => Promise.resolve('delivered'),
  mediaBegan: () => Promise.resolve('delivered'),
  seatLost: () => Promise.resolve('delivered'),
  describeState: () => Promise.resolve(null),
  uiLink: () => null,
};

/** Campaigns that are started and do nothing. */
export const idleCampaigns: CampaignRuns = {
  start: () => Promise.resolve(),
  wake: () => Promise.resolve('delivered'),
};

/** Deliveries that are never sent. */
/** Sent as it is, not as JSON. */
const isWritten = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

const idleDeliveries: DeliveryStarter = { resend: () => Promise.resolve(), drain: () => Promise.resolve() };

/** Erasures that are accepted and never run. */
const idleErasures: ErasureStarter = { start: () => Promise.resolve() };

/** Judgments that are accepted and never run. */
const idleJudgings: JudgingStarter = { start: () => Promise.resolve() };

/** Imports that are accepted and never run. */
const idleImports: ImportRuns = {
  start: () => Promise.resolve('runs'),
  cancel: () => Promise.resolve('asked'),
};

/** Designs the same agent for every request. */
const designingLlm = () =>
  new FakeLlm(() => ({ text: JSON.stringify({ name: 'Designed', ...smallDesign }) }));

/** `changes` may depend on the address of the API. */
export async function startApi(
  db: DataSource,
  changes: Partial<ApiDeps> | ((url: string) => Partial<ApiDeps>) = {},
): Promise<ApiUnderTest> {
  const { url, close } = await serveApp((req, res) => app(req, res));
  const events = createEventHub({ db, clock: systemClock, log: pino({ level: 'silent' }) });
  const app = createApi({
    db,
    events,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    metrics: noMetrics,
    secrets: testSecrets,
    http: createFakeCustomerHttp(),
    llms: { llm: designingLlm(), model: 'test-model', hasModel: false, customerLlms: designingLlm },
    tickets: createTickets(testSecrets),
    directories: { contactFiles: createContactFiles(), imports: idleImports, maxBytes: 10_485_760 },
    calls: answeringCalls,
    campaignRuns: idleCampaigns,
    deliveries: idleDeliveries,
    erasures: idleErasures,
    judgings: idleJudgings,
    carriers: new Map(),
    publicUrl: 'http://api.example.test',
    signIn: createSignIn({ db, secrets: testSecrets, keyRing: testKeyRing, accounts: testAccounts }),
    isSignupEnabled: true,
    voices: fakeVoices,
    installation: {
      simulated: { llm: true, stt: true, tts: true, carrier: true },
      links: { temporalUi: 'http://localhost:8233', traces: null },
    },
    version: '0.0.0-test',
    checks: { mysql: async () => void (await db.query('SELECT 1')) },
    checkAnswers: true,
    ...(typeof changes === 'function' ? changes(url) : changes),
  });
  const sendAt: ApiUnderTest['sendAt'] = async (headers, method, path, body) => {
    const content = body === undefined ? {} : { body: isWritten(body) ? body : JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...type, ...headers },
      ...content,
    });
    return { status: answer.status, headers: answer.headers, body: parsed(await answerText(answer)) };
  };
  const send: ApiUnderTest['send'] = (headers, method, path, body) =>
    sendAt(headers, method, `/api/v1${path}`, body);
  return {
    url,
    close: async () => {
      await events.stop();
      await close();
    },
    sendAt,
    send,
    ask: (key, method, path, body) => send(key === null ? {} : { 'x-api-key': key }, method, path, body),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a transcript, or nothing
  }
}

/** A new tenant, with the key of its first user. */
export async function createTenant(
  db: DataSource,
): Promise<{ organizationId: number; userId: number; key: string }> {
  const ctx = {
    actor: { kind: 'system', name: 'test' },
    db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
  } as const;
  const { organizationId, userId, key } = await createOrganization({
    ctx,
    secrets: testSecrets,
    input: { name: 'Tenant', email: `${randomIds.uuid()}@example.test`, keyName: 'Test key' },
  });
  await addNeighbor(db);
  return { organizationId, userId, key: key.key };
}

/** A value inside an answer, by path; undefined if it is missing. */
export const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** An id inside an answer; throws if it is missing. */
export function idAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found === 'number' || typeof found === 'string') return String(found);
  throw new Error(`the answer has no id at ${path.join('.')}: ${JSON.stringify(value)}`);
}

/** The same with a trigger of that path. */
export function triggeredGraph(
  path: string,
  trigger: Record<string, unknown> = {},
): { nodes: unknown[]; edges: unknown[] } {
  const graph = completeGraph();
  return {
    ...graph,
    nodes: [
      ...graph.nodes,
      {
        id: 't',
        type: 'trigger',
        position: { x: 0, y: 0 },
        data: { name: 'API', trigger_path: path, ...trigger },
      },
    ],
  };
}

/** A complete graph: start, agent, end. */
export function completeGraph(greeting = 'Hello {{first_name}}'): { nodes: unknown[]; edges: unknown[] } {
  const position = { x: 0, y: 0 };
  return {
    nodes: [
      { id: 's', type: 'startCall', position, data: { name: 'Start', prompt: 'Greet', greeting } },
      { id: 'a', type: 'agentNode', position, data: { name: 'Ask', prompt: 'Ask for the order' } },
      { id: 'e', type: 'endCall', position, data: { name: 'End', prompt: 'Say goodbye' } },
    ],
    edges: [
      { id: 's-a', source: 's', target: 'a', data: { label: 'Begin', condition: 'The user answered' } },
      { id: 'a-e', source: 'a', target: 'e', data: { label: 'Done', condition: 'The order is known' } },
    ],
  };
}

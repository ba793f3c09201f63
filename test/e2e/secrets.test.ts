import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/db/data-source.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { answerText } from '../support/answer-text.ts';
import { at, idAt, type Asked } from '../support/api-on-services.ts';
import { edge, node } from '../support/definitions.ts';
import { furnish } from '../support/furnished.ts';
import { testKeyRing } from '../support/database.ts';
import { eventually, type RunningProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { requestFor, routeNames, type Slots } from '../support/route-requests.ts';
import { testServices } from '../support/services.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * Plants secrets and a person's data everywhere, requests every route, uses all of them in a call, and makes
 * dependencies fail. Then all output, metrics and answers of the API and a worker are searched.
 */

const planted = (what: string) => `${what}-${randomBytes(9).toString('hex')}`;
/**
 * A person's name, words, number and email. Answers may contain them where they belong, logs and metrics
 * never.
 */
const person = {
  mark: `Qz7${randomBytes(4).toString('hex')}`,
  digits: '15599887766',
  email: `ada-${randomBytes(4).toString('hex')}@example.com`,
};
const secrets: Record<string, string> = {
  'key of the language model': planted('simulated-installation'),
  'key of a payload ring': randomBytes(32).toString('base64'),
  'codec token': planted('codec'),
  'devops secret': planted('devops'),
  'header of a tool': planted('tool-header'),
  'query of a webhook address': planted('hook-query'),
  'key of a QA node': planted('sk-qa'),
  "key of a customer's model": `${person.mark}-model-key`,
  credential: `${person.mark}-credential`,
  password: planted('password'),
  'wrong password': planted('wrong'),
  'credential of the walk': 'walked-credential',
  'model key of the walk': 'walked-model-key',
  'password of the walk': 'walked-password',
};

let service: WholeService;
let worker: RunningProcess;
let receiver: Receiver;
let files: string;
let db: DataSource;
let [mysql, temporal]: TcpProxy[] = [];
let owned: Slots;
let scraped = '';
/** Every answer with its request. */
const answers: { asked: string; text: string }[] = [];

beforeAll(async () => {
  const services = testServices();
  const [database, cluster] = [new URL(services.mariadbUrl), new URL(`tcp://${services.temporalAddress}`)];
  [mysql, temporal] = [
    await startTcpProxy({ host: database.hostname, port: Number(database.port) }),
    await startTcpProxy({ host: cluster.hostname, port: Number(cluster.port) }),
  ];
  receiver = await startReceiver();
  files = await mkdtemp(join(tmpdir(), 'secrets-'));
  service = await startWholeService({
    databaseAddress: { host: '127.0.0.1', port: mysql.port },
    temporalAddress: `127.0.0.1:${temporal.port}`,
    env: {
      // Values that a test writes into the database directly are sealed with this key.
      PARLANCE_ENCRYPTION_KEYS: testKeyRing,
      PARLANCE_LOG_LEVEL: 'trace',
      OPENAI_API_KEY: secrets['key of the language model'] ?? '',
      PARLANCE_PAYLOAD_KEYS: `p:${secrets['key of a payload ring']}`,
      PARLANCE_CODEC_TOKEN: secrets['codec token'] ?? '',
      PARLANCE_DEVOPS_SECRET: secrets['devops secret'] ?? '',
      PARLANCE_RATE_LIMIT_STORE: 'mysql',
      PARLANCE_SIGNUP_ENABLED: 'true',
      PARLANCE_FILES_DIRECTORY: files,
    },
  });
  worker = service.startWorker();
  const direct = new URL(service.env['DATABASE_URL'] ?? '');
  direct.port = database.port;
  db = await createDataSource({ url: direct.href, poolSize: 2 });
  secrets['password of the database'] = decodeURIComponent(direct.password);
  secrets['key of the ring'] = (service.env['PARLANCE_ENCRYPTION_KEYS'] ?? '').split(':')[1] ?? '';
});

afterAll(async () => {
  await service.stop();
  await db.destroy();
  await Promise.all([receiver.close(), mysql?.close(), temporal?.close()]);
  await rm(files, { recursive: true, force: true });
});

/** A request whose answer is stored for the search. */
async function ask(
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Asked> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${service.apiUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...sent,
  });
  // A file breaks off when MySQL goes away while it is sent.
  const text = await answerText(answer).catch((error: unknown) => {
    if (error instanceof TypeError && error.message === 'terminated') return '';
    throw error;
  });
  answers.push({
    asked: `${method} ${path} ${answer.status}`,
    text: `${text} ${JSON.stringify([...answer.headers])}`,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: answer.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text,
  };
}
const byKey = () => ({ 'x-api-key': service.apiKey });
const v1 = (method: string, path: string, body?: unknown) => ask(byKey(), method, `/api/v1${path}`, body);

async function walk(
  headers: Record<string, string>,
  names: readonly RouteName[],
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const name of names) {
    const { method, path, body } = requestFor(name, owned);
    statuses[name] = (await ask(headers, method, path, body)).status;
  }
  return statuses;
}

const reads = routeNames.filter((name) => routes[name].method === 'get');
/** Routes that end or remove what others need come last. */
const ending: readonly RouteName[] = [
  'changeWorkflowStatus',
  'discardWorkflowDraft',
  'deleteFolder',
  'deleteCredential',
  'archiveTool',
  'archiveApiKey',
  'retireWebhookSecret',
  'logOut',
];
const changes = [
  ...routeNames.filter((name) => routes[name].method !== 'get' && !ending.includes(name)),
  ...ending,
];

async function scrape(running: RunningProcess): Promise<string> {
  const port = /"port":(\d+),"msg":"The health server is listening"/.exec(running.output())?.[1];
  return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/**
 * A contact file with the person in it, imported by a worker, so that its values pass through every stage
 * of an import.
 */
async function importContacts(): Promise<string> {
  const form = new FormData();
  form.set(
    'file',
    new Blob([`phone_number,first_name\n+${person.digits},${person.mark}\n${person.email},${person.mark}\n`]),
    `${person.mark}.csv`,
  );
  const uploaded = await fetch(`${service.apiUrl}/api/v1/directories`, {
    method: 'POST',
    headers: byKey(),
    body: form,
  });
  expect(uploaded.status).toBe(200);
  const id = idAt(await uploaded.json(), 'id');
  expect((await v1('POST', `/directories/${id}/check`)).status).toBe(200);
  await eventually(
    'the file was checked',
    async () => (at((await v1('GET', `/directories/${id}`)).body, 'state') === 'ready' ? true : undefined),
    { detail: service.logs },
  );
  await db.query('UPDATE campaigns SET directory_id = ? WHERE id = ?', [id, owned['campaign_id']]);
  return id;
}

/**
 * A call that fetches, uses a tool, is judged, and whose webhook is refused: every feature with its own
 * secret.
 */
async function talk(): Promise<void> {
  const fails = `${receiver.url}/${person.mark}?key=${secrets['query of a webhook address']}`;
  receiver.answerWith(() => ({ kind: 'answer', status: 500, body: `refused ${person.mark}` }));
  const tool = await v1('POST', '/tools/', {
    name: 'Order',
    definition: {
      schema_version: 1,
      type: 'http_api',
      config: {
        method: 'POST',
        url: fails,
        credential_uuid: owned['credential_uuid'],
        headers: { 'X-Api-Key': secrets['header of a tool'] },
        parameters: [],
      },
    },
  });
  const scope = `simulated-${secrets["key of a customer's model"]}-1234`;
  await fetch(new URL('/emulator/rules', service.llmUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${scope}` },
    body: JSON.stringify({
      scope,
      rules: [
        { name: 'ordered', when: { toolResult: '.' }, answer: { say: 'Done.' } },
        { name: 'order', when: { userText: 'order' }, answer: { call: { tool: 'order', arguments: {} } } },
      ],
    }),
  });
  const definition = {
    nodes: [
      node('s', 'startCall', {
        name: 'Start',
        prompt: `Greet ${person.mark}`,
        greeting: 'Hello {{name}}',
        pre_call_fetch_enabled: true,
        pre_call_fetch_url: fails,
        pre_call_fetch_credential_uuid: owned['credential_uuid'],
      }),
      node('a', 'agentNode', {
        name: 'Ask',
        prompt: 'Ask',
        tool_uuids: [idAt(tool.body, 'tool_uuid')],
        extraction_enabled: true,
        extraction_variables: [{ name: 'day', type: 'string', prompt: 'the day' }],
      }),
      node('e', 'endCall', { name: 'End', prompt: 'Bye' }),
      node('w', 'webhook', {
        name: 'Hook',
        http_method: 'POST',
        endpoint_url: fails,
        credential_uuid: owned['credential_uuid'],
        payload_template: { name: '{{initial_context.name}}' },
      }),
      node('q', 'qa', {
        name: 'QA',
        qa_enabled: true,
        qa_system_prompt: 'Judge',
        qa_min_call_duration: 0,
        qa_use_workflow_llm: false,
        qa_provider: 'azure',
        qa_endpoint: service.llmUrl,
        qa_model: 'judge',
        qa_api_key: secrets['key of a QA node'],
      }),
    ],
    edges: [edge('s-a', 's', 'a', 'go on'), edge('a-e', 'a', 'e', 'done')],
  };
  const agent = await v1('POST', '/workflow/create/definition', {
    name: `${person.mark} talks`,
    workflow_definition: definition,
  });
  const sessions = `/workflow/${idAt(agent.body, 'id')}/text-chat/sessions`;
  const session = await v1('POST', sessions, {
    initial_context: { name: person.mark, phone_number: person.digits },
  });
  const runId = idAt(session.body, 'workflow_run_id');
  for (const text of [
    `${person.mark} would like to order`,
    `call ${person.digits}, write to ${person.email}`,
  ])
    expect((await v1('POST', `${sessions}/${runId}/messages`, { text })).status).toBe(200);
  expect((await v1('POST', `${sessions}/${runId}/end`, {})).status).toBe(200);
  await eventually(
    'values were asked for, the tool was used and the webhook was refused',
    () =>
      receiver.requests.length >= 3 && receiver.requests.some(({ deliveryId }) => deliveryId !== '')
        ? true
        : undefined,
    { detail: service.logs },
  );
}

// guarantee: errors-logged-without-secrets
describe('all output, metrics and answers of a running service', () => {
  test('are produced: every route is requested, a call uses every secret, dependencies fail', async () => {
    const signedUp = await ask({}, 'POST', '/api/v1/auth/signup', {
      email: person.email,
      name: person.mark,
      password: secrets['password'],
    });
    const session = { authorization: `Bearer ${String(at(signedUp.body, 'token'))}` };
    const owner = await db.query('SELECT organization_id AS id FROM api_keys WHERE prefix = ?', [
      service.apiKey.slice(0, 8),
    ]);
    owned = {
      ...(await furnish({
        db,
        organizationId: Number(at(owner, 0, 'id')),
        mark: person.mark,
        ask: v1,
        modelUrl: `${service.llmUrl}/v1`,
        modelName: 'own-model',
      })),
      ticket: 'unknown',
    };
    const link = await ask({}, 'GET', `/api/v1/public/download/workflow/${owned['token']}/transcript`);
    owned = {
      ...owned,
      ticket: decodeURIComponent((link.headers.get('location') ?? '').split('/').at(-1) ?? ''),
    };
    secrets['webhook secret'] = String(
      at((await v1('GET', '/organizations/webhook-secrets')).body, 0, 'secret'),
    );
    owned = { ...owned, directory_id: await importContacts() };
    await talk();

    const statuses = await walk(
      { ...byKey(), 'X-Dograh-Devops-Secret': secrets['devops secret'] ?? '' },
      reads,
    );
    // No document is stored, no published node sends to the endpoint, and a key has no sessions and one organization.
    expect(Object.entries(statuses).filter(([, status]) => status >= 400)).toEqual([
      ['getDocument', 404],
      ['previewWebhook', 409],
      ['listSessions', 400],
      ['getSecondFactor', 400],
      ['listOwnOrganizations', 400],
    ]);
    await ask({}, 'POST', '/api/v1/auth/login', { email: person.email, password: secrets['wrong password'] });
    await ask({ 'x-api-key': `${service.apiKey}x` }, 'GET', '/api/v1/auth/me');
    await ask({ authorization: 'Bearer a.b.c' }, 'GET', '/api/v1/auth/me');
    await ask(
      { authorization: `Bearer ${secrets['codec token']}` },
      'POST',
      '/api/v1/temporal/codec/decode',
      { payloads: [] },
    );
    await walk(
      session,
      reads.filter((name) => routes[name].auth === 'key'),
    );

    await mysql?.cut();
    await walk(byKey(), [...reads, 'sendTextMessage', 'createCredential', 'callByPath', 'logIn', 'signUp']);
    await mysql?.mend();
    await eventually('MySQL is back', async () =>
      (await fetch(`${service.apiUrl}/readyz`)).ok ? true : undefined,
    );
    await temporal?.cut();
    await walk(byKey(), [
      'createTextSession',
      'sendTextMessage',
      'endTextSession',
      'resendWebhookDelivery',
      'getReadiness',
    ]);
    await temporal?.mend();
    await eventually('Temporal is back', async () =>
      (await fetch(`${service.apiUrl}/readyz`)).ok ? true : undefined,
    );

    await walk(byKey(), changes);
    await walk(session, ['updateOnboardingState', 'logOut']);
    scraped = (await scrape(service.api)) + (await scrape(worker));
    secrets['session token'] = session.authorization.slice('Bearer '.length);
    secrets['API key'] = service.apiKey;
    secrets['public token'] = owned['token'] ?? '';
    secrets['download ticket'] = owned['ticket'] ?? '';
    expect(Object.values(secrets).every((secret) => secret.length > 12)).toBe(true);
  });

  const found = (text: string, marks: Record<string, string>) =>
    Object.entries(marks)
      .filter(([, value]) => text.includes(value))
      .map(([what]) => what);

  test('contain no secret and no personal data in the logs of the API and the worker', () => {
    const logs = service.logs();
    expect(logs.split('\n').length).toBeGreaterThan(150);
    expect(logs).toContain('"role":"worker"');
    expect(found(logs, { ...secrets, ...person })).toEqual([]);
    expect(logs).not.toMatch(/prl_[\w-]{12}|whsec_\w{12}|eyJ[\w-]{12}/);
  });

  test('contain none in the metrics', () => {
    expect(scraped.split('\n').length).toBeGreaterThan(500);
    expect(found(scraped, { ...secrets, ...person })).toEqual([]);
  });

  test('contain no secret in the answers, except for the token of a new user and webhook secrets where they are listed', () => {
    expect(answers.length).toBeGreaterThan(200);
    const {
      'public token': _token,
      'download ticket': _ticket,
      'query of a webhook address': _query,
      ...never
    } = secrets;
    const leaks = answers.flatMap(({ asked, text }) => found(text, never).map((what) => `${asked}: ${what}`));
    const shown = [
      'POST /api/v1/auth/signup 200: session token',
      'GET /api/v1/organizations/webhook-secrets 200: webhook secret',
    ];
    expect(leaks.filter((leak) => !shown.includes(leak))).toEqual([]);
    expect(new Set(leaks)).toEqual(new Set(shown));
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerKind } from '../../../src/db/data-source.ts';
import { createAttemptLimiter } from '../../../src/db/attempt-limiter.ts';
import { createDeliveryStarter } from '../../../src/temporal/delivery-starter.ts';
import { createSignIn } from '../../../src/api/compose.ts';
import { openDirectory } from '../../../src/providers/storage/directory.ts';
import { insertOpenHost } from '../media/open-host.ts';
import {
  at,
  completeGraph,
  startApi,
  testAccounts,
  triggeredGraph,
  type ApiUnderTest,
} from '../api-on-services.ts';
import { createCallWorld } from '../call-world.ts';
import { testKeyRing, testSecrets } from '../database.ts';
import { createFakeAccounts } from '../fake-accounts.ts';
import { FakeLlm } from '../fake-llm.ts';
import type { Credentials } from './requests.ts';

/**
 * The API with real dependencies except the language model and customers' addresses, and records to request.
 */
export interface AnyRequestWorld {
  api: ApiUnderTest;
  /** Meaningful values by the name of a field or parameter. */
  known: (name: string) => readonly unknown[];
  /** Credentials for one operation only, so that its effects do not reach the next one. */
  freshCredentials: () => Promise<Credentials>;
  close: () => Promise<void>;
}

const max = { named: 'attempts', max: 1_000_000, windowSeconds: 60 };
const password = 'correct horse battery staple';

export async function createAnyRequestWorld(kind: ServerKind): Promise<AnyRequestWorld> {
  const world = await createCallWorld({ kind, llm: new FakeLlm(() => ({ text: 'All is well.' })) });
  await world.startWorker();
  const { db } = world.database;
  const unlimited = {
    accountFromNetwork: createAttemptLimiter(db, { what: 'login_pair', ...max }),
    account: createAttemptLimiter(db, { what: 'login_account', ...max }),
    network: createAttemptLimiter(db, { what: 'login_network', ...max }),
    codes: createAttemptLimiter(db, { what: 'login_code', ...max }),
    signup: createAttemptLimiter(db, { what: 'signup_network', ...max }),
  };
  await insertOpenHost(db);
  const folder = await mkdtemp(join(tmpdir(), 'any-request-'));
  const api = await startApi(db, {
    files: await openDirectory(folder),
    accounts: createFakeAccounts().carriers,
    calls: world.starter,
    deliveries: createDeliveryStarter({ temporal: world.temporal, taskQueue: world.queues.delivery }),
    signIn: {
      ...createSignIn({ db, secrets: testSecrets, keyRing: testKeyRing, accounts: testAccounts }),
      limits: unlimited,
    },
    checks: {
      mysql: async () => void (await db.query('SELECT 1')),
      temporal: async () =>
        void (await world.temporal.request((client) =>
          client.workflowService.describeNamespace({ namespace: world.temporal.namespace }),
        )),
    },
  });
  const email = `${randomUUID()}@example.com`;
  const visitor = askerWith(api, {});
  const signIn = async (how: 'signup' | 'login') =>
    String(at(await visitor('POST', `/auth/${how}`, { email, password }), 'token'));
  const bearer = (session: string) => askerWith(api, { authorization: `Bearer ${session}` });
  const known = await makeRecords(bearer(await signIn('signup')));
  return {
    api,
    known: (name) => known.get(name) ?? [],
    freshCredentials: async () => {
      const session = await signIn('login');
      const made = await bearer(session)('POST', '/user/api-keys', { name: 'Key of one operation' });
      return { key: String(at(made, 'api_key')), session };
    },
    close: async () => {
      await api.close();
      await world.close();
      await rm(folder, { recursive: true });
    },
  };
}

type Asking = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Sends requests with these headers that must succeed. */
const askerWith =
  (api: ApiUnderTest, headers: Record<string, string>): Asking =>
  async (method, path, body) => {
    const answer = await api.send(headers, method, path, body);
    if (answer.status !== 200)
      throw new Error(`${method} ${path} is answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

/** Creates one record of each kind over HTTP, and answers their names. */
async function makeRecords(make: Asking): Promise<Map<string, unknown[]>> {
  const graph = completeGraph();
  const trigger = triggeredGraph(`path-${randomUUID().slice(0, 8)}`);
  const [agent, other] = [
    await make('POST', '/workflow/create/definition', { name: 'Agent', workflow_definition: graph }),
    await make('POST', '/workflow/create/definition', { name: 'Triggered', workflow_definition: trigger }),
  ];
  const agentId = String(at(agent, 'id'));
  const session = await make('POST', `/workflow/${agentId}/text-chat/sessions`, {
    initial_context: { first_name: 'Ada' },
  });
  const ended = await make('POST', `/workflow/${agentId}/text-chat/sessions`, {});
  await make(
    'POST',
    `/workflow/${agentId}/text-chat/sessions/${String(at(ended, 'workflow_run_id'))}/end`,
    {},
  );
  const run = await make('POST', `/workflow/${agentId}/runs`, { mode: 'webrtc', name: 'Ahead' });
  const read = await make('GET', `/workflow/${agentId}/runs/${String(at(ended, 'workflow_run_id'))}`);
  const credential = await make('POST', '/credentials/', {
    name: 'Credential',
    credential_type: 'bearer_token',
    credential_data: { token: 'simulated' },
  });
  const tool = await make('POST', '/tools/', {
    name: 'Look up',
    definition: {
      type: 'http_api',
      config: {
        method: 'POST',
        url: 'https://api.example.com/{{id}}',
        parameters: [{ name: 'id', type: 'string', description: 'Which', required: true }],
      },
    },
  });
  const folder = await make('POST', '/folder/', { name: 'Folder' });
  const account = { provider: 'telnyx', api_key: 'simulated-key' };
  const connection = await make('POST', '/organizations/telephony-configs', {
    name: 'Line',
    config: account,
  });
  const number = await make(
    'POST',
    `/organizations/telephony-configs/${String(at(connection, 'id'))}/phone-numbers`,
    { address: '+12025550147' },
  );
  const secret = await make('POST', '/organizations/webhook-secrets');
  const key = await make('POST', '/user/api-keys', { name: 'To be changed' });
  return new Map<string, unknown[]>([
    ['workflow_id', [at(agent, 'id'), at(other, 'id')]],
    ['workflow_uuid', [at(agent, 'workflow_uuid'), at(other, 'workflow_uuid')]],
    ['agent_uuid', [at(agent, 'workflow_uuid'), at(other, 'workflow_uuid')]],
    ['trigger_path', [at(trigger.nodes.at(-1), 'data', 'trigger_path')]],
    ['workflow_definition', [graph, trigger]],
    ['run_id', [at(session, 'workflow_run_id'), at(ended, 'workflow_run_id'), at(run, 'id')]],
    ['workflow_run_id', [at(session, 'workflow_run_id'), at(run, 'id')]],
    ['cursor_turn_id', [at(session, 'session_data', 'turns', 0, 'id')]],
    ['expected_revision', [1, 2, 3]],
    ['version_number', [1, 2]],
    ['credential_uuid', [at(credential, 'uuid')]],
    ['tool_uuid', [at(tool, 'tool_uuid')]],
    ['definition', [at(tool, 'definition')]],
    ['folder_id', [at(folder, 'id')]],
    ['telephony_configuration_id', [at(connection, 'id')]],
    ['config', [account]],
    ['phone_number_id', [at(number, 'id')]],
    ['address', ['+12025550148', '(202) 555-0149', 'sip:bob@example.com']],
    ['country_code', ['US', 'de']],
    ['secret_id', [at(secret, 'id')]],
    ['session_id', [1, 2]],
    ['api_key_id', [at(key, 'id')]],
    ['token', [at(read, 'public_access_token')].filter((each) => each !== null)],
    ['artifact', ['transcript', 'recording']],
    ['name', ['startCall']],
    ['email', [`${randomUUID()}@example.com`]],
    ['password', [password]],
    ['status', ['active', 'archived']],
    ['timezone', ['Europe/Berlin']],
  ]);
}

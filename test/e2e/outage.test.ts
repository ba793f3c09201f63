import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { demoAgent } from '../../tools/demo/agent.ts';
import { callersLines } from '../../tools/demo/script.ts';
import { eventually } from '../support/process.ts';
import { testServices } from '../support/services.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * MySQL and Temporal behind proxies that the test disconnects and reconnects; the service is never restarted.
 */
const Agent = z.object({ id: z.int(), version_number: z.int() });
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  session_data: z.object({ turns: z.array(z.unknown()) }),
});
const Readiness = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });

let mysql: TcpProxy;
let temporal: TcpProxy;
let service: WholeService;
let agentId: number;

beforeAll(async () => {
  const services = testServices();
  mysql = await startTcpProxy(addressOf(new URL(services.mariadbUrl).host));
  temporal = await startTcpProxy(addressOf(services.temporalAddress));
  service = await startWholeService({
    databaseAddress: { host: '127.0.0.1', port: mysql.port },
    temporalAddress: `127.0.0.1:${temporal.port}`,
    env: { PARLANCE_LOG_LEVEL: 'fatal' },
  });
  service.startWorker();
  const { workflow_definition, name } = demoAgent({ webhookUrl: 'http://127.0.0.1:9/never' });
  agentId = Agent.parse(
    (await service.request('POST', '/workflow/create/definition', { name, workflow_definition })).body,
  ).id;
  await createSession(); // the worker polls
});

afterAll(async () => {
  await Promise.all([mysql.mend().catch(() => undefined), temporal.mend().catch(() => undefined)]);
  await service.stop();
  await Promise.all([mysql.close(), temporal.close()]);
});

describe('without Temporal', () => {
  test('a new conversation is answered 503 with Retry-After and leaves no call that could run, and the service recovers on its own', async () => {
    const before = await createSession();
    await temporal.cut();

    const refused = await service.request('POST', sessionsPath(), {});
    expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    });
    const message = await service.request('POST', `${sessionsPath()}/${before.workflow_run_id}/messages`, {
      text: callersLines[0],
      expected_revision: before.revision,
    });
    expect(message.status).toBe(503);
    expect(await readiness()).toMatchObject({
      status: 503,
      body: { ready: false, checks: { mysql: 'ok', temporal: expect.not.stringMatching(/^ok$/) } },
    });
    const edited = await service.request('PUT', `/workflow/${agentId}`, {
      name: 'Edited while Temporal was away',
    });
    expect(edited.status).toBe(200);

    await temporal.mend();
    await eventually('the API is ready again', async () =>
      (await readiness()).status === 200 ? true : undefined,
    );
    const runs = z
      .object({ runs: z.array(z.object({ state: z.string() })) })
      .parse((await service.request('GET', `/workflow/${agentId}/runs?limit=1`)).body);
    expect(runs.runs[0]?.state).toBe('completed');
    const answered = await eventually('the message is answered', () => sendOnce(before), {
      everyMs: 500,
    });
    expect({ revision: answered.revision, turns: answered.session_data.turns.length }).toEqual({
      revision: before.revision + 1,
      turns: 2,
    });
  });
});

describe('without MySQL', () => {
  test('reads and writes are answered 503 with Retry-After, readiness names MySQL, and a waiting message is answered after the outage', async () => {
    const before = await createSession();
    await mysql.cut();

    for (const [method, path, body] of [
      ['GET', `/workflow/fetch/${agentId}`],
      ['PUT', `/workflow/${agentId}`, { name: 'never' }],
      ['POST', sessionsPath(), {}],
    ] as const) {
      const answer = await service.request(method, path, body);
      expect({ path, status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
        path,
        status: 503,
        retryAfter: expect.stringMatching(/^[1-9]\d*$/),
      });
    }
    expect(await readiness()).toMatchObject({
      status: 503,
      body: { ready: false, checks: { mysql: expect.not.stringMatching(/^ok$/), temporal: 'ok' } },
    });

    await mysql.mend();
    await eventually('the API is ready again', async () =>
      (await readiness()).status === 200 ? true : undefined,
    );
    const agent = await service.request('GET', `/workflow/fetch/${agentId}`);
    expect(agent.body).toMatchObject({ name: expect.not.stringMatching('never') });
    const answered = await eventually('the message is answered', () => sendOnce(before), {
      everyMs: 500,
    });
    expect({ revision: answered.revision, turns: answered.session_data.turns.length }).toEqual({
      revision: before.revision + 1,
      turns: 2,
    });
  });

  test('a turn during which MySQL becomes unavailable is committed once, after the outage', async () => {
    const before = await createSession();
    const answer = service.request('POST', `${sessionsPath()}/${before.workflow_run_id}/messages`, {
      text: callersLines[0],
      expected_revision: before.revision,
    });
    await mysql.cut();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await mysql.mend();
    expect([200, 503]).toContain((await answer).status);
    const answered = await eventually('the message is answered', () => sendOnce(before), {
      everyMs: 500,
    });
    expect({ revision: answered.revision, turns: answered.session_data.turns.length }).toEqual({
      revision: before.revision + 1,
      turns: 2,
    });
  });
});

function sessionsPath(): string {
  return `/workflow/${agentId}/text-chat/sessions`;
}

async function createSession(): Promise<z.infer<typeof Session>> {
  return await eventually(
    'a conversation begins',
    async () => {
      const answer = await service.request('POST', sessionsPath(), {});
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return Session.parse(answer.body);
    },
    { everyMs: 500 },
  );
}

/** Repeats the request: it is carried out once and always answered the same. */
async function sendOnce(session: z.infer<typeof Session>): Promise<z.infer<typeof Session> | undefined> {
  const answer = await service.request('POST', `${sessionsPath()}/${session.workflow_run_id}/messages`, {
    text: callersLines[0],
    expected_revision: session.revision,
  });
  if (answer.status === 200) return Session.parse(answer.body);
  if (answer.status === 503) return undefined;
  throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

async function readiness(): Promise<{ status: number; body: z.infer<typeof Readiness> }> {
  const answer = await fetch(`${service.apiUrl}/readyz`);
  return { status: answer.status, body: Readiness.parse(await answer.json()) };
}

function addressOf(host: string): { host: string; port: number } {
  const [name = '127.0.0.1', port = ''] = host.split(':');
  return { host: name, port: Number(port) };
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestContext, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertDelivery, insertEndedCall } from '../support/delivery-rows.ts';
import { createClientHome, type ClientHome } from '../support/parlance.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let api: ApiUnderTest;
let home: ClientHome;
let key: string;
let ctx: ServiceContext;
const asked: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  api = await startApi(database.db, {
    deliveries: {
      resend: (input) => Promise.resolve(void asked.push(input)),
      drain: (input) => Promise.resolve(void asked.push(input)),
    },
  });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
beforeEach(async () => {
  asked.length = 0;
  const tenant = await createTenant(database.db);
  ({ key } = tenant);
  ctx = { ...(await createTestContext(database.db)), organizationId: tenant.organizationId };
  home = await createClientHome({ PARLANCE_URL: api.url, PARLANCE_API_KEY: key });
});
afterEach(() => home.remove());

describe('webhooks', () => {
  test('list shows deliveries, and resend sends one again', async () => {
    const call = await insertEndedCall(ctx);
    const failed = await insertDelivery(ctx, call, {
      state: 'dead_letter',
      attemptCount: 9,
      lastError: 'status 500',
    });
    const fine = await insertDelivery(ctx, call, {
      state: 'succeeded',
      attemptCount: 1,
      lastStatusCode: 200,
    });
    expect((await home.run(['webhooks', 'list'])).stdout).toMatch(
      new RegExp(
        `^DELIVERY [^]*\n${fine.uuid} .* succeeded +1 +200 +https://hooks.example.com/in\n${failed.uuid} .* dead_letter +9 +status 500 `,
      ),
    );
    expect(JSON.parse((await home.run(['webhooks', 'list', '--failed', '--json'])).stdout)).toMatchObject({
      items: [{ id: failed.uuid }],
    });
    expect(await home.run(['webhooks', 'resend', failed.uuid])).toMatchObject({
      code: 0,
      stdout: '1 webhook will be sent.\n',
    });
    expect(asked).toMatchObject([{ deliveryUuid: failed.uuid }]);
    expect(await home.run(['webhooks', 'resend', 'no-such'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('(404 not_found)'),
    });
  });

  test('resend --failed sends only dead letters since the given time', async () => {
    const call = await insertEndedCall(ctx);
    const [longAgo, lately] = [new Date(Date.now() - 5 * 86_400_000), new Date(Date.now() - 3_600_000)];
    await insertDelivery(ctx, call, { state: 'dead_letter', createdAt: longAgo });
    await insertDelivery(ctx, call, { state: 'succeeded', createdAt: lately });
    await insertDelivery(ctx, call, { state: 'dead_letter', createdAt: lately });
    expect(await home.run(['webhooks', 'resend', '--failed', '--since', '2h', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"queued":1}\n',
    });
    expect(asked).toHaveLength(1);
    expect(await home.run(['webhooks', 'resend', '--failed', '--since', '7d'])).toMatchObject({
      stdout: '2 webhooks will be sent, oldest first.\n',
    });
  });
});

describe('webhooks listen', () => {
  const body = '{"name":"Zoë 🙂"}';
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  async function listen(args: string[] = []) {
    const listening = home.start(['webhooks', 'listen', '--port', '0', ...args]);
    const url = await until('it listens', () =>
      Promise.resolve(/Listening on (http:\S+)\//.exec(listening.stderr())?.[1]),
    );
    const secrets = (await api.ask(key, 'GET', '/organizations/webhook-secrets')).body;
    const secret = String(at(secrets, 0, 'secret'));
    const send = async (headers: Record<string, string>) =>
      (await fetch(`${url}/in`, { method: 'POST', headers, body })).status;
    const signed = (id: string) => {
      const now = new Date();
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signWebhook({ id, at: now, body, secrets: [secret] }),
        'x-dograh-delivery-attempt': '3',
      };
    };
    return { listening, send, signed };
  }

  test("verifies with the API's secrets, tells genuine and repeated webhooks, and refuses all others", async () => {
    const { listening, send, signed } = await listen();
    expect([
      await send(signed('a-delivery')),
      await send(signed('a-delivery')),
      await send({ ...signed('other'), 'webhook-id': 'forged' }),
    ]).toEqual([204, 204, 401]);
    listening.child.kill('SIGINT');
    expect(await listening.ended).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(
        /genuine a-delivery attempt 3 POST \/in answered 204\n\{"name":"Zoë 🙂"\}\n[^]*repeated a-delivery[^]*NOT GENUINE forged/,
      ),
    });
  });

  test('forwards genuine webhooks unchanged and returns the status of the target', async () => {
    const { listening, send, signed } = await listen(['--forward', `${receiver.url}/hook?x=1`, '--json']);
    receiver.answerWith(() => ({ kind: 'answer', status: 418 }));
    const headers = signed('handed-on');
    expect([await send(headers), await send({ 'webhook-id': 'forged' })]).toEqual([418, 401]);
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        path: '/hook?x=1',
        body,
        headers: { 'webhook-signature': headers['webhook-signature'] },
      },
    ]);
    receiver.answerWith(() => ({ kind: 'drop' }));
    expect(await send(signed('nobody-there'))).toBe(502);
    listening.child.kill('SIGTERM');
    const { stdout } = await listening.ended;
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => at(JSON.parse(line), 'outcome')),
    ).toEqual(['genuine', 'not_genuine', 'genuine']);
  });

  test('a port in use: exit code 2 with a hint', async () => {
    const port = new URL(receiver.url).port;
    expect(await home.run(['webhooks', 'listen', '--port', port])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /Cannot listen on port \d+: .*EADDRINUSE[^]*Choose another port with --port/,
      ),
    });
  });
});

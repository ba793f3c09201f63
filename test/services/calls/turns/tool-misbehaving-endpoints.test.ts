import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CreateToolRequest } from '../../../../src/contract/tools.ts';
import { createTool, testTool } from '../../../../src/services/agents/index.ts';
import { runTool } from '../../../../src/services/calls/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { admitTextCall, conversationDeps, type AdmittedCall } from '../../../support/admitted-call.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../../../support/database.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';
import {
  createWatchedClient,
  startMisbehavingEndpoint,
  watchedHost,
  type MisbehavingEndpoint,
  type Misbehavior,
  type WatchedClient,
} from '../../../support/misbehaving-endpoint.ts';
import { startReceiver } from '../../../support/receiver.ts';

/** The answer for the model, and the result of a test of the tool. */
interface Expected {
  answer: Record<string, unknown>;
  testResult: Record<string, unknown>;
}

const noAnswer = (error: string, hint: string): Expected => ({
  answer: { status: 'error', status_code: null, error: expect.stringContaining(error) },
  testResult: {
    status: 'error',
    status_code: null,
    data: null,
    error: expect.stringContaining(error),
    hint: expect.stringContaining(hint),
  },
});
const cut = (data: unknown): Expected => ({
  answer: { status: 'success', status_code: 200, data, truncated: true },
  testResult: {
    status: 'error',
    status_code: 200,
    data,
    error: 'the answer is incomplete',
    hint: expect.stringContaining('answer less'),
  },
});
const redirected = (status: number): Expected => ({
  answer: { status: 'error', status_code: status, error: `the endpoint answered ${status}` },
  testResult: {
    status: 'error',
    status_code: status,
    hint: expect.stringContaining('Redirects are not followed'),
  },
});
const noJson: Expected = {
  answer: { status: 'success', status_code: 200, data: '<html>' },
  testResult: {
    status: 'error',
    status_code: 200,
    data: '<html>',
    error: 'the answer is not JSON',
    hint: expect.stringContaining('JSON'),
  },
};

describe.each(databases)('a tool whose endpoint misbehaves, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let call: AdmittedCall;
  let endpoint: MisbehavingEndpoint;
  let http: WatchedClient;
  let turnIndex = 0;

  beforeAll(async () => {
    endpoint = await startMisbehavingEndpoint();
    http = createWatchedClient();
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    call = await admitTextCall({ ctx, definition: threeStepDefinition() });
  });
  beforeEach(() => http.forget());
  afterAll(async () => {
    await http.close();
    await endpoint.close();
    await database.drop();
  });

  async function makeTool(url: string): Promise<string> {
    const {
      name,
      description,
      icon,
      icon_color: iconColor,
      definition,
    } = CreateToolRequest.parse({
      name: 'Order',
      definition: { type: 'http_api', config: { method: 'POST', url } },
    });
    return (await createTool({ ctx, input: { name, description, icon, iconColor, definition } })).tool_uuid;
  }
  const modelAnswer = async (toolUuid: string): Promise<unknown> => {
    turnIndex += 1;
    const asked = { id: 'c', name: 'order', argumentsText: '{}', values: {}, toolUuid };
    const { result } = await runTool({
      deps: { ...conversationDeps(ctx), http, secrets: testSecrets },
      input: { ...call, branch: 0, turnIndex, callIndex: 0, call: asked },
      signal: new AbortController().signal,
    });
    return JSON.parse(result);
  };
  const testResult = (uuid: string) =>
    testTool({ ctx, deps: { http, secrets: testSecrets }, input: { uuid, llmParams: {}, presetParams: {} } });

  test.each<[Misbehavior, Expected]>([
    ['hangs before its headers', noAnswer('did not answer within', 'timeout_ms')],
    ['hangs after its headers', cut(expect.stringMatching(/^\.+$/))],
    ['streams for ever', cut('x'.repeat(16_000))],
    ['answers 1 GB', cut('x'.repeat(16_000))],
    ['answers a gzip bomb', cut('')],
    ['redirects to a private address', redirected(307)],
    ['redirects for ever', redirected(302)],
    ['answers headers without end', noAnswer('headers that are too long', 'short')],
    ['breaks off before its headers', noAnswer('closed the connection', 'close the connection')],
    ['breaks off in its body', cut('{"cut":')],
    ['answers no HTTP', noAnswer('not HTTP', 'HTTP server')],
    ['answers no JSON', noJson],
  ])(
    'that %s is reported to the model and to a test of the tool after one request each, and is read only up to the maximum',
    async (behavior, expected) => {
      const before = endpoint.requests();
      const uuid = await makeTool(endpoint.url(behavior));
      expect(await modelAnswer(uuid)).toEqual(expected.answer);
      expect(await testResult(uuid)).toMatchObject(expected.testResult);
      expect(endpoint.requests()).toBe(before + 2);
      expect(http.bytesRead()).toBeLessThan(1_000_000);
    },
  );

  test('gets a hint about an untrusted certificate', async () => {
    const expected = noAnswer('No trusted TLS connection', 'certificate');
    const uuid = await makeTool(endpoint.tlsUrl);
    expect(await modelAnswer(uuid)).toEqual(expected.answer);
    expect(await testResult(uuid)).toMatchObject(expected.testResult);
  });

  test('is refused at a private address, and is connected to the checked address of a name that changes between check and connection', async () => {
    const uuid = await makeTool(`http://${watchedHost}/orders`);
    const expected = noAnswer('hooks.example.com is not a public address', 'operator');
    http.resolveTo(['10.0.0.1']);
    expect(await modelAnswer(uuid)).toEqual(expected.answer);
    expect(await testResult(uuid)).toMatchObject(expected.testResult);
    expect(http.connected).toEqual([]);

    const receiver = await startReceiver({
      answer: () => ({ kind: 'answer', status: 200, body: '{}', headers: { connection: 'close' } }),
    });
    http.playAddress('93.184.215.14', Number(receiver.host.split(':')[1]));
    for (const use of [modelAnswer, testResult]) {
      http.forget();
      http.resolveTo(['93.184.215.14'], ['10.0.0.1']);
      expect(await use(uuid)).toMatchObject({ status: 'success', data: {} });
      expect(http.connected).toEqual(['93.184.215.14']);
    }
    expect(receiver.requests).toHaveLength(2);
    await receiver.close();
  });
});

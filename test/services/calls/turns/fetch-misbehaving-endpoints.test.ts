import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../src/db/tables/calls.ts';
import { fetchBeforeCall } from '../../../../src/services/calls/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { admitTextCall, conversationDeps } from '../../../support/admitted-call.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../../../support/database.ts';
import { edge, node } from '../../../support/definitions.ts';
import {
  createWatchedClient,
  startMisbehavingEndpoint,
  watchedHost,
  type MisbehavingEndpoint,
  type Misbehavior,
  type WatchedClient,
} from '../../../support/misbehaving-endpoint.ts';
import { startReceiver, type Answer, type Receiver } from '../../../support/receiver.ts';

describe.each(databases)('a fetch before the call from an endpoint that misbehaves, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let endpoint: MisbehavingEndpoint;
  let receiver: Receiver;
  let http: WatchedClient;

  beforeAll(async () => {
    [endpoint, receiver] = [await startMisbehavingEndpoint(), await startReceiver()];
    http = createWatchedClient();
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  beforeEach(() => http.forget());
  afterAll(async () => {
    await http.close();
    await endpoint.close();
    await receiver.close();
    await database.drop();
  });

  /** The record of a call that fetched from this address. */
  async function fetched(url: string) {
    const definition = {
      nodes: [
        node('start', 'startCall', {
          name: 'Start',
          prompt: 'x',
          pre_call_fetch_mode: 'always',
          pre_call_fetch_url: url,
        }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'x' }),
      ],
      edges: [edge('e', 'start', 'bye', 'done')],
    };
    const call = await admitTextCall({ ctx, definition, initialContext: { name: 'Ada', record_key: 'own' } });
    await fetchBeforeCall({
      deps: { ...conversationDeps(ctx), http, secrets: testSecrets },
      input: { ...call, startNodeId: 'start' },
      signal: new AbortController().signal,
    });
    const { logs, initialContext } = await database.db
      .getRepository(calls)
      .findOneByOrFail({ id: call.callId });
    return { log: logs['pre_call_fetch'], initialContext };
  }
  const answer = (rule: Partial<Extract<Answer, { kind: 'answer' }>>) =>
    receiver.answerWith(() => ({ kind: 'answer', status: 200, ...rule }));

  test.each<[Misbehavior, number | null, string]>([
    ['hangs before its headers', null, 'did not answer within'],
    ['hangs after its headers', 200, 'incomplete, compressed or over 262144 bytes'],
    ['streams for ever', 200, 'incomplete, compressed or over 262144 bytes'],
    ['answers 1 GB', 200, 'incomplete, compressed or over 262144 bytes'],
    ['answers a gzip bomb', 200, 'incomplete, compressed or over 262144 bytes'],
    ['redirects to a private address', null, '169.254.169.254 is not a public address'],
    ['redirects for ever', 302, 'The endpoint answered 302'],
    ['answers headers without end', null, 'headers that are too long'],
    ['breaks off before its headers', null, 'closed the connection before it had answered'],
    ['breaks off in its body', 200, 'incomplete, compressed or over 262144 bytes'],
    ['answers no HTTP', null, 'not HTTP'],
    ['answers no JSON', 200, 'not JSON'],
  ])(
    'that %s leaves the values unchanged, is logged with the call, and is read only up to the maximum',
    async (behavior, status, error) => {
      const { log, initialContext } = await fetched(endpoint.url(behavior));
      expect(log).toEqual({ status, error: expect.stringContaining(error), duration_ms: expect.any(Number) });
      expect(initialContext).toMatchObject({ name: 'Ada', record_key: 'own' });
      expect(http.bytesRead()).toBeLessThan(1_000_000);
    },
  );

  test('follows two redirects but not a third', async () => {
    const before = endpoint.requests();
    await fetched(endpoint.url('redirects for ever'));
    expect(endpoint.requests()).toBe(before + 3);
  });

  test('logs an untrusted certificate as an error', async () => {
    expect((await fetched(endpoint.tlsUrl)).log).toMatchObject({
      status: null,
      error: expect.stringContaining('No trusted TLS connection'),
    });
  });

  test('refuses a name with a private address, and connects to the checked address of a name that changes between check and connection', async () => {
    http.playAddress('93.184.215.14', Number(receiver.host.split(':')[1]));
    answer({ body: '{"initial_context":{"name":"Grace"}}', headers: { connection: 'close' } });
    http.resolveTo(['127.0.0.1']);
    expect((await fetched(`http://${watchedHost}/`)).log).toMatchObject({
      status: null,
      error: 'hooks.example.com is not a public address',
    });
    expect(http.connected).toEqual([]);
    http.resolveTo(['93.184.215.14'], ['127.0.0.1']);
    expect(await fetched(`http://${watchedHost}/`)).toMatchObject({
      log: { status: 200, error: null },
      initialContext: { name: 'Grace' },
    });
    expect(http.connected).toEqual(['93.184.215.14']);
  });

  test('refuses a redirect to a name with a private address', async () => {
    http.resolveTo(['10.0.0.1']);
    answer({ status: 302, headers: { location: `http://${watchedHost}/` } });
    expect((await fetched(`${receiver.url}/`)).log).toMatchObject({
      status: null,
      error: 'hooks.example.com is not a public address',
    });
  });

  test('never changes keys that only the service writes', async () => {
    answer({
      body: '{"initial_context":{"name":"Grace","record_key":"x","provider":"x","runtime_configuration":"x","caller_number":"x","called_number":"x","ext_customer_id":"x"}}',
    });
    const { initialContext } = await fetched(`${receiver.url}/`);
    expect(initialContext).toEqual({
      name: 'Grace',
      record_key: 'own',
      runtime_configuration: { llm_provider: 'simulated', llm_model: 'test-model' },
    });
  });
});

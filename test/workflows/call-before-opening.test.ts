import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { calls } from '../../src/db/tables/calls.ts';
import { createGuardedClient } from '../../src/providers/http/guarded-client.ts';
import type { CustomerHttpPort } from '../../src/providers/http/port.ts';
import { createCredential } from '../../src/services/identity/index.ts';
import { createTextSession, sendMessage } from '../../src/services/calls/index.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { testSecrets } from '../support/database.ts';
import { edge, node } from '../support/definitions.ts';
import { ok, startReceiver, type Answer, type Receiver } from '../support/receiver.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';

const failing = { opening: false };
const llm = createScriptedLlm({
  before: (_request, said) => (said === '' && failing.opening ? { fail: true } : undefined),
});
let world: CallWorld;
let receiver: Receiver;
let http: ReturnType<typeof createGuardedClient>;

beforeAll(async () => {
  receiver = await startReceiver();
  http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: [receiver.host] });
  const quickToGiveUp: CustomerHttpPort = {
    request: (request) => http.request({ ...request, timeoutMs: Math.min(request.timeoutMs, 500) }),
  };
  world = await createCallWorld({ llm });
  await world.startWorker({ deps: { http: quickToGiveUp } });
});

afterEach(() => receiver.answerWith(ok));

afterAll(async () => {
  await world.close();
  await http.close();
  await receiver.close();
});

/** A start node that fetches, and one step after it. */
function fetching(data: Record<string, unknown> = {}) {
  const fetch = { pre_call_fetch_mode: 'always', pre_call_fetch_url: `${receiver.url}/lookup` };
  return {
    nodes: [
      node('start', 'startCall', {
        name: 'Start',
        prompt: 'Plan: {{plan}}.',
        greeting: 'Hello {{name | there}}.',
        ...fetch,
        ...data,
      }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'Bye.' }),
    ],
    edges: [edge('e', 'start', 'bye', 'done')],
  };
}

const answer = (body: unknown, more: Partial<Extract<Answer, { kind: 'answer' }>> = {}) =>
  receiver.answerWith(() => ({
    kind: 'answer',
    status: 200,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  }));
const greeting = (session: {
  opening: { session_data: { turns: { assistant_message: { text: string } | null }[] } };
}) => session.opening.session_data.turns[0]?.assistant_message?.text;

describe('a fetch before the call', () => {
  test('is sent once, with the call and its credential, and its values are in the greeting, the prompts and the record', async () => {
    const credential = await createCredential({
      ctx: world.ctx,
      secrets: testSecrets,
      input: { name: 'CRM', description: null, type: 'bearer_token', data: { token: 'shown once' } },
    });
    answer({
      call_inbound: {
        initial_context: { name: 'Ada', plan: 'gold' },
        dynamic_variables: { name: 'older key' },
      },
      initial_context: { name: 'outer' },
    });
    const before = receiver.requests.length;
    const session = await world.open(fetching({ pre_call_fetch_credential_uuid: credential.uuid }), {
      name: 'Unknown',
      caller_number: '+15550001',
    });
    expect(greeting(session)).toBe('Hello Ada.');
    const [request, ...others] = receiver.requests.slice(before);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/lookup',
      headers: { authorization: 'Bearer shown once', 'content-type': 'application/json' },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      event: 'call_inbound',
      call_inbound: {
        agent_id: session.agentId,
        from_number: '+15550001',
        to_number: '',
        direction: 'inbound',
        workflow_run_id: session.callId,
        initial_context: {
          name: 'Unknown',
          caller_number: '+15550001',
          runtime_configuration: { llm_provider: 'simulated', llm_model: 'test-model' },
        },
      },
    });
    await session.say('hello', 1);
    expect(llm.requests.at(-1)?.messages[0]?.content).toBe('Plan: gold.');
    expect(await session.row()).toMatchObject({
      initialContext: { name: 'Ada', plan: 'gold' },
      logs: { pre_call_fetch: { status: 200, error: null, duration_ms: expect.any(Number) } },
    });
    await session.end(2);
    expect((await session.row()).logs).toHaveProperty('pre_call_fetch');
  });

  test('cannot change values of the service or the target of the call, but may change the greeting', async () => {
    answer({
      initial_context: {
        provider: 'x',
        runtime_configuration: 'x',
        caller_number: 'x',
        called_number: 'x',
        ext_customer_id: 'x',
        record_key: 'x',
        greeting_override: { type: 'text', text: 'Overridden for {{name}}.' },
        name: 'Ada',
      },
    });
    const session = await world.open(fetching(), { ext_customer_id: 'own' });
    expect(greeting(session)).toBe('Overridden for Ada.');
    const { initialContext } = await session.row();
    expect(initialContext).toMatchObject({
      ext_customer_id: 'own',
      runtime_configuration: { llm_model: 'test-model' },
    });
    for (const key of ['provider', 'caller_number', 'called_number', 'record_key'])
      expect(initialContext).not.toHaveProperty(key);
  });

  const redirect = (location: string): Answer => ({ kind: 'answer', status: 302, headers: { location } });
  test.each<[string, () => Answer, { status?: number | null; error: string | RegExp }]>([
    ['does not answer', () => ({ kind: 'hang' }), { status: null, error: 'did not answer within' }],
    ['closes the connection', () => ({ kind: 'drop' }), { status: null, error: 'closed the connection' }],
    ['answers an error', () => ({ kind: 'answer', status: 503 }), { status: 503, error: 'answered 503' }],
    [
      'answers more than 256 kB',
      () => ({
        kind: 'answer',
        status: 200,
        body: JSON.stringify({ initial_context: { name: 'x'.repeat(300_000) } }),
      }),
      { status: 200, error: 'over 262144 bytes' },
    ],
    [
      'does not answer with JSON',
      () => ({ kind: 'answer', status: 200, body: '<html>' }),
      { status: 200, error: 'not JSON' },
    ],
    [
      'answers a list',
      () => ({ kind: 'answer', status: 200, body: '[]' }),
      { status: 200, error: 'not a JSON object' },
    ],
    [
      'redirects to a private address',
      () => redirect('http://169.254.169.254/latest/meta-data'),
      { status: null, error: 'not a public address' },
    ],
    // On a busy machine the time for all requests together is over first.
    ['redirects forever', () => redirect('/again'), { error: /answered 302|did not answer within/ }],
  ])('that %s does not affect the call, and is logged with it', async (_name, rule, { error, ...logged }) => {
    receiver.answerWith(rule);
    const session = await world.open(fetching());
    expect(greeting(session)).toBe('Hello there.');
    expect((await session.row()).logs).toMatchObject({
      pre_call_fetch: { ...logged, error: expect.stringMatching(error) },
    });
  });

  test('follows two redirects, and sends its credential to no other origin', async () => {
    const other = await startReceiver({
      answer: () => ({ kind: 'answer', status: 200, body: '{"initial_context":{"name":"Grace"}}' }),
    });
    const both = createGuardedClient({ allowHttp: true, allowedPrivateHosts: [receiver.host, other.host] });
    try {
      receiver.answerWith(({ path }) => ({
        kind: 'answer',
        status: 307,
        headers: { location: path === '/lookup' ? '/next' : `${other.url}/last` },
      }));
      const outcome = await both.request({
        method: 'POST',
        url: `${receiver.url}/lookup`,
        headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
        body: '{}',
        timeoutMs: 5000,
        maxResponseBytes: 1000,
        maxRedirects: 2,
      });
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 200 });
      expect(receiver.requests.at(-1)).toMatchObject({
        path: '/next',
        method: 'POST',
        body: '{}',
        headers: { authorization: 'Bearer secret' },
      });
      expect(other.requests).toMatchObject([{ path: '/last', method: 'POST', body: '{}' }]);
      expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    } finally {
      await both.close();
      await other.close();
    }
  });

  test('is not sent in a mode for spoken calls, and not again when the opening is repeated', async () => {
    const before = receiver.requests.length;
    await world.open(fetching({ pre_call_fetch_mode: 'inbound' }));
    expect(receiver.requests.length).toBe(before);

    failing.opening = true;
    const agentId = await world.createAgent(fetching({ greeting: null }));
    const deps = { calls: world.starter };
    await expect(
      createTextSession({ ctx: world.ctx, deps, input: { agentId, initialContext: {}, annotations: {} } }),
    ).rejects.toMatchObject({ code: 'provider' });
    failing.opening = false;
    const { id: callId } = await world.ctx.db.getRepository(calls).findOneByOrFail({ agentId });
    const answered = await sendMessage({ ctx: world.ctx, deps, input: { agentId, callId, text: 'hello' } });
    expect(answered.session_data.turns).toHaveLength(2);
    expect(receiver.requests.length).toBe(before + 1);
  });
});

describe('a delayed start', () => {
  test('waits before the opening, but not again after a rewind to the beginning', async () => {
    const definition = fetching({
      pre_call_fetch_mode: 'disabled',
      delayed_start: true,
      delayed_start_duration: 0.7,
    });
    const begun = performance.now();
    const session = await world.open(definition);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(700);
    expect(greeting(session)).toBe('Hello there.');
    expect(await timersOf(session.callUuid)).toBe(1);
    await session.rewind(null, 1);
    expect(await timersOf(session.callUuid)).toBe(1);
  });
});

/** The number of timers for the wait in the history of a call. */
async function timersOf(callUuid: string): Promise<number> {
  const { events } = await world.temporal.client.workflow.getHandle(`call/${callUuid}`).fetchHistory();
  return (events ?? []).filter(
    ({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout?.nanos === 700_000_000,
  ).length;
}

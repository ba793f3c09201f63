import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Action } from '../../../emulators/llm/rules.ts';
import { createGuardedClient, type GuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { createCustomerLlms } from '../../../src/providers/llm/customer.ts';
import type { CustomerLlm, CustomerLlms, LlmPort } from '../../../src/providers/llm/port.ts';
import { collectReply } from '../../../src/services/models/collect-reply.ts';
import { startLlmBench, type LlmBench } from '../../support/llm-emulator.ts';
import { createFakeCustomerHttp, answered } from '../../support/fake-customer-http.ts';
import { aRequest, never } from './conformance.ts';

let bench: LlmBench;
let http: GuardedClient;
let llms: CustomerLlms;

beforeAll(async () => {
  bench = await startLlmBench();
  http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: ['127.0.0.1:*'] });
  llms = createCustomerLlms({
    http,
    addresses: { openai: bench.emulator.url, openrouter: bench.emulator.url, anthropic: bench.emulator.url },
  });
});
afterAll(async () => {
  await http.close();
  await bench.close();
});

/** The customer's model, with a key for which the emulator does this. */
function customers(
  provider: CustomerLlm['provider'],
  action: Action,
  { endpoint = null as string | null, by = llms } = {},
): { llm: LlmPort; key: string } {
  const key = `simulated-${randomUUID()}`;
  bench.emulator.rules.add([{ name: 'answer', answer: action }], key);
  return { llm: by({ provider, apiKey: key, endpoint }), key };
}
const ask = async (llm: LlmPort) =>
  await collectReply(
    llm.stream(
      { ...aRequest, timeouts: { connectMs: 5000, firstTokenMs: 5000, stallMs: 5000, wholeMs: 5000 } },
      { signal: never() },
    ),
  );
const origin = () => new URL(bench.emulator.url).origin;

describe("a model with a customer's key", () => {
  test.each(['openai', 'openrouter', 'anthropic'] as const)(
    'of %s is asked with that key',
    async (provider) => {
      const { llm, key } = customers(provider, { say: 'It went well.' });
      expect(await ask(llm)).toMatchObject({ text: 'It went well.', usage: { estimated: false } });
      expect(bench.emulator.log.entries(key)).toHaveLength(1);
      expect(llm).toMatchObject({ simulated: true });
    },
  );

  test("of azure is asked at the customer's resource", async () => {
    const { llm, key } = customers('azure', { say: 'It went well.' }, { endpoint: `${origin()}/` });
    expect((await ask(llm)).text).toBe('It went well.');
    expect(bench.emulator.log.entries(key)).toMatchObject([
      { status: 200, request: { model: aRequest.model } },
    ]);
  });

  test('reports failures as any model does', async () => {
    await expect(ask(customers('openai', { fail: { status: 401 } }).llm)).rejects.toMatchObject({
      code: 'provider',
      retryable: false,
      reason: 'refused_key',
    });
    await expect(
      ask(customers('openai', { fail: { status: 429, retryAfterSeconds: 7 } }).llm),
    ).rejects.toMatchObject({ code: 'provider', retryable: true, retryAfterMs: 7000 });
    await expect(ask(customers('openai', { fail: { status: 503 } }).llm)).rejects.toMatchObject({
      code: 'provider',
      retryable: true,
      reason: 'server_error',
    });
    await expect(ask(customers('openai', { say: 'Well', breakOff: 'reset' }).llm)).rejects.toMatchObject({
      code: 'provider',
      retryable: true,
    });
  });

  test('times out when it hangs, and stops at once on an abort', async () => {
    const { llm } = customers('openai', { say: 'Well', stall: 'mid_stream' });
    const timeouts = { connectMs: 150, firstTokenMs: 150, stallMs: 150, wholeMs: 150 };
    await expect(
      collectReply(llm.stream({ ...aRequest, timeouts }, { signal: never() })),
    ).rejects.toMatchObject({ code: 'provider', retryable: true, reason: 'timeout' });
    await expect(collectReply(llm.stream(aRequest, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      reason: 'aborted',
      retryable: false,
    });
  });

  test('streams its answer', async () => {
    const { llm } = customers('openai', { say: 'Well said', stall: 'mid_stream' });
    const left = new AbortController();
    const events = llm.stream(aRequest, { signal: left.signal })[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { kind: 'text' } });
    left.abort();
    await expect(events.next()).rejects.toMatchObject({ reason: 'aborted' });
  });

  test("is asked at the URL that the customer names, not at the vendor's", async () => {
    const { key } = customers('openai', { say: 'It went well.' });
    const own = createCustomerLlms({ http, addresses: { openai: 'http://127.0.0.1:1' } })({
      provider: 'openai',
      apiKey: key,
      endpoint: bench.emulator.url,
      temperature: 0.3,
    });
    expect((await ask(own)).text).toBe('It went well.');
    expect(bench.emulator.log.entries(key)).toMatchObject([{ status: 200, request: { temperature: 0.3 } }]);
  });

  test('of a vendor without a URL is never asked', async () => {
    await expect(
      ask(llms({ provider: 'openai_compatible', apiKey: 'k', endpoint: null })),
    ).rejects.toMatchObject({ code: 'provider', retryable: false });
  });

  test('behind a forbidden URL is never asked, and the error is not retryable', async () => {
    const strict = createGuardedClient();
    try {
      const guarded = createCustomerLlms({ http: strict });
      for (const endpoint of [
        'https://127.0.0.1',
        'https://169.254.169.254/openai/v1',
        'https://[::1]',
        'http://example.com',
        'https://user:password@example.com',
        origin(),
      ]) {
        const { llm, key } = customers('azure', { say: 'reached' }, { endpoint, by: guarded });
        await expect(ask(llm)).rejects.toMatchObject({ code: 'provider', retryable: false });
        expect(bench.emulator.log.entries(key)).toEqual([]);
      }
    } finally {
      await strict.close();
    }
  });

  test('does not follow redirects', async () => {
    const fake = createFakeCustomerHttp();
    fake.answerWith(answered(307, { location: 'http://169.254.169.254/' }));
    await expect(
      ask(
        createCustomerLlms({ http: fake })({
          provider: 'azure',
          apiKey: 'k',
          endpoint: 'https://me.openai.azure.com',
        }),
      ),
    ).rejects.toMatchObject({ code: 'provider' });
    expect(fake.requests.map(({ url, maxRedirects = 0 }) => ({ url, maxRedirects }))).toEqual([
      {
        url: 'https://me.openai.azure.com/openai/deployments/test-model/chat/completions?api-version=2024-10-21',
        maxRedirects: 0,
      },
    ]);
  });

  test('has a maximum answer size', async () => {
    const fake = createFakeCustomerHttp();
    fake.answerWith({
      kind: 'answered',
      statusCode: 200,
      headers: {},
      bodyText: 'data: {"choices":[{"delta":{"content":"It went"}}]}\n\n',
      truncated: true,
    });
    await expect(
      ask(createCustomerLlms({ http: fake })({ provider: 'openai', apiKey: 'k', endpoint: null })),
    ).rejects.toMatchObject({ code: 'provider', retryable: true, reason: 'lost' });
    expect(fake.requests[0]?.maxResponseBytes).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(fake.requests[0]?.headers).toMatchObject({ authorization: 'Bearer k' });
  });
});

import { describe, expect, test } from '@jest/globals';
import type { PriceList } from '../../../src/domain/call/cost.ts';
import { ProviderError } from '../../../src/domain/errors.ts';
import { measuredLlm } from '../../../src/providers/llm/measured.ts';
import { createPrometheus } from '../../../src/runtime/prometheus.ts';
import { FakeLlm, type FakeReply } from '../../support/fake-llm.ts';
import { sumOf } from '../../support/metrics-text.ts';
import { aRequest, never, watch } from './conformance.ts';

async function measured(
  reply: FakeReply,
  { request = aRequest, signal = never(), prices = undefined as PriceList | undefined } = {},
) {
  const { metrics, scrape } = createPrometheus({
    role: 'worker',
    labelValues: { model: ['simulated|||test-model'] },
  });
  const seen = await watch(
    measuredLlm(new FakeLlm([reply]), { metrics, prices }).stream(request, { signal }),
  );
  const { text } = await scrape();
  return { ...seen, sum: (name: string, labels: Record<string, string> = {}) => sumOf(text, name, labels) };
}

describe('a measured language model', () => {
  test('answers exactly as the model does', async () => {
    const plain = await watch(
      new FakeLlm([{ text: 'Good day to you' }]).stream(aRequest, { signal: never() }),
    );
    expect((await measured({ text: 'Good day to you' })).events).toEqual(plain.events);
  });

  test('measures the first word, the whole answer, and every token once', async () => {
    const { events, sum } = await measured({ text: 'Good day' });
    const usage = events.flatMap((event) =>
      event.kind === 'end' && event.usage !== null ? [event.usage] : [],
    )[0];
    expect(sum('parlance_model_first_token_seconds_count', { form: 'words' })).toBe(1);
    expect(sum('parlance_model_answer_seconds_count', { form: 'words' })).toBe(1);
    expect(usage?.totalTokens).toBeGreaterThan(0);
    expect(sum('parlance_model_tokens_total', { form: 'words' })).toBe(usage?.totalTokens);
  });

  test('separates models and their costs; a model without a price has no cost', async () => {
    const prices = {
      'simulated|||test-model': { prompt: 1_000_000, cachedPrompt: 0, completion: 2_000_000 },
    };
    const { events, sum } = await measured({ text: 'Good day' }, { prices });
    const usage = events.flatMap((event) =>
      event.kind === 'end' && event.usage !== null ? [event.usage] : [],
    )[0];
    expect(sum('parlance_model_tokens_total', { model: 'simulated|||test-model' })).toBe(usage?.totalTokens);
    expect(sum('parlance_model_cost_usd_total', { model: 'simulated|||test-model' })).toBe(
      (usage?.promptTokens ?? 0) + 2 * (usage?.completionTokens ?? 0),
    );
    const unpriced = await measured(
      { text: 'Good day' },
      { prices, request: { ...aRequest, model: 'of a customer' } },
    );
    expect(unpriced.sum('parlance_model_tokens_total', { model: 'other' })).toBeGreaterThan(0);
    expect(unpriced.sum('parlance_model_cost_usd_total')).toBe(0);
  });

  test('counts the tokens of an answer that broke off', async () => {
    const { sum } = await measured({ text: 'Good', fail: true });
    expect(sum('parlance_model_tokens_total', { token_kind: 'prompt' })).toBeGreaterThan(0);
    expect(sum('parlance_model_tokens_total', { token_kind: 'completion' })).toBe(1);
  });

  test('separates extraction from conversation by the format of the answer', async () => {
    const { sum } = await measured(
      { text: '{}' },
      { request: { ...aRequest, responseFormat: { name: 'extraction', schema: {} } } },
    );
    expect(sum('parlance_model_answer_seconds_count', { form: 'json' })).toBe(1);
  });

  test('separates judgments from both in any format, because no one waits for them', async () => {
    const { sum } = await measured({ text: '{}' }, { request: { ...aRequest, measuredAs: 'judgment' } });
    expect(sum('parlance_model_answer_seconds_count', { form: 'judgment' })).toBe(1);
    expect(sum('parlance_model_answer_seconds_count', { form: 'words' }) ?? 0).toBe(0);
  });

  test.each(['timeout', 'rate_limit', 'server_error', 'refused_key'] as const)(
    'counts a failure by its reason: %s',
    async (reason) => {
      const { error, sum } = await measured({
        text: 'Goo',
        fail: new ProviderError('The language model failed', { provider: 'llm', retryable: true, reason }),
      });
      expect(error).toBeInstanceOf(ProviderError);
      expect(sum('parlance_model_failures_total', { form: 'words', reason })).toBe(1);
      expect(sum('parlance_model_answer_seconds_count') ?? 0).toBe(0);
    },
  );

  test('does not count aborts by the caller as failures', async () => {
    const { sum } = await measured({
      fail: new ProviderError('aborted', { provider: 'llm', retryable: false, reason: 'aborted' }),
    });
    expect(sum('parlance_model_failures_total')).toBe(0);
  });
});

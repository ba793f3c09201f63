import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../../src/domain/errors.ts';
import { measuredLlm } from '../../../src/providers/llm/measured.ts';
import { createPrometheus } from '../../../src/runtime/prometheus.ts';
import { FakeLlm, type FakeReply } from '../../support/fake-llm.ts';
import { sumOf } from '../../support/metrics-text.ts';
import { aRequest, never, watch } from './conformance.ts';

async function measured(reply: FakeReply, { request = aRequest, signal = never() } = {}) {
  const { metrics, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
  const seen = await watch(measuredLlm(new FakeLlm([reply]), metrics).stream(request, { signal }));
  const { text } = await scrape();
  return { ...seen, sum: (name: string, labels: Record<string, string> = {}) => sumOf(text, name, labels) };
}

describe('a measured language model', () => {
  test('answers exactly what the model answers', async () => {
    const plain = await watch(new FakeLlm([{ text: 'Good day to you' }]).stream(aRequest, { signal: never() }));
    expect((await measured({ text: 'Good day to you' })).events).toEqual(plain.events);
  });

  test('shows first word, whole answer and every token once', async () => {
    const { events, sum } = await measured({ text: 'Good day' });
    const usage = events.flatMap((event) => (event.kind === 'end' && event.usage !== null ? [event.usage] : []))[0];
    expect(sum('parlance_model_first_token_seconds_count', { form: 'words' })).toBe(1);
    expect(sum('parlance_model_answer_seconds_count', { form: 'words' })).toBe(1);
    expect(usage?.totalTokens).toBeGreaterThan(0);
    expect(sum('parlance_model_tokens_total', { form: 'words' })).toBe(usage?.totalTokens);
  });

  test('tells extraction from conversation by the form of the answer', async () => {
    const { sum } = await measured({ text: '{}' }, { request: { ...aRequest, responseFormat: { name: 'extraction', schema: {} } } });
    expect(sum('parlance_model_answer_seconds_count', { form: 'json' })).toBe(1);
  });

  test.each(['timeout', 'rate_limit', 'server_error', 'refused_key'] as const)('counts a failure by its kind: %s', async (reason) => {
    const { error, sum } = await measured({ text: 'Goo', fail: new ProviderError('The language model failed', { provider: 'llm', retryable: true, reason }) });
    expect(error).toBeInstanceOf(ProviderError);
    expect(sum('parlance_model_failures_total', { form: 'words', reason })).toBe(1);
    expect(sum('parlance_model_answer_seconds_count') ?? 0).toBe(0);
  });

  test('counts no failure when the caller gave up', async () => {
    const { sum } = await measured({ fail: new ProviderError('aborted', { provider: 'llm', retryable: false, reason: 'aborted' }) });
    expect(sum('parlance_model_failures_total')).toBe(0);
  });
});

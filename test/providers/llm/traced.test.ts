import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../../src/domain/errors.ts';
import { tracedLlm } from '../../../src/providers/llm/traced.ts';
import { noTracing } from '../../../src/runtime/tracing.ts';
import { FakeLlm, type FakeReply } from '../../support/fake-llm.ts';
import { recordedTracing } from '../../support/recorded-tracing.ts';
import { aRequest, describeConformance, never, watch } from './conformance.ts';

async function traced(reply: FakeReply, request = aRequest) {
  const { tracing, spans } = recordedTracing();
  const seen = await watch(tracedLlm(new FakeLlm([reply]), tracing).stream(request, { signal: never() }));
  return { ...seen, spans };
}

describeConformance('the traced model', (reply) =>
  tracedLlm(new FakeLlm(() => reply), recordedTracing().tracing),
);

describe('a request of a traced model', () => {
  test('is one span with model, tokens and times, but no words', async () => {
    const { events, spans } = await traced(
      { text: 'Rumpelstiltskin' },
      { ...aRequest, messages: [{ role: 'user', content: 'Zanzibar' }] },
    );
    const end = events.find((event) => event.kind === 'end');
    expect(spans).toEqual([
      {
        name: 'chat test-model',
        kind: 'client',
        timesEnded: 1,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'simulated',
          'gen_ai.request.model': 'test-model',
          'gen_ai.request.stream': true,
          'gen_ai.output.type': 'text',
          'gen_ai.response.time_to_first_chunk': expect.any(Number),
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': end?.usage?.promptTokens,
          'gen_ai.usage.output_tokens': end?.usage?.completionTokens,
          'gen_ai.usage.cache_read.input_tokens': 0,
          'parlance.simulated': true,
        },
      },
    ]);
    expect(end?.usage?.promptTokens).toBeGreaterThan(0);
  });

  test('records an unknown finish reason as other', async () => {
    expect(
      (await traced({ text: 'Hi', finishReason: 'Ada said so' })).spans[0]?.attributes[
        'gen_ai.response.finish_reasons'
      ],
    ).toEqual(['other']);
  });

  test('records the reason of a failure', async () => {
    const { spans, error } = await traced({
      text: 'Goo',
      fail: new ProviderError('Rumpelstiltskin', { provider: 'llm', retryable: true, reason: 'rate_limit' }),
    });
    expect(error).toBeInstanceOf(ProviderError);
    expect(spans).toEqual([expect.objectContaining({ failure: 'rate_limit', timesEnded: 1 })]);
  });

  test('ends when its reader leaves', async () => {
    const { tracing, spans } = recordedTracing();
    for await (const event of tracedLlm(new FakeLlm([{ text: 'one two three' }]), tracing).stream(aRequest, {
      signal: never(),
    }))
      if (event.kind === 'text') break;
    expect(spans).toEqual([expect.objectContaining({ failure: 'left', timesEnded: 1 })]);
  });
});

test('is not traced in a process without tracing', () => {
  const llm = new FakeLlm([]);
  expect(tracedLlm(llm, noTracing)).toBe(llm);
});

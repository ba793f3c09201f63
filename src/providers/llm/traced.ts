import { ProviderError } from '../../domain/errors.ts';
import { failureKind, type OpenSpan, type SpanAttributes, type Tracing } from '../../runtime/tracing.ts';
import type { LlmEnd, LlmEvent, LlmPort, LlmRequest } from './port.ts';

/**
 * Wraps a port: one span per request by OpenTelemetry's conventions for generative AI, with model, tokens and
 * times, but no words.
 */
export function tracedLlm(llm: LlmPort, tracing: Tracing): LlmPort {
  if (!tracing.isOn) return llm;
  return {
    simulated: llm.simulated,
    provider: llm.provider,
    stream: (request, options) =>
      traced(llm.stream(request, options), () =>
        tracing.begin({ name: `chat ${request.model}`, kind: 'client', attributes: asked(llm, request) }),
      ),
  };
}

/**
 * The span begins when the first event is requested and ends with the stream: complete, failed, or left by
 * its reader.
 */
async function* traced(events: AsyncIterable<LlmEvent>, begin: () => OpenSpan): AsyncGenerator<LlmEvent> {
  const span = begin();
  const begun = performance.now();
  let isFirst = true;
  let failure: string | undefined = 'left';
  try {
    for await (const event of events) {
      if (isFirst && event.kind !== 'end')
        span.annotate({ 'gen_ai.response.time_to_first_chunk': (performance.now() - begun) / 1000 });
      isFirst = false;
      if (event.kind === 'end') {
        span.annotate(answered(event));
        failure = undefined;
      }
      yield event;
    }
  } catch (error) {
    failure = error instanceof ProviderError ? error.reason : failureKind(error);
    throw error;
  } finally {
    span.end({ failure });
  }
}

function asked({ provider, simulated }: LlmPort, { model, responseFormat }: LlmRequest): SpanAttributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.request.stream': true,
    'gen_ai.output.type': responseFormat === undefined ? 'text' : 'json',
    'parlance.simulated': simulated,
  };
}

/** Known finish reasons of providers; others are possible. */
const finishReasons = ['stop', 'length', 'tool_calls', 'function_call', 'content_filter'];

function answered({ finishReason, usage }: LlmEnd): SpanAttributes {
  return {
    'gen_ai.response.finish_reasons':
      finishReason === null ? undefined : [finishReasons.includes(finishReason) ? finishReason : 'other'],
    'gen_ai.usage.input_tokens': usage?.promptTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedPromptTokens,
  };
}

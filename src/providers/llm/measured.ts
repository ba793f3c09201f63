import { ProviderError } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { LlmEvent, LlmPort, LlmRequest, LlmUsage } from './port.ts';

/** The same language model, with its times, tokens and failures measured. Requests that the caller aborted are nobody's failure. */
export function measuredLlm(llm: LlmPort, metrics: Metrics): LlmPort {
  return {
    simulated: llm.simulated,
    provider: llm.provider,
    stream: (request, options) => measure(llm.stream(request, options), request, metrics),
  };
}

async function* measure(events: AsyncIterable<LlmEvent>, request: LlmRequest, metrics: Metrics): AsyncGenerator<LlmEvent> {
  const form = request.responseFormat === undefined ? 'words' : 'json';
  const begun = performance.now();
  const sinceBegun = () => (performance.now() - begun) / 1000;
  let isFirst = true;
  try {
    for await (const event of events) {
      if (isFirst && event.kind !== 'end') metrics.observe('parlance_model_first_token_seconds', { form }, sinceBegun());
      isFirst = false;
      if (event.kind === 'end') {
        metrics.observe('parlance_model_answer_seconds', { form }, sinceBegun());
        if (event.usage !== null) countTokens(metrics, form, event.usage);
      }
      yield event;
    }
  } catch (error) {
    const reason = error instanceof ProviderError ? error.reason : 'other';
    if (reason !== 'aborted') metrics.count('parlance_model_failures_total', { form, reason });
    throw error;
  }
}

/** `prompt` is what was not read from the provider's cache, so that the kinds add up to all tokens. */
function countTokens(metrics: Metrics, form: string, { promptTokens, cachedPromptTokens, completionTokens }: LlmUsage): void {
  metrics.count('parlance_model_tokens_total', { form, token_kind: 'prompt' }, promptTokens - cachedPromptTokens);
  metrics.count('parlance_model_tokens_total', { form, token_kind: 'cached_prompt' }, cachedPromptTokens);
  metrics.count('parlance_model_tokens_total', { form, token_kind: 'completion' }, completionTokens);
}

import { costOf, type PriceList } from '../../domain/call/cost.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { LlmEvent, LlmPort, LlmRequest, LlmUsage } from './port.ts';

export interface Meter {
  metrics: Metrics;
  /** Prices of tokens; without them, costs are not counted. */
  prices?: PriceList | undefined;
}

interface Measuring {
  events: AsyncIterable<LlmEvent>;
  request: LlmRequest;
  provider: string;
  meter: Meter;
}

/**
 * Wraps a port: measures times, tokens and failures. Requests that the caller aborted do not count as
 * failures.
 */
export function measuredLlm(llm: LlmPort, meter: Meter): LlmPort {
  return {
    simulated: llm.simulated,
    provider: llm.provider,
    stream: (request, options) =>
      measure({ events: llm.stream(request, options), request, provider: llm.provider, meter }),
  };
}

async function* measure({ events, request, provider, meter }: Measuring): AsyncGenerator<LlmEvent> {
  const { metrics } = meter;
  const model = `${provider}|||${request.model}`;
  const form = request.measuredAs ?? (request.responseFormat === undefined ? 'words' : 'json');
  const begun = performance.now();
  const sinceBegun = () => (performance.now() - begun) / 1000;
  let isFirst = true;
  try {
    for await (const event of events) {
      if (isFirst && event.kind !== 'end')
        metrics.observe('parlance_model_first_token_seconds', { form }, sinceBegun());
      isFirst = false;
      if (event.kind === 'end') {
        metrics.observe('parlance_model_answer_seconds', { form }, sinceBegun());
        if (event.usage !== null) countTokens(meter, { form, model }, event.usage);
      }
      yield event;
    }
  } catch (error) {
    const reason = error instanceof ProviderError ? error.reason : 'other';
    if (error instanceof ProviderError && error.spent !== null)
      countTokens(meter, { form, model }, error.spent);
    if (reason !== 'aborted') metrics.count('parlance_model_failures_total', { form, reason });
    throw error;
  }
}

/** `prompt` excludes tokens from the provider's cache, so the kinds add up to all tokens. */
function countTokens(
  { metrics, prices }: Meter,
  labels: { form: string; model: string },
  { promptTokens, cachedPromptTokens, completionTokens }: LlmUsage,
): void {
  metrics.count(
    'parlance_model_tokens_total',
    { ...labels, token_kind: 'prompt' },
    promptTokens - cachedPromptTokens,
  );
  metrics.count(
    'parlance_model_tokens_total',
    { ...labels, token_kind: 'cached_prompt' },
    cachedPromptTokens,
  );
  metrics.count('parlance_model_tokens_total', { ...labels, token_kind: 'completion' }, completionTokens);
  const cost = costOf(
    {
      [labels.model]: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        cache_read_input_tokens: cachedPromptTokens,
      },
    },
    prices,
  );
  if (cost !== null) metrics.count('parlance_model_cost_usd_total', { model: labels.model }, cost);
}

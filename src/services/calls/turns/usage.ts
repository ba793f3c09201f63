import type { TurnTimings } from '../../../domain/call/voice.ts';
import type { LoggedStep } from './feedback-events.ts';
import type { LlmUsage } from '../../../providers/llm/port.ts';

/** Tokens of one step, under the key that usage_info uses (contract 6.6). */
export interface ModelUsage extends LlmUsage {
  service: string;
}

/** Tokens by service and model, as usage_info holds them (contract 6.6). */
export type TokensByModel = Record<string, ModelTokens>;

export interface ModelTokens {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

export const noTokens: ModelTokens = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** The usage of a request, by service and model; null when the model reported none. */
export function modelUsage({
  provider,
  model,
  usage,
}: {
  provider: string;
  model: string;
  usage: LlmUsage | null;
}): ModelUsage | null {
  return usage === null ? null : { ...usage, service: `${provider}|||${model}` };
}

/** The sum of two requests to the same model. */
export function addUsage(left: ModelUsage | null, right: ModelUsage | null): ModelUsage | null {
  if (left === null || right === null) return left ?? right;
  return {
    service: right.service,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    totalTokens: left.totalTokens + right.totalTokens,
    cachedPromptTokens: left.cachedPromptTokens + right.cachedPromptTokens,
    estimated: left.estimated || right.estimated,
  };
}

/** The sum of the usage of several requests; null counts as no usage. */
export function tokensOf(usages: readonly (ModelUsage | null)[]): TokensByModel {
  return addTokens(
    usages
      .filter((each) => each !== null)
      .map(({ service, promptTokens, completionTokens, totalTokens, cachedPromptTokens }) => ({
        [service]: {
          prompt_tokens: promptTokens,
          completion_tokens: completionTokens,
          total_tokens: totalTokens,
          cache_read_input_tokens: cachedPromptTokens,
          cache_creation_input_tokens: 0,
        },
      })),
  );
}

export function addTokens(parts: readonly TokensByModel[]): TokensByModel {
  const sums = new Map<string, ModelTokens>();
  for (const [service, tokens] of parts.flatMap((part) => Object.entries(part))) {
    sums.set(service, add(sums.get(service) ?? noTokens, tokens));
  }
  return Object.fromEntries(sums);
}

function add(left: ModelTokens, right: ModelTokens): ModelTokens {
  return {
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
    cache_read_input_tokens: left.cache_read_input_tokens + right.cache_read_input_tokens,
    cache_creation_input_tokens: left.cache_creation_input_tokens + right.cache_creation_input_tokens,
  };
}

/**
 * Usage of voices and recognizers, and the timings of each step, for the row of a spoken turn; empty in text.
 */
export function soundUsage(steps: readonly Pick<LoggedStep, 'spoken'>[]): {
  tts?: Record<string, number>;
  stt?: Record<string, number>;
  timings?: (TurnTimings | null)[];
} {
  const spoken = steps.flatMap((step) => step.spoken ?? []);
  return spoken.length === 0
    ? {}
    : {
        tts: addAmounts(spoken.map(({ usage }) => usage.tts)),
        stt: addAmounts(spoken.map(({ usage }) => usage.stt)),
        timings: spoken.map(({ timings }) => timings),
      };
}

/** The sum of amounts by `provider|||model` (contract 6.6). */
export function addAmounts(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [service, amount] of parts.flatMap((part) => Object.entries(part)))
    sums.set(service, (sums.get(service) ?? 0) + amount);
  return Object.fromEntries(sums);
}

/** Reads amounts from a row, which only this service writes. */
export function amountsIn(
  usage: Readonly<Record<string, unknown>>,
  name: 'tts' | 'stt',
): Record<string, number> {
  const amounts = usage[name];
  return typeof amounts === 'object' && amounts !== null
    ? Object.fromEntries(
        Object.entries(amounts).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      )
    : {};
}

/** Whether a row's value holds tokens; only this service writes it, so a shallow check suffices. */
export function isTokens(value: unknown): value is TokensByModel {
  return typeof value === 'object' && value !== null;
}

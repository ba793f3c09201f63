import type { LlmRequest, LlmUsage } from './port.ts';

/** Typical of English prose; precise enough for an estimate. */
const charactersPerToken = 4;

/**
 * Estimated usage of a request without reported usage, or of one that broke off after `answered` (text and
 * arguments so far).
 */
export function estimateUsage(request: Pick<LlmRequest, 'messages' | 'tools'>, answered: string): LlmUsage {
  const asked =
    request.messages.reduce((sum, { content }) => sum + content.length, 0) +
    (request.tools.length === 0 ? 0 : JSON.stringify(request.tools).length);
  const promptTokens = Math.ceil(asked / charactersPerToken);
  const completionTokens = Math.ceil(answered.length / charactersPerToken);
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cachedPromptTokens: 0,
    estimated: true,
  };
}

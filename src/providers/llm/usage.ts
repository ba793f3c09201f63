import type { LlmRequest, LlmUsage } from './port.ts';

/**
 * English prose comes to about four characters a token; good enough for a figure that is marked as estimated.
 */
const charactersPerToken = 4;

/**
 * Usage of a request whose server reported none, or that was broken off after `answered` (text and arguments
 * so far).
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

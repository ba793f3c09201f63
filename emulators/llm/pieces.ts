import { textOfContent, type ChatRequest } from './request.ts';
import type { Answer } from './decide.ts';
import type { Quirk } from './rules.ts';

/** One `choices[0].delta`. */
export type Delta = Record<string, unknown>;

/**
 * The answer as OpenAI would stream it: text in small pieces, then the head of each tool call and its
 * arguments in pieces.
 */
export function piecesOf({ text, calls }: Answer, quirks: readonly Quirk[]): Delta[] {
  return [
    ...(text.match(/\s?\S{1,6}|\s+/gu) ?? []).map((content) => ({ content })),
    ...calls.flatMap((call, index) => callPieces(call, index, quirks)),
  ];
}

function callPieces(
  { id, name, argumentsText }: Answer['calls'][number],
  position: number,
  quirks: readonly Quirk[],
): Delta[] {
  const index = quirks.includes('tool_index_zero') ? 0 : position;
  const identity = quirks.includes('no_tool_id') ? {} : { id };
  const type = quirks.includes('no_tool_type') ? {} : { type: 'function' };
  const piece = (delta: Delta): Delta => ({ tool_calls: [{ index, ...delta }] });
  if (quirks.includes('arguments_whole'))
    return [piece({ ...identity, ...type, function: { name, arguments: argumentsText } })];
  const repeated = quirks.includes('tool_id_repeated') ? identity : {};
  const parts = argumentsText.match(/[\s\S]{1,7}/gu) ?? [];
  return [
    piece({ ...identity, ...type, function: { name, arguments: '' } }),
    ...parts.map((part) => piece({ ...repeated, function: { arguments: part } })),
  ];
}

export function finishReasonOf({ calls }: Answer, quirks: readonly Quirk[]): string {
  return calls.length > 0 && !quirks.includes('finish_reason_stop') ? 'tool_calls' : 'stop';
}

/** Usage by length, four characters per token: plausible and deterministic, but not OpenAI's count. */
export function usageOf(request: ChatRequest, { text, calls }: Answer) {
  const asked =
    request.messages.reduce((sum, { content }) => sum + textOfContent(content).length, 0) +
    JSON.stringify(request.tools ?? '').length;
  const answered =
    text.length + calls.reduce((sum, { name, argumentsText }) => sum + name.length + argumentsText.length, 0);
  const promptTokens = Math.ceil(asked / 4);
  const completionTokens = Math.ceil(answered / 4);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
  };
}

import type { LlmEvent, LlmToolCall, LlmUsage } from '../../providers/llm/port.ts';

/** A complete reply. Text and tool calls may both be empty: the caller judges that. */
export interface LlmReply {
  text: string;
  toolCalls: LlmToolCall[];
  finishReason: string | null;
  usage: LlmUsage | null;
}

/** Gets parts of a reply before it is complete. */
export interface ReplyListener {
  /** Called for the first text or tool call. */
  onFirst?: (() => void) | undefined;
  /** Called for each piece of the text, in order. */
  onText?: ((piece: string) => void) | undefined;
}

/**
 * Reads a stream to its end. Throws what the stream throws, so it never returns a partial reply.
 */
export async function collectReply(
  stream: AsyncIterable<LlmEvent>,
  { onFirst, onText }: ReplyListener = {},
): Promise<LlmReply> {
  const reply: LlmReply = { text: '', toolCalls: [], finishReason: null, usage: null };
  let isFirst = true;
  for await (const event of stream) {
    if (isFirst && event.kind !== 'end') onFirst?.();
    isFirst = false;
    switch (event.kind) {
      case 'text':
        reply.text += event.text;
        onText?.(event.text);
        break;
      case 'tool_call':
        reply.toolCalls.push(event);
        break;
      case 'end':
        reply.finishReason = event.finishReason;
        reply.usage = event.usage;
        break;
    }
  }
  return reply;
}

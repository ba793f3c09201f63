import type { LlmEvent, LlmToolCall, LlmUsage } from '../../providers/llm/port.ts';

/** A whole answer. Text and tool calls may both be empty: the caller judges that. */
export interface LlmReply {
  text: string;
  toolCalls: LlmToolCall[];
  finishReason: string | null;
  usage: LlmUsage | null;
}

/** Who wants to know of an answer before it is whole. */
export interface ReplyListener {
  /** The first text or tool call is there. */
  onFirst?: (() => void) | undefined;
  /** A piece of the text, in order. */
  onText?: ((piece: string) => void) | undefined;
}

/**
 * Reads a stream to its end. Throws what the stream throws, so what comes back is never a part of an answer.
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

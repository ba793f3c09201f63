import type { LlmEvent, LlmToolCall, LlmUsage } from './port.ts';

/** A whole answer. Text and tool calls may both be empty: the caller judges that. */
export interface LlmReply {
  text: string;
  toolCalls: LlmToolCall[];
  finishReason: string | null;
  usage: LlmUsage | null;
}

/** Reads a stream to its end. Throws what the stream throws, so what comes back is never a part of an answer. */
export async function collectReply(stream: AsyncIterable<LlmEvent>): Promise<LlmReply> {
  const reply: LlmReply = { text: '', toolCalls: [], finishReason: null, usage: null };
  for await (const event of stream) {
    switch (event.kind) {
      case 'text':
        reply.text += event.text;
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

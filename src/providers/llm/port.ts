/**
 * The language model as the rest of the service sees it: one request, a stream of events.
 *
 * Invariants every adapter and fake keeps (test/providers/llm/conformance.ts holds them):
 *  - A stream that ends without throwing has yielded exactly one `end` event, and yielded it last.
 *  - A stream that did not finish never looks finished: abort, loss and timeouts throw, after whatever text
 *    had come.
 *  - A `tool_call` event is yielded once per call, complete, after the last text. What decides is whether
 *    tool calls
 *    are present, never `finishReason`: compatible servers get that wrong.
 *  - A stream that broke after something had come throws with what it `spent`: that is paid for all the
 *    same.
 *  - The adapter makes one attempt. The retry owner is the caller.
 *  - An answer without text and without tool calls is passed on; the caller judges it.
 */

export interface LlmPort {
  /** True when answers come from a stand-in; whoever shows them to a person says *simulated*. */
  readonly simulated: boolean;
  /** Who answers, as people see it in usage and context: the vendor, or `simulated`. */
  readonly provider: string;
  /**
   * Asks the model once. Throws ProviderError `{ provider: 'llm', retryable }`: retryable for 408, 409, 429,
   * 5xx, network faults, timeouts, answers that cannot be read and answers broken off; not for other 4xx, nor
   * for an abort by `options.signal`. Leaving the loop early closes the connection.
   */
  stream(request: LlmRequest, options: LlmCallOptions): AsyncIterable<LlmEvent>;
}

export interface LlmCallOptions {
  signal: AbortSignal;
}

export interface LlmRequest {
  model: string;
  /** System messages first; the last message is what the model answers to. */
  messages: LlmMessage[];
  /** Offered in this order; keep it fixed between turns, providers cache equal prefixes. Empty = none. */
  tools: LlmTool[];
  /** Absent = `auto`. Ignored while `tools` is empty. */
  toolChoice?: 'auto' | 'none';
  /** Asks for one JSON document of this shape instead of prose; the caller still validates what comes. */
  responseFormat?: LlmResponseFormat;
  timeouts?: Partial<LlmTimeouts>;
  /** Counted and timed apart from what a person waits for. */
  measuredAs?: 'judgment' | 'generation';
}

export type LlmMessage =
  | { role: 'system' | 'user'; content: string }
  /** `toolCalls`: what it called then; each is answered by a `tool` message right after it. */
  | { role: 'assistant'; content: string; toolCalls?: LlmPastToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** A call that the model made earlier in the conversation. */
export interface LlmPastToolCall {
  id: string;
  name: string;
  argumentsText: string;
}

export interface LlmTool {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique within the request. */
  name: string;
  description: string;
  /** JSON Schema of the arguments; `{ type: 'object', properties: {} }` when there are none. */
  parameters: Record<string, unknown>;
}

export interface LlmResponseFormat {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  name: string;
  /** JSON Schema in the strict subset: every property required, `additionalProperties: false`. */
  schema: Record<string, unknown>;
}

/** One limit per stage, milliseconds. */
export interface LlmTimeouts {
  /** Until the response's headers. */
  connectMs: number;
  /** From the headers until the first piece of text or of a tool call. */
  firstTokenMs: number;
  /** Between two pieces. */
  stallMs: number;
  /** The request as a whole. */
  wholeMs: number;
}

export type LlmEvent = LlmText | LlmToolCall | LlmEnd;

/** A piece of text, in order; join them for the whole. Never empty. */
export interface LlmText {
  kind: 'text';
  text: string;
}

/** One function the model calls. The name may be one that was never offered: the caller judges that. */
export interface LlmToolCall {
  kind: 'tool_call';
  /** The model's id, or one made from the position where the server sent none. */
  id: string;
  name: string;
  /** As sent. */
  argumentsText: string;
  /** `argumentsText` read tolerantly (nothing at all is `{}`); null when no JSON object is in it. */
  arguments: Record<string, unknown> | null;
}

export interface LlmEnd {
  kind: 'end';
  /**
   * The server's word (`stop`, `length`, `tool_calls`, `content_filter` …), null when it sent none. Not a
   * decision.
   */
  finishReason: string | null;
  /** Null only where nothing can be said about it; adapters estimate what the server does not report. */
  usage: LlmUsage | null;
}

export interface LlmUsage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** The part of `promptTokens` that the provider read from its cache. */
  cachedPromptTokens: number;
  /** True when the server reported nothing and the numbers are ours: about four characters a token. */
  estimated: boolean;
}

/** A model that a customer brings: whose it is, and what it asks for. */
export interface CustomerLlm {
  /** A vendor of src/domain/models/catalog.ts. */
  provider: string;
  apiKey: string;
  /** Address of the customer's Azure resource or server; null = the vendor's own. */
  endpoint: string | null;
  /** Absent = the vendor's default. */
  temperature?: number;
}

/** Models by the choice of customers; nothing is sent before one is asked. */
export type CustomerLlms = (choice: CustomerLlm) => LlmPort;

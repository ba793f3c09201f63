/**
 * The language model as the rest of the service sees it: one request, a stream of events.
 *
 * Invariants of every adapter and fake (test/providers/llm/conformance.ts checks them):
 *  - A stream that ends without throwing has yielded exactly one `end` event, as its last event.
 *  - An incomplete stream never looks complete: abort, loss and timeouts throw, after the text so far.
 *  - A `tool_call` event is yielded once per call, complete, after the last text. The presence of tool calls
 *    decides, not `finishReason`, which compatible servers get wrong.
 *  - A stream that broke after some output throws with what it `spent`, because that is billed.
 *  - The adapter makes one attempt. The caller owns the retries.
 *  - An answer without text and without tool calls is passed on; the caller judges it.
 */

export interface LlmPort {
  /** True for an emulator. Whatever shows its answers to a person must say *simulated*. */
  readonly simulated: boolean;
  /** Name in usage and context: the vendor, or `simulated`. */
  readonly provider: string;
  /**
   * Asks the model once. Throws ProviderError `{ provider: 'llm', retryable }`. Retryable are 408, 409, 429,
   * 5xx, network faults, timeouts, and unreadable or incomplete answers; other 4xx and an abort by
   * `options.signal` are not. Leaving the loop early closes the connection.
   */
  stream(request: LlmRequest, options: LlmCallOptions): AsyncIterable<LlmEvent>;
}

export interface LlmCallOptions {
  signal: AbortSignal;
}

export interface LlmRequest {
  model: string;
  /** System messages first. The model answers the last message. */
  messages: LlmMessage[];
  /**
   * Offered in this order. Keep the order between turns, because providers cache equal prefixes. May be
   * empty.
   */
  tools: LlmTool[];
  /** Default `auto`. Ignored if `tools` is empty. */
  toolChoice?: 'auto' | 'none';
  /** Asks for a JSON document of this shape instead of prose. The caller still validates the answer. */
  responseFormat?: LlmResponseFormat;
  timeouts?: Partial<LlmTimeouts>;
  /** Measured apart from requests that a person waits for. */
  measuredAs?: 'judgment' | 'generation';
}

export type LlmMessage =
  | { role: 'system' | 'user'; content: string }
  /** `toolCalls` are its calls in that message; a `tool` message for each of them follows directly. */
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
  /** JSON Schema of the arguments; `{ type: 'object', properties: {} }` for none. */
  parameters: Record<string, unknown>;
}

export interface LlmResponseFormat {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  name: string;
  /** JSON Schema in the strict subset: every property required, `additionalProperties: false`. */
  schema: Record<string, unknown>;
}

/** Timeout of each stage, in milliseconds. */
export interface LlmTimeouts {
  /** Until the headers of the response. */
  connectMs: number;
  /** From the headers to the first piece of text or of a tool call. */
  firstTokenMs: number;
  /** Between two pieces. */
  stallMs: number;
  /** The whole request. */
  wholeMs: number;
}

export type LlmEvent = LlmText | LlmToolCall | LlmEnd;

/** A piece of text, never empty. Joined in order, the pieces are the whole text. */
export interface LlmText {
  kind: 'text';
  text: string;
}

/** A function that the model calls. It may have a name that was never offered; the caller judges that. */
export interface LlmToolCall {
  kind: 'tool_call';
  /** The model's id, or one made from the position if the server sent none. */
  id: string;
  name: string;
  /** As the server sent it. */
  argumentsText: string;
  /** `argumentsText`, leniently parsed (an empty text is `{}`); null if it contains no JSON object. */
  arguments: Record<string, unknown> | null;
}

export interface LlmEnd {
  kind: 'end';
  /**
   * The server's reason (`stop`, `length`, `tool_calls`, `content_filter` …), null if it sent none. It
   * decides nothing.
   */
  finishReason: string | null;
  /** Null only if nothing is known; adapters estimate what the server does not report. */
  usage: LlmUsage | null;
}

export interface LlmUsage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** The part of `promptTokens` that the provider read from its cache. */
  cachedPromptTokens: number;
  /**
   * True if the server reported no usage and the numbers are our estimate: about four characters per token.
   */
  estimated: boolean;
}

/** A model with a customer's key. */
export interface CustomerLlm {
  /** A vendor of src/domain/models/catalog.ts. */
  provider: string;
  apiKey: string;
  /** URL of the customer's Azure resource or server; null for the vendor's own. */
  endpoint: string | null;
  /** The vendor's default if absent. */
  temperature?: number;
}

/** Models by customers' choice. Nothing is sent before a request. */
export type CustomerLlms = (choice: CustomerLlm) => LlmPort;

import OpenAI, { AzureOpenAI, BadRequestError } from 'openai';
import { ChatChunk, textOf } from './chunks.ts';
import { llmError, toProviderError, withSpent } from './failures.ts';
import type {
  LlmCallOptions,
  LlmEvent,
  LlmMessage,
  LlmPort,
  LlmRequest,
  LlmTimeouts,
  LlmUsage,
} from './port.ts';
import { StageClock } from './stage-clock.ts';
import { ToolCallAssembler } from './tool-calls.ts';
import { estimateUsage } from './usage.ts';

/** Limits for a spoken conversation; callers with more time set their own. */
export const defaultLlmTimeouts: LlmTimeouts = {
  connectMs: 2_000,
  firstTokenMs: 2_500,
  stallMs: 3_000,
  wholeMs: 20_000,
};

/** Disables the SDK's timer; StageClock owns the timeouts. */
const maxTimerMs = 2_147_483_647;

export interface OpenAiLlmOptions {
  /** A key that begins with `simulated` selects an emulator, which accepts no other key. */
  apiKey: string;
  /** Any server with OpenAI's chat completions; OpenAI by default. */
  baseUrl?: string | undefined;
  /**
   * `baseUrl` is that of an Azure resource (`https://<name>.openai.azure.com/openai`), and this is the
   * version of its API. The model is then the name of a deployment.
   */
  azureApiVersion?: string;
  /** Name of the provider if it is not OpenAI. */
  provider?: string;
  /** For every request; the vendor's default if absent. */
  temperature?: number;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
  /**
   * False for a server that is known to refuse `stream_options`; otherwise its refusal shows that. Default
   * true.
   */
  reportsUsage?: boolean;
  /** Replaces single limits of `defaultLlmTimeouts`. */
  timeouts?: Partial<LlmTimeouts>;
}

/**
 * LlmPort over OpenAI's streaming chat completions, for OpenAI and every compatible server. It makes one
 * attempt per call, with one exception that costs no tokens: if a server answers 400 and names
 * `stream_options` or `response_format`, the request is repeated at once without that part (`json_schema`
 * first becomes `json_object`). The adapter remembers that a server does not know `stream_options`, and then
 * estimates its usage.
 */
export function createOpenAiLlm({
  apiKey,
  baseUrl = 'https://api.openai.com/v1',
  azureApiVersion: apiVersion,
  provider,
  temperature,
  fetch,
  reportsUsage = true,
  timeouts = {},
}: OpenAiLlmOptions): LlmPort {
  const common = {
    apiKey,
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: maxTimerMs,
    logLevel: 'off' as const,
    ...(fetch === undefined ? {} : { fetch }),
  };
  const client = apiVersion === undefined ? new OpenAI(common) : new AzureOpenAI({ ...common, apiVersion });
  const server: ServerTraits = { reportsUsage, temperature };
  return {
    simulated: isSimulated(apiKey),
    provider: llmProvider(apiKey, provider),
    async *stream(request: LlmRequest, { signal }: LlmCallOptions): AsyncGenerator<LlmEvent> {
      const clock = new StageClock(signal, { ...defaultLlmTimeouts, ...timeouts, ...request.timeouts });
      const answer: Answer = {
        text: '',
        tools: new ToolCallAssembler(),
        finishReason: null,
        usage: null,
        hasBegun: false,
        hasEnded: false,
      };
      try {
        clock.enter('connect');
        const chunks = await open({ client, server, request, signal: clock.signal });
        yield* readAnswer({ chunks, request, answer, clock });
      } catch (error) {
        throw withSpent(
          toProviderError(error, clock, signal),
          answer.hasBegun ? (answer.usage ?? estimateUsage(request, answer.text)) : null,
        );
      } finally {
        clock.stop();
      }
    },
  };
}

const isSimulated = (apiKey: string): boolean => apiKey.startsWith('simulated');

/** Name of the provider for this key in usage and metrics. */
export function llmProvider(apiKey: string, provider = 'openai'): string {
  return isSimulated(apiKey) ? 'simulated' : provider;
}

interface ServerTraits {
  reportsUsage: boolean;
  temperature: number | undefined;
}

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;

async function open({
  client,
  server,
  request,
  signal,
}: {
  client: OpenAI;
  server: ServerTraits;
  request: LlmRequest;
  signal: AbortSignal;
}): Promise<AsyncIterable<unknown>> {
  let body = bodyOf(request, server);
  for (;;) {
    try {
      return await client.chat.completions.create(body, { signal });
    } catch (error) {
      const reduced = error instanceof BadRequestError ? withoutRefused(body, error.message) : null;
      if (reduced === null) throw error;
      if (reduced.stream_options === undefined) server.reportsUsage = false;
      body = reduced;
    }
  }
}

function bodyOf(
  { model, messages, tools, toolChoice, responseFormat }: LlmRequest,
  { reportsUsage, temperature }: ServerTraits,
): Body {
  const offered = tools.map((each) => ({ type: 'function' as const, function: each }));
  return {
    model,
    messages: messages.map(toWire),
    stream: true,
    ...(temperature === undefined ? {} : { temperature }),
    ...(reportsUsage ? { stream_options: { include_usage: true } } : {}),
    ...(offered.length === 0 ? {} : { tools: offered }),
    ...(offered.length === 0 || toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    ...(responseFormat === undefined
      ? {}
      : {
          response_format: { type: 'json_schema' as const, json_schema: { ...responseFormat, strict: true } },
        }),
  };
}

function toWire(message: LlmMessage): OpenAI.Chat.ChatCompletionMessageParam {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant' || message.toolCalls === undefined)
    return { role: message.role, content: message.content };
  const calls = message.toolCalls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: argumentsText },
  }));
  return { role: 'assistant', content: message.content === '' ? null : message.content, tool_calls: calls };
}

/** The request without the part that the refusal names; null when it names no optional part. */
function withoutRefused(body: Body, refusal: string): Body | null {
  const { stream_options: usage, response_format: format, ...rest } = body;
  if (usage !== undefined && /stream_options|include_usage/.test(refusal))
    return format === undefined ? rest : { ...rest, response_format: format };
  if (format === undefined || !/response_format|json_schema|json_object/.test(refusal)) return null;
  const kept: Body = usage === undefined ? rest : { ...rest, stream_options: usage };
  return format.type === 'json_schema' ? { ...kept, response_format: { type: 'json_object' } } : kept;
}

interface Reading {
  chunks: AsyncIterable<unknown>;
  request: LlmRequest;
  /** Filled while it streams, so a broken stream leaves what had come. */
  answer: Answer;
  clock: StageClock;
}

async function* readAnswer({ chunks, request, answer, clock }: Reading): AsyncGenerator<LlmEvent> {
  clock.enter('firstToken');
  for await (const raw of chunks) {
    const { text, callPieces } = takeChunk(raw, answer);
    answer.hasBegun ||= text !== '' || callPieces > 0;
    if (text !== '') {
      clock.pause();
      yield { kind: 'text', text };
    }
    if (answer.hasBegun) clock.enter('stall');
  }
  clock.pause();
  // The SDK's loop ends without an exception after an abort and after a connection that closed halfway.
  if (clock.signal.aborted || !answer.hasEnded)
    throw llmError('The language model broke off its answer', true, { reason: 'lost' });
  const toolCalls = answer.tools.finish();
  if (toolCalls === null)
    throw llmError('The language model called a function without naming it', true, { reason: 'unreadable' });
  yield* toolCalls;
  const said = answer.text + toolCalls.map((call) => call.argumentsText).join('');
  yield {
    kind: 'end',
    finishReason: answer.finishReason,
    usage: answer.usage ?? estimateUsage(request, said),
  };
}

interface Answer {
  text: string;
  tools: ToolCallAssembler;
  finishReason: string | null;
  usage: LlmUsage | null;
  /** Something of the answer has come. */
  hasBegun: boolean;
  /** A finish reason has come, or the last chunk, which has usage and no choices. */
  hasEnded: boolean;
}

/** Adds a chunk to the answer, and returns what is new in it. */
function takeChunk(raw: unknown, answer: Answer): { text: string; callPieces: number } {
  const parsed = ChatChunk.safeParse(raw);
  if (!parsed.success)
    throw llmError('The language model sent an answer that cannot be read', true, { reason: 'unreadable' });
  const [choice] = parsed.data.choices ?? [];
  const delta = choice?.delta ?? choice?.message ?? {};
  const usage = usageOf(parsed.data);
  const finishReason = choice?.finish_reason ?? null;
  const text = textOf(delta);
  for (const piece of delta.tool_calls ?? []) answer.tools.add(piece);
  answer.text += text;
  answer.finishReason = finishReason ?? answer.finishReason;
  answer.usage = usage ?? answer.usage;
  answer.hasEnded ||= finishReason !== null || (usage !== null && choice === undefined);
  return { text, callPieces: delta.tool_calls?.length ?? 0 };
}

function usageOf({ usage }: ChatChunk): LlmUsage | null {
  if (usage === undefined || usage === null) return null;
  const promptTokens = usage.prompt_tokens;
  const completionTokens = usage.completion_tokens ?? 0;
  return {
    promptTokens,
    completionTokens,
    totalTokens: usage.total_tokens ?? promptTokens + completionTokens,
    cachedPromptTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    estimated: false,
  };
}

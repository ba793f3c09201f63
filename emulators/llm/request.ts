import { z } from 'zod';
import { OpenAiError } from './openai-error.ts';

/** The part of OpenAI's chat completion request that this emulator answers; each object is strict. */
const TextPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const Content = z.union([z.string(), z.array(TextPart).min(1)]);
const FunctionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const name = z.string().optional();

const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: Content, name }),
  z.strictObject({ role: z.literal('developer'), content: Content, name }),
  z.strictObject({ role: z.literal('user'), content: Content, name }),
  z.strictObject({
    role: z.literal('assistant'),
    content: Content.nullish(),
    name,
    refusal: z.string().nullish(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string(),
          type: z.literal('function'),
          function: z.strictObject({ name: FunctionName, arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: Content, tool_call_id: z.string() }),
]);

const Tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: FunctionName,
    description: z.string().optional(),
    parameters: z.looseObject({ type: z.literal('object') }).optional(),
    strict: z.boolean().nullish(),
  }),
});

const JsonSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).optional(),
  additionalProperties: z.boolean().optional(),
});

const ResponseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: FunctionName,
      description: z.string().optional(),
      schema: JsonSchema,
      strict: z.boolean().nullish(),
    }),
  }),
]);

export const ChatRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  tools: z.array(Tool).min(1).max(128).optional(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: FunctionName }) }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: ResponseFormat.optional(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  n: z.literal(1).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  user: z.string().optional(),
  metadata: z.record(z.string(), z.string()).nullish(),
  store: z.literal(false).nullish(),
  prompt_cache_key: z.string().nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'priority']).nullish(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
});

export type ChatRequest = z.infer<typeof ChatRequest>;

/** Valid OpenAI fields that the emulator refuses explicitly instead of ignoring them. */
const knownButNotEmulated = new Set([
  'audio',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'modalities',
  'moderation',
  'prediction',
  'presence_penalty',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
  'web_search_options',
]);

/** Reads a request as OpenAI would: unknown fields, wrong shapes and impossible combinations are a 400. */
export function readRequest(body: unknown): ChatRequest {
  const parsed = ChatRequest.safeParse(body);
  if (!parsed.success) throw refusalOf(parsed.error);
  checkStreamOptions(parsed.data);
  checkTools(parsed.data);
  checkToolMessages(parsed.data);
  checkResponseFormat(parsed.data);
  return parsed.data;
}

function refusalOf(error: z.ZodError): OpenAiError {
  const [issue] = error.issues;
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    if (path.length === 0 && knownButNotEmulated.has(key))
      return new OpenAiError(400, `The simulated model does not emulate '${key}'.`, {
        param: key,
        code: 'unsupported_parameter',
      });
    const message =
      path.length === 0
        ? `Unrecognized request argument supplied: ${key}`
        : `Unknown parameter: '${paramOf([...path, key])}'.`;
    return new OpenAiError(
      400,
      message,
      path.length === 0 ? {} : { param: paramOf([...path, key]), code: 'unknown_parameter' },
    );
  }
  const param = paramOf(path);
  return new OpenAiError(400, `Invalid value for '${param}': ${issue?.message ?? 'not acceptable'}.`, {
    param,
    code: 'invalid_value',
  });
}

/** A field in OpenAI's notation: `messages[1].content`. */
function paramOf(path: string[]): string {
  return path
    .map((each, position) => (/^\d+$/.test(each) ? `[${each}]` : `${position === 0 ? '' : '.'}${each}`))
    .join('');
}

function checkStreamOptions({ stream, stream_options: options }: ChatRequest): void {
  if (options && stream !== true)
    throw new OpenAiError(400, "The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    });
}

function checkTools({ tools, tool_choice: choice }: ChatRequest): void {
  if (choice === undefined) return;
  if (tools === undefined)
    throw new OpenAiError(400, "'tool_choice' is only allowed when 'tools' are specified.", {
      param: 'tool_choice',
    });
  if (typeof choice === 'object' && !tools.some((tool) => tool.function.name === choice.function.name)) {
    throw new OpenAiError(400, `Tool choice '${choice.function.name}' not found in 'tools' parameter.`, {
      param: 'tool_choice',
    });
  }
}

/** Every tool call must be followed directly by its tool messages, and every tool message needs a call. */
function checkToolMessages({ messages }: ChatRequest): void {
  let open: string[] = [];
  for (const [position, message] of messages.entries()) {
    const param = `messages[${position}]`;
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        throw new OpenAiError(
          400,
          "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
          { param: `${param}.role` },
        );
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) throw unanswered(open, param);
    if (message.role !== 'assistant') continue;
    if (!message.content && message.tool_calls === undefined && !message.refusal)
      throw new OpenAiError(400, `Invalid value for '${param}.content': expected a string, got null.`, {
        param: `${param}.content`,
      });
    open = message.tool_calls?.map(({ id }) => id) ?? [];
  }
  if (open.length > 0) throw unanswered(open, 'messages');
}

function unanswered(ids: string[], param: string): OpenAiError {
  return new OpenAiError(
    400,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
    { param },
  );
}

function checkResponseFormat({ response_format: format, messages }: ChatRequest): void {
  if (
    format?.type === 'json_object' &&
    !/json/i.test(messages.map(({ content }) => textOfContent(content)).join(' '))
  ) {
    throw new OpenAiError(
      400,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    );
  }
  if (format?.type !== 'json_schema' || format.json_schema.strict !== true) return;
  const { name, schema } = format.json_schema;
  const fault =
    schema.additionalProperties === false
      ? missingRequired(schema)
      : "'additionalProperties' is required to be supplied and to be false";
  if (fault !== null)
    throw new OpenAiError(400, `Invalid schema for response_format '${name}': In context=(), ${fault}.`, {
      param: 'response_format',
      code: 'invalid_json_schema',
    });
}

function missingRequired({ properties, required = [] }: z.infer<typeof JsonSchema>): string | null {
  const missing = Object.keys(properties).find((key) => !required.includes(key));
  return missing === undefined
    ? null
    : `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'`;
}

/** The text of a message's content. */
export function textOfContent(content: string | { text: string }[] | null | undefined): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('');
}

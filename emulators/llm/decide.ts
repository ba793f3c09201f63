import { OpenAiError } from './openai-error.ts';
import { textOfContent, type ChatRequest } from './request.ts';
import { callsOf, type Action, type Reading, type RuleBook, type Situation } from './rules.ts';

export interface Answer {
  text: string;
  calls: { id: string; name: string; argumentsText: string }[];
}

export interface Decision {
  /** The rule that applied, or null for the default behavior. */
  rule: string | null;
  answer: Answer;
  action: Action;
}

/** The answer when no rule applies and no JSON is requested. */
export const defaultSentence = 'This is the simulated language model; no rule says what to answer here.';

/**
 * Decides the answer: a pure function of the rules, their counters and the request. `nth` numbers the tool
 * calls' ids.
 */
export function decide({
  request,
  key,
  rules,
  nth,
}: {
  request: ChatRequest;
  key: string;
  rules: RuleBook;
  nth: number;
}): Decision {
  const situation = situationOf(request);
  const match = rules.match(situation, key);
  const action = match?.action ?? {};
  refuseFields(action, request);
  const asked = match === null ? forcedCall(request) : callsOf(action);
  const calls = asked.map(({ tool, arguments: values = {}, argumentsText }, position) => ({
    id: `call_simulated_${nth}_${position}`,
    name: tool,
    argumentsText: argumentsText ?? JSON.stringify(fillAll(values, match?.groups ?? {})),
  }));
  const text =
    (match === null && calls.length === 0) || action.read !== undefined
      ? defaultText({ request, situation, readings: action.read, groups: match?.groups ?? {} })
      : '';
  return {
    rule: match?.rule.name ?? null,
    answer: {
      text: action.say === undefined ? text : withoutSaid(fill(action.say, match?.groups ?? {}), request),
      calls,
    },
    action,
  };
}

export function situationOf({
  model,
  messages,
  tools = [],
  tool_choice: choice,
  response_format: format,
}: ChatRequest): Situation {
  const last = messages.findLast(({ role }) => role === 'user');
  const results = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  return {
    model,
    systemText: messages
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => textOfContent(content))
      .join('\n'),
    lastUserText: textOfContent(last?.content),
    toolResult: results.length === 0 ? null : results.map(({ content }) => textOfContent(content)).join('\n'),
    tools: choice === 'none' ? [] : tools.map((tool) => tool.function.name),
    wantsJson: format?.type === 'json_schema' || format?.type === 'json_object',
  };
}

/**
 * A model whose last message asks it to continue says the rest of its answer, without what it said since the
 * caller's last words.
 */
function withoutSaid(text: string, { messages }: ChatRequest): string {
  const last = messages.at(-1);
  if (last?.role !== 'system' || !/go on exactly where it stopped/iu.test(textOfContent(last.content)))
    return text;
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const said = since
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => textOfContent(content))
    .join(' ')
    .trim();
  for (let from = 0; from < said.length; from += 1) {
    const tail = said.slice(from);
    if (text.startsWith(tail)) return text.slice(tail.length).trimStart();
  }
  return text;
}

function refuseFields({ refuseFields: fields = [] }: Action, request: ChatRequest): void {
  for (const field of fields) {
    if (request[field] !== undefined)
      throw new OpenAiError(400, `Unsupported parameter: '${field}' is not supported by this server.`, {
        param: field,
        code: 'unsupported_parameter',
      });
  }
}

/** A model that must call a function does so even if no rule says how. */
function forcedCall({ tools = [], tool_choice: choice }: ChatRequest): ReturnType<typeof callsOf> {
  if (typeof choice === 'object') return [{ tool: choice.function.name }];
  return choice === 'required' ? tools.slice(0, 1).map((each) => ({ tool: each.function.name })) : [];
}

/** Named groups fill `{{name}}`; a name without a group stays unchanged. */
function fill(template: string, groups: Record<string, string>): string {
  return template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => groups[name] ?? whole);
}

function fillAll(values: Record<string, unknown>, groups: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? fill(value, groups) : value,
    ]),
  );
}

/** Groups fill the readings' own values, too. */
function defaultText({
  request,
  situation: { wantsJson, lastUserText },
  readings = {},
  groups,
}: {
  request: ChatRequest;
  situation: Situation;
  readings: Record<string, Reading[]> | undefined;
  groups: Record<string, string>;
}): string {
  if (!wantsJson) return defaultSentence;
  const format = request.response_format;
  const properties =
    format?.type === 'json_schema'
      ? format.json_schema.schema.properties
      : Object.fromEntries(Object.keys(readings).map((each) => [each, {}]));
  const filled = (value: ReturnType<typeof latest>) =>
    typeof value === 'string' ? fill(value, groups) : value;
  const words = callersWords(lastUserText);
  const entries = Object.entries(properties).map(
    ([property, schema]) =>
      [property, typed(filled(latest(words, readings[property] ?? [])), schema)] as const,
  );
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 * The user's lines of a transcript with `user:` and `assistant:` lines; a text without such lines is the
 * user's as a whole.
 */
export function callersWords(text: string): string {
  const turns = text.split(/^(?=(?:user|assistant):)/imu);
  const said = turns
    .filter((turn) => /^user:/iu.test(turn))
    .map((turn) => turn.replace(/^user:\s*/iu, '').trim());
  return turns.some((turn) => /^(?:user|assistant):/iu.test(turn)) ? said.join('\n') : text;
}

/**
 * The value from the latest match, so that a later statement replaces an earlier one; undefined without a
 * match.
 */
function latest(words: string, readings: Reading[]): string | number | boolean | undefined {
  let best: { at: number; value: string | number | boolean } | undefined;
  for (const { pattern, value } of readings) {
    for (const match of words.matchAll(new RegExp(pattern, 'giu'))) {
      if (best === undefined || match.index >= best.at)
        best = { at: match.index, value: value ?? match[1] ?? match[0] };
    }
  }
  return best?.value;
}

function typed(
  value: string | number | boolean | undefined,
  schema: Record<string, unknown>,
): string | number | boolean | null {
  if (value === undefined) return null;
  const types = [schema['type']].flat();
  const wantsNumber = !types.includes('string') && (types.includes('number') || types.includes('integer'));
  if (!wantsNumber || typeof value !== 'string') return value;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

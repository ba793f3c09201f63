import { z } from 'zod';

const Pattern = z.string().refine(isPattern, 'is not a regular expression');

/** When a rule applies; every given condition must hold. */
const Conditions = z.strictObject({
  model: z.string().optional(),
  /** Part of the last user message, case-insensitive. */
  userText: z.string().optional(),
  /**
   * Regular expression for the last user message, case-insensitive; its groups fill `{{1}}`, `{{name}}` in
   * `say` and in the texts of `arguments`.
   */
  userPattern: Pattern.optional(),
  /** Each is a part of the system messages. */
  systemText: z.union([z.string(), z.array(z.string())]).optional(),
  /** All of these functions are offered. An empty list: none is. */
  tools: z.array(z.string()).optional(),
  /**
   * Part of the results of tool calls at the end of the request, case-insensitive; without this condition,
   * results make no difference.
   */
  toolResult: z.string().optional(),
  /** Whether a JSON document is requested (`response_format`). */
  wantsJson: z.boolean().optional(),
  /** Only the nth request (from 1) that meets the other conditions. */
  nth: z.number().int().positive().optional(),
});

const ToolCall = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  /** Sent unchanged, for arguments that are not JSON. */
  argumentsText: z.string().optional(),
  /** Called even if it was not offered; otherwise such a rule does not apply. */
  evenIfNotOffered: z.boolean().optional(),
});

/**
 * One way to read a value: `value` if given, else group 1 of the pattern, as a number where the schema wants
 * one.
 */
const Reading = z.strictObject({
  pattern: Pattern,
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
});

const Quirk = z.enum([
  'no_tool_type',
  'no_tool_id',
  'tool_index_zero',
  'tool_id_repeated',
  'arguments_whole',
  'finish_reason_stop',
  'no_usage',
  'usage_in_every_chunk',
  'message_instead_of_delta',
]);

/** What a rule does. `fail` must be the only action; without any action the answer is empty. */
const Action = z.strictObject({
  say: z.string().optional(),
  call: z.union([ToolCall, z.array(ToolCall)]).optional(),
  /**
   * Answer to a JSON request: for each property the ways to read it from the caller's words, null when none
   * matches.
   */
  read: z.record(z.string(), z.array(Reading)).optional(),
  fail: z
    .strictObject({
      status: z.number().int().min(400).max(599),
      code: z.string().optional(),
      message: z.string().optional(),
      retryAfterSeconds: z.number().optional(),
      retryAfterMs: z.number().int().min(0).optional(),
    })
    .optional(),
  /** 400 that names the field, when a request has it. */
  refuseFields: z.array(z.enum(['stream_options', 'response_format'])).optional(),
  /** The answer hangs forever at this place. */
  stall: z.enum(['before_headers', 'before_first_token', 'mid_stream', 'before_usage']).optional(),
  /** How the stream breaks in the middle. */
  breakOff: z.enum(['reset', 'no_end', 'not_json', 'wrong_shape', 'error_event']).optional(),
  firstTokenDelayMs: z.number().min(0).optional(),
  pieceDelayMs: z.number().min(0).optional(),
  quirks: z.array(Quirk).optional(),
});

export const Rule = z.strictObject({ name: z.string(), when: Conditions.optional(), answer: Action });
export const RuleList = z.array(Rule);

export type Rule = z.input<typeof Rule>;
export type Action = z.infer<typeof Action>;
export type Quirk = z.infer<typeof Quirk>;
export type Reading = z.infer<typeof Reading>;

/** The parts of a request that rules examine. */
export interface Situation {
  model: string;
  systemText: string;
  lastUserText: string;
  /** Results of tool calls at the end of the request. */
  toolResult: string | null;
  /** Names of the functions that may be called now. */
  tools: string[];
  wantsJson: boolean;
}

export interface Match {
  rule: StoredRule['rule'];
  action: Action;
  /** Groups of `userPattern`, by number and by name. */
  groups: Record<string, string>;
}

interface StoredRule {
  rule: z.output<typeof Rule>;
  /** The API key that the rule belongs to; null for every key. */
  scope: string | null;
  /** Number of requests so far, per key, that met all conditions except `nth`. */
  seen: Map<string, number>;
}

/** Rules in order; those of the request's own key come before general ones. */
export class RuleBook {
  #rules: StoredRule[] = [];

  add(rules: readonly Rule[], scope: string | null = null): void {
    this.#rules.push(
      ...RuleList.parse(rules).map((rule) => ({ rule, scope, seen: new Map<string, number>() })),
    );
  }

  /** Removes the rules of one key, or of all keys. */
  clear(scope?: string): void {
    this.#rules = this.#rules.filter(
      (each) => each.scope === null || (scope !== undefined && each.scope !== scope),
    );
  }

  /** The first rule that applies; it also counts requests for `nth`. */
  match(situation: Situation, key: string): Match | null {
    const own = this.#rules.filter(({ scope }) => scope === key);
    for (const stored of [...own, ...this.#rules.filter(({ scope }) => scope === null)]) {
      const groups = groupsIfApplicable(stored.rule, situation);
      if (groups === null) continue;
      const seen = (stored.seen.get(key) ?? 0) + 1;
      stored.seen.set(key, seen);
      const nth = stored.rule.when?.nth;
      if (nth === undefined || nth === seen) return { rule: stored.rule, action: stored.rule.answer, groups };
    }
    return null;
  }
}

function groupsIfApplicable(
  { when = {}, answer }: StoredRule['rule'],
  situation: Situation,
): Record<string, string> | null {
  const { model, userText, systemText = [], tools, toolResult, wantsJson } = when;
  const holds =
    (model === undefined || model === situation.model) &&
    (userText === undefined || situation.lastUserText.toLowerCase().includes(userText.toLowerCase())) &&
    (toolResult === undefined ||
      situation.toolResult?.toLowerCase().includes(toolResult.toLowerCase()) === true) &&
    [systemText].flat().every((part) => situation.systemText.includes(part)) &&
    (tools === undefined ||
      (tools.length === 0
        ? situation.tools.length === 0
        : tools.every((tool) => situation.tools.includes(tool)))) &&
    (wantsJson === undefined || wantsJson === situation.wantsJson) &&
    callsOf(answer).every(
      ({ tool, evenIfNotOffered }) => evenIfNotOffered === true || situation.tools.includes(tool),
    );
  return holds ? groupsOf(when.userPattern, situation.lastUserText) : null;
}

function groupsOf(pattern: string | undefined, text: string): Record<string, string> | null {
  if (pattern === undefined) return {};
  const match = new RegExp(pattern, 'iu').exec(text);
  if (match === null) return null;
  return Object.fromEntries(
    [...match.entries(), ...Object.entries(match.groups ?? {})].map(([name, value]) => [
      String(name),
      value ?? '',
    ]),
  );
}

/** The tool calls of an action, as a list. */
export function callsOf({ call }: Action): z.infer<typeof ToolCall>[] {
  return call === undefined ? [] : [call].flat();
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}

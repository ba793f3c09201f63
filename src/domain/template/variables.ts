/** The values that a template may use. Only own keys count; inherited ones are never found. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * Looks up the value of a placeholder's name; undefined when there is none. An exact key wins (a directory
 * column may contain a dot); otherwise dots lead into objects. Elements of arrays cannot be addressed
 * (contract 7.1).
 */
export function lookUp(variables: Variables, name: string): unknown {
  let [place, rest]: [unknown, string] = [variables, name];
  for (;;) {
    if (typeof place !== 'object' || place === null || Array.isArray(place)) return undefined;
    const exact: unknown = ownValue(place, rest);
    if (exact !== undefined) return exact;
    const dot = rest.indexOf('.');
    if (dot < 0) return undefined;
    [place, rest] = [ownValue(place, rest.slice(0, dot)), rest.slice(dot + 1)];
  }
}

function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

/** A value as text (contract 7.2). Undefined and null are empty. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return jsonText(value);
}

/** JSON with `, ` and `: ` between its parts, without escaping letters. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, each]: [string, unknown]) => `${JSON.stringify(key)}: ${jsonText(each)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/**
 * The variables of prompts, greetings and extraction prompts: only initial_context, with or without its name
 * as a prefix (contract 7.4).
 */
export function promptVariables(initialContext: Variables): Variables {
  return { ...initialContext, initial_context: initialContext };
}

/**
 * The variables of a tool's request: initial_context and gathered_context, merged and each under its own name
 * (contract 7.4).
 */
export function toolVariables({
  initialContext,
  gatheredContext,
}: {
  initialContext: Variables;
  gatheredContext: Variables;
}): Variables {
  return {
    ...initialContext,
    ...gatheredContext,
    initial_context: initialContext,
    gathered_context: gatheredContext,
  };
}

/** The source of a webhook's variables (contract 9.2): fields of the ended call. */
export interface PayloadSource {
  callId: number;
  callName: string;
  agentId: number;
  agentName: string;
  campaignId: number | null;
  /** ISO 8601. */
  callTime: string;
  initialContext: Variables;
  gatheredContext: Variables;
  /** The call's usage, which templates call `cost_info`. */
  usage: Variables;
  annotations: Variables;
  extra: Variables;
  recordingUrl: string | null;
  transcriptUrl: string | null;
  userRecordingUrl: string | null;
  botRecordingUrl: string | null;
}

export function payloadVariables(source: PayloadSource): Variables {
  return {
    workflow_run_id: source.callId,
    workflow_run_name: source.callName,
    workflow_id: source.agentId,
    workflow_name: source.agentName,
    campaign_id: source.campaignId,
    call_time: source.callTime,
    initial_context: source.initialContext,
    gathered_context: source.gatheredContext,
    cost_info: source.usage,
    annotations: source.annotations,
    extra: source.extra,
    recording_url: source.recordingUrl,
    transcript_url: source.transcriptUrl,
    user_recording_url: source.userRecordingUrl,
    bot_recording_url: source.botRecordingUrl,
  };
}

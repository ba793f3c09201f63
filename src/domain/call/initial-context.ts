import type { JsonObject } from '../graph/definition.ts';

/**
 * Keys that no request may set: the provider, the models, and the billing id of the call (contract 5.3, row
 * 3).
 */
const reservedKeys: ReadonlySet<string> = new Set([
  'provider',
  'runtime_configuration',
  'mps_correlation_id',
]);

/**
 * Keys of a spoken call that only the service writes: no request, no test value and no answer to a
 * pre-call fetch sets them (contract 5.3, row 3; 10).
 */
export const serviceOnlyKeys: ReadonlySet<string> = new Set([
  ...reservedKeys,
  'direction',
  'telephony_configuration_id',
  'from_phone_number_id',
  'caller_number',
  'called_number',
  'workflow_uuid',
  'agent_uuid',
  'api_key_id',
  'api_key_created_by',
]);

/** Initial context of a test conversation: test values, then the request's own (contract 5.3, 6.10). */
export function testContext(testValues: JsonObject, given: JsonObject): Record<string, unknown> {
  return merged(testValues, without(given, reservedKeys));
}

/**
 * Initial context of a spoken test that is made ahead: test values, then the request's own. The request says
 * neither whose numbers these are nor who calls whom (contract 5.3, 6.2).
 */
export function spokenTestContext(testValues: JsonObject, given: JsonObject): Record<string, unknown> {
  return merged(testValues, without(given, serviceOnlyKeys));
}

/** How a trigger was addressed, and by which key. */
export interface TriggerSource {
  isTest: boolean;
  /** Null when the agent was addressed by its uuid. */
  path: string | null;
  agentUuid: string;
  apiKeyId: number;
  /** User id of the key's creator. */
  apiKeyCreatedBy: number;
}

export interface OutboundContext {
  /**
   * Values with the lowest precedence: test values of a call from the editor; empty for a trigger, which
   * makes real calls.
   */
  underneath: JsonObject;
  provider: string;
  /** As the client wrote it, so that prompts show the number that the client knows (contract 5.4). */
  phoneNumber: string;
  configurationId: number;
  /** Null when the request left the choice to the service. */
  fromNumberId: number | null;
  /** Null for initiate-call. */
  trigger: TriggerSource | null;
  /** `initial_context` of the request. */
  given: JsonObject;
}

/**
 * Initial context of an outbound call before it is dialed (contract 5.3, rows 1 to 4; 5.5). Later rows take
 * precedence; a key keeps the position of its first row.
 */
export function outboundContext({
  underneath,
  given,
  phoneNumber,
  ...source
}: OutboundContext): Record<string, unknown> {
  return merged(
    without(underneath, serviceOnlyKeys),
    serviceKeys({ phoneNumber, ...source }),
    without(given, serviceOnlyKeys),
    { called_number: phoneNumber },
  );
}

/** Adds the platform's number that the callee sees, in E.164, after the dial (contract 5.3, row 5). */
export function withCallerNumber(initialContext: JsonObject, callerNumber: string): Record<string, unknown> {
  return merged(initialContext, { caller_number: callerNumber });
}

function serviceKeys({
  provider,
  phoneNumber,
  configurationId,
  fromNumberId,
  trigger,
}: Omit<OutboundContext, 'underneath' | 'given'>): JsonObject {
  return {
    provider,
    direction: 'outbound',
    phone_number: phoneNumber,
    ...(trigger === null ? {} : { trigger_mode: trigger.isTest ? 'test' : 'production' }),
    telephony_configuration_id: configurationId,
    ...(trigger === null ? {} : addressOf(trigger)),
    ...(fromNumberId === null ? {} : { from_phone_number_id: fromNumberId }),
    ...(trigger === null || trigger.path === null ? {} : { agent_uuid: trigger.path }),
    ...(trigger === null
      ? {}
      : { api_key_id: trigger.apiKeyId, api_key_created_by: trigger.apiKeyCreatedBy }),
  };
}

function addressOf({ path, agentUuid }: TriggerSource): JsonObject {
  return {
    agent_identifier: path ?? agentUuid,
    agent_identifier_type: path === null ? 'workflow_uuid' : 'trigger_path',
    workflow_uuid: agentUuid,
  };
}

function without(values: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.has(key)));
}

/** Merges own keys only, including `__proto__`. */
function merged(...layers: readonly JsonObject[]): Record<string, unknown> {
  return Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)));
}

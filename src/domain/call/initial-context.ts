import type { JsonObject } from '../graph/definition.ts';

/**
 * Keys that no request writes: who serves the call, with which models, and what it is billed under (contract
 * 5.3, row 3).
 */
const reservedKeys: ReadonlySet<string> = new Set([
  'provider',
  'runtime_configuration',
  'mps_correlation_id',
]);

/**
 * Keys that the service reads back from a call to a person. Only the service writes them: not a request, not a
 * test value, not the answer to a pre-call fetch (contract 5.3, row 3; 10).
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

/** How a trigger was addressed, and by whom. */
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
   * What stands below everything else: test values of a call from the editor; nothing on a trigger, which
   * makes real calls.
   */
  underneath: JsonObject;
  provider: string;
  /** As the client wrote it: a prompt reads back what the client knows (contract 5.4). */
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
 * Initial context of a call to a person before it is dialed (contract 5.3, rows 1 to 4; 5.5): later rows win.
 * A key keeps the place of its first row.
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

/** Once dialed: the platform's number that the person sees, in E.164 (contract 5.3, row 5). */
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

/** Own keys alone, `__proto__` among them. */
function merged(...layers: readonly JsonObject[]): Record<string, unknown> {
  return Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)));
}

import { readTimeName } from './time.ts';

/** Names in initial_context that the service sets in some calls (contract 5.3, 6.4). */
const telephonyNames: ReadonlySet<string> = new Set([
  'phone_number',
  'caller_number',
  'called_number',
  'direction',
  'provider',
  'telephony_configuration_id',
  'from_phone_number_id',
]);
const serviceNames: ReadonlySet<string> = new Set([
  'trigger_mode',
  'agent_identifier',
  'agent_identifier_type',
  'workflow_uuid',
  'agent_uuid',
  'api_key_id',
  'api_key_created_by',
  'campaign_id',
  'source_uuid',
  'is_retry',
  'retry_attempt',
  'retry_reason',
  'ext_customer_id',
  'record_key',
  'greeting_override',
  'external_pbx_call',
  'runtime_configuration',
]);

/** Names in a webhook's payload (contract 9.2). */
export const payloadNames: ReadonlySet<string> = new Set([
  'workflow_run_id',
  'workflow_run_name',
  'workflow_id',
  'workflow_name',
  'campaign_id',
  'call_time',
  'initial_context',
  'gathered_context',
  'annotations',
  'cost_info',
  'extra',
  'recording_url',
  'transcript_url',
  'user_recording_url',
  'bot_recording_url',
]);

/** Who sets a name of the service in prompts: its clock, the telephone side, or the service itself; null for any other name. */
export function ownSourceOf(name: string): 'time' | 'telephony' | 'service' | null {
  if (readTimeName(name) !== null) return 'time';
  if (telephonyNames.has(name)) return 'telephony';
  return serviceNames.has(name) ? 'service' : null;
}

/** The name in initial_context of a placeholder in a prompt: without the optional prefix and without what is inside the value. */
export function rootName(name: string): string {
  const bare = name.startsWith('initial_context.') ? name.slice('initial_context.'.length) : name;
  return bare.split('.', 1)[0] ?? bare;
}

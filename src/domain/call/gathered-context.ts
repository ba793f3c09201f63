import type { Disposition } from './dispositions.ts';

/** JSON object of a call; keys are the customer's, `__proto__` included. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Keys of gathered_context that the service itself writes and reads (contract 6.5). An extracted variable
 * with such a name is stored under `extracted_variables` only. `call_disposition` is not among them, because
 * it replaces the disposition (contract 8.4).
 */
const serviceKeys: ReadonlySet<string> = new Set([
  'call_id',
  'call_control_id',
  'call_leg_id',
  'call_session_id',
  'provider',
  'triggered_by',
  'trigger_uuid',
  'extracted_variables',
  'nodes_visited',
  'mapped_call_disposition',
  'call_tags',
  'trace_url',
  'error',
  'external_pbx_transferred',
  'external_pbx_fields',
]);

export interface GatheredParts {
  /** Stored values that the service wrote (carrier ids, ...). */
  base: Values;
  /** Merged extraction results (`mergeExtractions`). */
  extracted: Values;
  nodesVisited: readonly string[];
  /** Null until the call has ended. */
  outcome: { disposition: string; tags: readonly string[] } | null;
}

/** gathered_context as it is stored: extracted variables twice (contract 8.3), and the service's keys. */
export function gatheredContext({
  base,
  extracted,
  nodesVisited,
  outcome,
}: GatheredParts): Record<string, unknown> {
  const variables = Object.entries(extracted).filter(([name]) => !serviceKeys.has(name));
  const atTheEnd = outcome === null ? [] : outcomeEntries(outcome);
  return Object.fromEntries([
    ...Object.entries(base),
    ...variables,
    ['extracted_variables', { ...extracted }],
    ['nodes_visited', [...nodesVisited]],
    ...atTheEnd,
  ]);
}

function outcomeEntries({
  disposition,
  tags,
}: {
  disposition: string;
  tags: readonly string[];
}): [string, unknown][] {
  return [
    ['call_disposition', disposition],
    ['mapped_call_disposition', disposition],
    ['call_tags', [...tags]],
  ];
}

export interface TagSource {
  disposition: string;
  /** The caller said anything. */
  userSpoke: boolean;
  /** An end-call tool gave a reason of its own. */
  endCallToolReason?: boolean;
  /** The carrier's outcome when the call was never answered. */
  notConnected?: Disposition | 'rejected' | 'invalid_number' | 'fax' | null;
  /** Campaign retries. */
  retryReason?: string | null;
  /** gathered_context without tags: values of keys that begin with `tag_` are tags. */
  gathered: Values;
}

/** `call_tags` without repeats (contract 8.6). */
export function callTags({
  disposition,
  userSpoke,
  endCallToolReason = false,
  notConnected = null,
  retryReason = null,
  gathered,
}: TagSource): string[] {
  const own = Object.entries(gathered).filter(([name]) => name.startsWith('tag_'));
  const tags = [
    disposition,
    ...(userSpoke ? ['user_speech'] : []),
    ...(endCallToolReason ? ['end_call_tool'] : []),
    ...(notConnected === null ? [] : ['not_connected', `telephony_${notConnected}`]),
    ...(retryReason === null ? [] : ['retry', `retry_reason_${retryReason}`]),
    ...own.map(([, value]) => tagText(value)),
  ];
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Only plain values become a tag. */
function tagText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

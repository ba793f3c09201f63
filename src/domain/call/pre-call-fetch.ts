import { isObject, own, type JsonObject } from '../graph/definition.ts';
import { serviceOnlyKeys } from './initial-context.ts';

/** The most of an answer that is read. */
export const maxFetchedBytes = 256 * 1024;

/** Redirects that are followed, each judged as the first address was. */
export const maxFetchRedirects = 2;

/**
 * Keys of initial_context that an answer cannot change (contract 10): what only the service writes, and whom
 * the call is with.
 */
const protectedKeys: ReadonlySet<string> = new Set([
  ...serviceOnlyKeys,
  'is_retry',
  'retry_attempt',
  'retry_reason',
  'ext_customer_id',
  'record_key',
]);

/** `logs.pre_call_fetch`. `error` is null when the answer could be used. */
export interface FetchLog {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  error: string | null;
  duration_ms: number;
}

/**
 * What an answer's text gives the call, or why it gives nothing. An object without the known keys gives
 * nothing, and is no fault.
 */
export function readFetched(bodyText: string): { values: JsonObject } | { error: string } {
  let answer: unknown;
  try {
    answer = JSON.parse(bodyText);
  } catch {
    return { error: 'The answer is not JSON' };
  }
  if (!isObject(answer)) return { error: 'The answer is not a JSON object' };
  const nested = own(answer, 'call_inbound');
  const place = isObject(nested) ? nested : answer;
  const values = [own(place, 'initial_context'), own(place, 'dynamic_variables')].find(isObject);
  return { values: values ?? {} };
}

/** Values of an answer over those that the call has; protected ones stay. */
export function mergeFetched(initialContext: JsonObject, fetched: JsonObject): Record<string, unknown> {
  const allowed = Object.entries(fetched).filter(([key]) => !protectedKeys.has(key));
  return Object.fromEntries([...Object.entries(initialContext), ...allowed]);
}

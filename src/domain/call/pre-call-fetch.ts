import { isObject, own, type JsonObject } from '../graph/definition.ts';
import { serviceOnlyKeys } from './initial-context.ts';

/** Maximum number of bytes of an answer. */
export const maxFetchedBytes = 256 * 1024;

/** Maximum number of redirects; each address is checked like the first one. */
export const maxFetchRedirects = 2;

/**
 * Keys of initial_context that an answer cannot change (contract 10): those that only the service writes, and
 * those that identify the target.
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
 * The values in an answer, or why it cannot be used. An object without the known keys has no values and is
 * not an error.
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

/** Merges the values of an answer over those of the call; protected ones stay. */
export function mergeFetched(initialContext: JsonObject, fetched: JsonObject): Record<string, unknown> {
  const allowed = Object.entries(fetched).filter(([key]) => !protectedKeys.has(key));
  return Object.fromEntries([...Object.entries(initialContext), ...allowed]);
}

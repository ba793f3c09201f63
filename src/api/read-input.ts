import type { Request } from 'express';
import { z } from 'zod';
import { check, type Checked, type ValidationRecord } from '../contract/lax/records.ts';
import { apiKeyHeader } from '../contract/common.ts';
import type { Route } from '../contract/route.ts';

/** The parts of a request that routes describe, without its body. */
type Sent = Pick<Request, 'params' | 'url' | 'get'>;

/**
 * Reads path, query, headers and body of a request by the route's schemas. Returns the values or all faults.
 */
export function readInput(
  route: Route,
  req: Sent,
  body: unknown,
): Checked<Record<'params' | 'query' | 'headers' | 'body', unknown>> {
  const records: ValidationRecord[] = [];
  const part = <T>(checked: Checked<T>): T | undefined => {
    if (checked.ok) return checked.value;
    records.push(...checked.records);
    return undefined;
  };
  const value = {
    params: route.params === undefined ? undefined : part(check(route.params, 'path', { ...req.params })),
    query: route.query === undefined ? undefined : part(check(route.query, 'query', queryOf(req.url))),
    headers:
      route.headers === undefined
        ? undefined
        : part(check(route.headers, 'header', headersOf(req, route.headers))),
    body: route.body === undefined ? undefined : part(check(route.body, 'body', body)),
  };
  return records.length === 0 ? { ok: true, value } : { ok: false, records };
}

/** The query values. The last of several values counts. */
function queryOf(url: string): Record<string, string> {
  const start = url.indexOf('?');
  return Object.fromEntries(new URLSearchParams(start === -1 ? '' : url.slice(start + 1)));
}

/** The declared headers under their declared names. An empty API key counts as absent (contract 5.6). */
function headersOf(req: Sent, schema: z.ZodType): Record<string, string> {
  const names =
    schema instanceof z.ZodPipe && schema.out instanceof z.ZodObject ? Object.keys(schema.out.shape) : [];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = req.get(name);
      return value === undefined || (value === '' && name === apiKeyHeader) ? [] : [[name, value]];
    }),
  );
}

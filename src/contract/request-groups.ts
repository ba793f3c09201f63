import type { Route } from './route.ts';

/** Requests that are limited together, each group apart from the others (docs/security.md). */
export const requestGroups = ['reads', 'writes', 'calls', 'downloads'] as const;
export type RequestGroup = (typeof requestGroups)[number];

/**
 * The group of a route's requests; null where nobody is limited: what is open to all and costs nothing, and
 * signing in and up, which count tries.
 */
export function groupOf({
  group,
  auth,
  method,
}: Pick<Route, 'group' | 'auth' | 'method'>): RequestGroup | null {
  if (group !== undefined) return group;
  if (auth === 'none') return null;
  return method === 'get' ? 'reads' : 'writes';
}

import type { Route } from './route.ts';

/** Groups of requests. Each group has its own limits (docs/security.md). */
export const requestGroups = ['reads', 'writes', 'calls', 'downloads'] as const;
export type RequestGroup = (typeof requestGroups)[number];

/**
 * The group of a route's requests, or null if no request limit applies: for cheap public routes, and for
 * sign-in and sign-up, which have limits of their own.
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

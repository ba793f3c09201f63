import type { Route } from './route.ts';

/** Prefix of every REST path (contract 0.2). */
export const apiPrefix = '/api/v1';

/** The full path of a route, parameters in braces. */
export const fullPath = (route: Pick<Route, 'path' | 'bare'>): string =>
  route.bare === true ? route.path : `${apiPrefix}${route.path}`;

/** All paths at which a route is served. */
export const servedPaths = (route: Pick<Route, 'path' | 'bare' | 'alsoBare'>): string[] =>
  route.alsoBare === true ? [fullPath(route), route.path] : [fullPath(route)];

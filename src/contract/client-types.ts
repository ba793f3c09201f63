import type { Route, RouteInput, SuccessBody } from './route.ts';
import type { Routes } from './routes.ts';

/**
 * Types of a client over the route table. A path, parameter or body that is not in the contract is a compile
 * error, and a client needs no code of the service at run time.
 */
export type Table = Routes[keyof Routes];
export type PathOf<M extends Table['method']> = Extract<Table, { method: M }>['path'];
export type RouteAt<M extends Table['method'], P extends string> = Extract<Table, { method: M; path: P }>;

type Parts<R extends Route> = {
  [Part in 'params' | 'body' as undefined extends RouteInput<R>[Part] ? never : Part]: RouteInput<R>[Part];
};
type Query<R extends Route> = undefined extends RouteInput<R>['query']
  ? object
  : { query?: Partial<NonNullable<RouteInput<R>['query']>> };

/** What a request of a route carries. */
export type RequestParts<M extends Table['method'], P extends string> = Parts<RouteAt<M, P>> &
  Query<RouteAt<M, P>>;

/** The body of a route's successful answer. */
export type AnswerOf<M extends Table['method'], P extends string> = SuccessBody<RouteAt<M, P>>;

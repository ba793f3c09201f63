import type { z } from 'zod';
import type { Scope } from './scopes.ts';

/** Who may call: whoever proves who they are with a key or session of this scope; the same by `X-API-Key` alone, which is then a field of the request (contract 5.2); or anyone. */
export type RouteAccess = { auth: 'key' | 'key_header'; scope: Scope } | { auth: 'none'; scope?: undefined };

export type Method = 'get' | 'post' | 'put' | 'delete';

/** One answer of a route. A 422 for field faults and the answers of the transport are added by the table's readers. */
export interface RouteAnswer {
  description: string;
  /** The JSON body; absent for an answer without one. */
  schema?: z.ZodType;
  /** Media type of a body that is not JSON. */
  mediaType?: string;
}

interface RouteParts {
  method: Method;
  path: string;
  bare?: boolean;
  /** Served without the prefix as well (contract 0.2). */
  alsoBare?: boolean;
  /** Also the OpenAPI operation id. */
  id: string;
  tag: string;
  summary: string;
  description: string;
  params?: z.ZodType;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  answers: Readonly<Record<number, RouteAnswer>>;
}

/**
 * One endpoint: the only source of its validation, access, types and description (house rule "one source for every shape").
 * `path` is under `/api/v1`, parameters in braces; `bare` puts it at the root instead.
 */
export type Route = RouteParts & RouteAccess;

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined;

/** What a handler receives: every part parsed by its schema. */
export interface RouteInput<R extends Route> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  headers: Parsed<R['headers']>;
  body: Parsed<R['body']>;
}

/** The status of the answer that means success, and its body. */
export type SuccessBody<R extends Route> = R['answers'] extends { 200: { schema: infer Schema extends z.ZodType } } ? z.output<Schema> : undefined;

/** Keeps the literal types of a route while checking it. */
export const route = <const R extends Route>(definition: R): R => definition;

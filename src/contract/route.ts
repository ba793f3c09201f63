import type { z } from 'zod';
import type { RequestGroup } from './request-groups.ts';
import type { Scope } from './scopes.ts';

/**
 * Who may call: whoever proves who they are with a key or session of this scope; the same by `X-API-Key`
 * alone, which is then a field of the request (contract 5.2); or anyone.
 */
export type RouteAccess = { auth: 'key' | 'key_header'; scope: Scope } | { auth: 'none'; scope?: undefined };

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * One answer of a route. Those of the transport, a 422 for field faults among them, are added by `answersOf`.
 */
export interface RouteAnswer {
  /** Name in the description of an answer that many routes share. */
  id?: string;
  description: string;
  /** The JSON body; absent for an answer without one. */
  schema?: z.ZodType;
  /** Media type of a body that is not JSON. */
  mediaType?: string;
  /** Headers beside those of every answer. */
  headers?: Readonly<Record<string, z.ZodType>>;
  /** A body. Those of the routes' own answers are in `examples.ts`. */
  example?: unknown;
}

interface RouteParts {
  method: Method;
  path: string;
  bare?: boolean;
  /** Served without the prefix as well (contract 0.2). */
  alsoBare?: boolean;
  /** Which request limit it counts against, where its method does not say so (`groupOf`). */
  group?: RequestGroup;
  /** Also the OpenAPI operation id. */
  id: string;
  /** A section of the description; `openapi-text.ts` describes each. */
  tag: string;
  summary: string;
  description: string;
  params?: z.ZodType;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Its 200 is a workflow record and carries the record's `ETag`. */
  isTagged?: boolean;
  /** The body is a file of any type and size: its handler reads it while it comes. */
  bytes?: boolean;
  /** That body is a form with a file in it (`multipart/form-data`); its fields, for the description. */
  form?: z.ZodType;
  answers: Readonly<Record<number, RouteAnswer>>;
}

/**
 * One endpoint: the only source of its validation, access, types and description (house rule "one source for
 * every shape"). `path` is under `/api/v1`, parameters in braces; `bare` puts it at the root instead.
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
export type SuccessBody<R extends Route> = R['answers'] extends {
  200: { schema: infer Schema extends z.ZodType };
}
  ? z.output<Schema>
  : undefined;

/** Keeps the literal types of a route while checking it. */
export const route = <const R extends Route>(definition: R): R => definition;

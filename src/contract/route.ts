import type { z } from 'zod';
import type { RequestGroup } from './request-groups.ts';
import type { Scope } from './data/scopes.ts';

/**
 * Who may call a route. `key`: callers with a key or session of this scope. `key_header`: the same, but only
 * by `X-API-Key`, which is then a field of the request (contract 5.2). `none`: everyone.
 */
export type RouteAccess = { auth: 'key' | 'key_header'; scope: Scope } | { auth: 'none'; scope?: undefined };

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One answer of a route. `answersOf` adds those of the transport, such as the 422 for field faults. */
export interface RouteAnswer {
  /** Component name of an answer that many routes share. */
  id?: string;
  description: string;
  /** Schema of the JSON body. Absent for an answer without one. */
  schema?: z.ZodType;
  /** Media type of a body that is not JSON. */
  mediaType?: string;
  /** Headers that not every answer has. */
  headers?: Readonly<Record<string, z.ZodType>>;
  /** An example body. Those of the routes' own answers are recorded (`example-answers.ts`). */
  example?: unknown;
}

interface RouteParts {
  method: Method;
  path: string;
  bare?: boolean;
  /** Served without the prefix as well (contract 0.2). */
  alsoBare?: boolean;
  /** The group of request limits, if the method does not decide it (`groupOf`). */
  group?: RequestGroup;
  /** Also the OpenAPI operation id. */
  id: string;
  /** The section of the description. `openapi-text.ts` lists all of them. */
  tag: string;
  summary: string;
  description: string;
  params?: z.ZodType;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Its 200 is a record of this kind, with an `ETag`. */
  taggedAs?: 'agent' | 'campaign';
  /** Whether the body is a file. The handler reads it as a stream. */
  bytes?: boolean;
  /** The fields of a form with a file (`multipart/form-data`), for the description only. */
  form?: z.ZodType;
  answers: Readonly<Record<number, RouteAnswer>>;
}

/**
 * One endpoint: the only source of its validation, access, types and description. `path` is under `/api/v1`,
 * with parameters in braces; `bare` puts it at the root instead.
 */
export type Route = RouteParts & RouteAccess;

/** Whether the route answers a file to save, which a ticket of `createDownloadTicket` opens, too (contract 6.9). */
export const isDownload = ({ method, auth, answers }: Route): boolean =>
  method === 'get' && auth === 'key' && answers[200]?.mediaType !== undefined && !isEventStream({ answers });

/** Whether the route answers server-sent events, without an end. */
export const isEventStream = ({ answers }: Pick<Route, 'answers'>): boolean =>
  answers[200]?.mediaType === 'text/event-stream';

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined;

/** The input of a handler: each part, parsed by its schema. */
export interface RouteInput<R extends Route> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  headers: Parsed<R['headers']>;
  body: Parsed<R['body']>;
}

/** The body of the successful answer. */
export type SuccessBody<R extends Route> = R['answers'] extends
  | { 200: { schema: infer Schema extends z.ZodType } }
  | { 202: { schema: infer Schema extends z.ZodType } }
  ? z.output<Schema>
  : undefined;

/** Checks a route and keeps its literal types. */
export const route = <const R extends Route>(definition: R): R => definition;

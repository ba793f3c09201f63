import { isDeepStrictEqual } from 'node:util';
import type { Express, Request, Response } from 'express';
import { servedPaths } from '../contract/paths.ts';
import type { Method, Route, RouteInput, SuccessBody } from '../contract/route.ts';
import { routes, type RouteName, type Routes } from '../contract/routes.ts';
import type { Scope } from '../contract/scopes.ts';
import { ForbiddenError, InvariantError } from '../domain/errors.ts';
import { permits } from '../domain/keys/permits.ts';
import { interpretBody } from './body/interpret-body.ts';
import { readBody } from './body/read-body.ts';
import { requestFaults, TransportError } from './middleware/problem.ts';
import { requestIdOf } from './middleware/request-id.ts';
import { readInput } from './read-input.ts';
import { jsonReply, Reply } from './reply.ts';
import { send, sendComplete } from './send.ts';

/** Where a request comes from. */
export interface Client {
  /** IP address; that of the proxy, unless the proxy is trusted. */
  address: string;
  requestId: string;
}

/** A handler of one route: its parsed input and, where the route wants a key, the caller's context. */
export type Handler<R extends Route, Caller> = (request: {
  ctx: R['auth'] extends 'none' ? undefined : Caller;
  input: RouteInput<R>;
  client: Client;
}) => Promise<SuccessBody<R> | Reply>;

export type Handlers<Caller> = { [Name in RouteName]: Handler<Routes[Name], Caller> };

/** What a caller presented; an empty header counts as absent (contract 5.6). */
export interface PresentedCredentials {
  apiKey: string | undefined;
  authorization: string | undefined;
}

/** Who calls, and what for; null scopes = for everything. */
export interface Authenticated<Caller> {
  caller: Caller;
  scopes: readonly string[] | null;
}

export interface BindOptions<Caller> {
  handlers: Handlers<Caller>;
  /** Throws UnauthenticatedError. */
  authenticate: (presented: PresentedCredentials, requestId: string) => Promise<Authenticated<Caller>>;
  /** The same for a key in the header of a request that takes nothing else (contract 5.2). */
  authenticateKey: (apiKey: string, requestId: string) => Promise<Authenticated<Caller>>;
  /** Runs a keyed request at most once (contract 5.1). */
  runOnce: (request: KeyedRequest<Caller>) => Promise<Reply>;
  /** Answers are held against their schemas: in tests and development. */
  checkAnswers: boolean;
}

export interface KeyedRequest<Caller> {
  ctx: Caller;
  key: string;
  method: string;
  path: string;
  body: unknown;
  run: () => Promise<Reply>;
}

/** Handlers of all routes look alike from here: the table says what each receives. */
type AnyHandler<Caller> = (request: { ctx: Caller | undefined; input: Record<string, unknown>; client: Client }) => Promise<unknown>;

/** Binds the whole table; then every known path refuses other verbs. */
export function bindRoutes<Caller>(app: Express, options: BindOptions<Caller>): void {
  const names = Object.keys(routes).filter(isRouteName);
  for (const name of names) {
    const serve = server<Caller>(routes[name], handlerOf(options.handlers, name), options);
    app[routes[name].method](expressPaths(routes[name]), (req, res, next) => (req.method === 'HEAD' ? next() : serve(req, res)));
  }
  for (const [path, methods] of methodsByPath(names.map((name) => routes[name]))) app.all(path, refuseVerb(methods));
}

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);

/** The one place where a handler is seen without its route's types. */
function handlerOf<Caller>(handlers: Handlers<Caller>, name: RouteName): AnyHandler<Caller> {
  const handler: unknown = handlers[name];
  if (typeof handler !== 'function') throw new InvariantError(`route ${name} has no handler`);
  return (request) => handler(request);
}

const expressPaths = (route: Route): string[] => servedPaths(route).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''));

function methodsByPath(all: readonly Route[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>();
  for (const route of all) for (const path of expressPaths(route)) methods.set(path, [...(methods.get(path) ?? []), route.method]);
  return methods;
}

function refuseVerb(methods: Method[]) {
  const allow = methods.map((method) => method.toUpperCase()).join(', ');
  return (req: Request, res: Response): void => {
    if (req.method !== 'OPTIONS') throw new TransportError(405, 'method_not_allowed', 'Method Not Allowed', { Allow: allow });
    sendComplete(res, { status: 204, headers: { Allow: allow }, content: { kind: 'empty' } });
  };
}

const headerOf = (req: Request, name: string): string | undefined => req.get(name) || undefined;

/**
 * The order of checks of contract 0.2: the body's syntax, the caller and what they may, all fields, then the handler. Where the key is
 * a field, the caller comes after the fields (contract 5.2).
 */
function server<Caller>(route: Route, handler: AnyHandler<Caller>, options: BindOptions<Caller>) {
  return async (req: Request, res: Response): Promise<void> => {
    res.locals['routePattern'] = route.path;
    const body = route.method === 'get' ? undefined : await bodyOf(route, req);
    const early = route.auth === 'key' ? await admit(route.scope, { req, res, options }) : undefined;
    const input = readInput(route, req, body);
    if (!input.ok) throw requestFaults(input.records);
    const ctx = route.auth === 'key_header' ? await admitKey(route.scope, { req, res, options }) : early;
    const client = { address: req.ip ?? 'unknown', requestId: requestIdOf(res) };
    const run = async () => checked(route, asReply(await handler({ ctx, input: input.value, client })), options.checkAnswers);
    const key = keyOf(input.value.headers);
    const reply = key === undefined || ctx === undefined ? await run() : await options.runOnce({ ctx, key, method: req.method, path: req.path, body, run });
    await send(res, reply);
  };
}

interface Presenting<Caller> {
  req: Request;
  res: Response;
  options: BindOptions<Caller>;
}

/** The caller; throws UnauthenticatedError, and ForbiddenError for a key that was not made for this. */
async function admit<Caller>(scope: Scope, { req, res, options }: Presenting<Caller>): Promise<Caller> {
  const presented = { apiKey: headerOf(req, 'x-api-key'), authorization: headerOf(req, 'authorization') };
  return permitted(scope, await options.authenticate(presented, requestIdOf(res)));
}

/** The same by the key alone, which the fields have shown to be there. */
async function admitKey<Caller>(scope: Scope, { req, res, options }: Presenting<Caller>): Promise<Caller> {
  return permitted(scope, await options.authenticateKey(headerOf(req, 'x-api-key') ?? '', requestIdOf(res)));
}

function permitted<Caller>(scope: Scope, { caller, scopes }: Authenticated<Caller>): Caller {
  if (!permits(scopes, scope)) throw new ForbiddenError(`This API key lacks the scope ${scope}`);
  return caller;
}

async function bodyOf(route: Route, req: Request): Promise<unknown> {
  const bytes = await readBody(req);
  if (bytes === null) throw new TransportError(413, 'body_too_large', 'Request body too large');
  if (route.body === undefined) return undefined;
  const body = interpretBody(bytes, req.get('content-type'));
  if (body.kind === 'unreadable') throw new TransportError(400, 'unreadable_body', 'There was an error parsing the body');
  if (body.kind === 'fault') throw requestFaults(body.records);
  return body.value;
}

function keyOf(headers: unknown): string | undefined {
  const key: unknown = typeof headers === 'object' && headers !== null ? Reflect.get(headers, 'Idempotency-Key') : undefined;
  return typeof key === 'string' ? key : undefined;
}

const asReply = (result: unknown): Reply => (result instanceof Reply ? result : jsonReply(200, result));

/** Holds an answer against the table: its status is declared, its body has no other keys and types. */
function checked(route: Route, reply: Reply, isOn: boolean): Reply {
  if (!isOn) return reply;
  const answer = route.answers[reply.status];
  if (answer === undefined) throw new InvariantError(`${route.id} does not declare status ${reply.status}`);
  if (answer.schema === undefined || reply.content.kind !== 'json') return reply;
  const onTheWire: unknown = JSON.parse(JSON.stringify(reply.content.value));
  const parsed = answer.schema.safeParse(onTheWire);
  if (!parsed.success) throw new InvariantError(`${route.id} answers against its schema: ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, onTheWire)) throw new InvariantError(`${route.id} answers keys that its schema does not have`);
  return reply;
}

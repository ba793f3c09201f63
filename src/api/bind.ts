import type { Express, Request, Response } from 'express';
import { servedPaths } from '../contract/paths.ts';
import { groupOf, type RequestGroup } from '../contract/request-groups.ts';
import type { Method, Route, RouteInput, SuccessBody } from '../contract/route.ts';
import { routes, type RouteName, type Routes } from '../contract/routes.ts';
import { ForbiddenError, InvariantError } from '../domain/errors.ts';
import { permits } from '../domain/keys/permits.ts';
import { interpretBody } from './body/interpret-body.ts';
import { maxLevels } from './body/parse-json.ts';
import { readBody } from './body/read-body.ts';
import { checkAnswer } from './check-answer.ts';
import { withTag } from './entity-tag.ts';
import { holdAgainst } from './middleware/limit-request.ts';
import { requestFaults, toReply, TransportError } from './middleware/problem.ts';
import { requestIdOf } from './middleware/request-id.ts';
import type { LimitState } from '../services/identity/index.ts';
import { readInput } from './read-input.ts';
import { jsonReply, Reply } from './reply.ts';
import { send, sendComplete } from './send.ts';

/** Where a request comes from. */
export interface Client {
  /** IP address; that of the proxy, unless the proxy is trusted. */
  address: string;
  requestId: string;
  /** Aborted when the client has left, or has its answer. */
  signal: AbortSignal;
}

/** A body that its handler reads. */
export interface SentFile {
  mediaType: string | undefined;
  /** As `Content-Length` says; absent = the client did not. */
  announcedBytes: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

/** A handler of one route: its parsed input and, where the route wants a key, the caller's context. */
export type Handler<R extends Route, Caller> = (request: {
  ctx: R['auth'] extends 'none' ? undefined : Caller;
  input: RouteInput<R>;
  client: Client;
  file: R['bytes'] extends true ? SentFile : undefined;
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
  /** Counts a request against its limits; absent = nothing is limited. */
  countRequest?: ((request: CountedRequest<Caller>) => Promise<LimitState[]>) | undefined;
  /** Runs a keyed request at most once (contract 5.1). */
  runOnce: (request: KeyedRequest<Caller>) => Promise<Reply>;
  /** Answers are held against the table of routes: in tests and development. */
  checkAnswers: boolean;
  /**
   * Turns what a dependency throws when it is away into UnavailableError; anything else comes back as it was.
   */
  translate: (error: unknown) => unknown;
}

export interface CountedRequest<Caller> {
  group: RequestGroup;
  /** Null where nobody proves who they are. */
  caller: Caller | null;
  address: string;
  requestId: string;
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
type AnyHandler<Caller> = (request: {
  ctx: Caller | undefined;
  input: Record<string, unknown>;
  client: Client;
  file: SentFile | undefined;
}) => Promise<unknown>;

/** Binds the whole table; then every known path refuses other verbs. */
export function bindRoutes<Caller>(app: Express, options: BindOptions<Caller>): void {
  const names = Object.keys(routes).filter(isRouteName);
  for (const name of names) {
    const serve = checkedServer(
      routes[name],
      server<Caller>(routes[name], handlerOf(options.handlers, name), options),
      options,
    );
    // guarantee: what-openapi-json-declares
    app[routes[name].method](expressPaths(routes[name]), (req, res, next) =>
      req.method === 'HEAD' ? next() : serve(req, res),
    );
  }
  for (const [path, methods] of methodsByPath(names.map((name) => routes[name])))
    app.all(path, refuseVerb(methods));
}

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);

/** The one place where a handler is seen without its route's types. */
function handlerOf<Caller>(handlers: Handlers<Caller>, name: RouteName): AnyHandler<Caller> {
  const handler: unknown = handlers[name];
  if (typeof handler !== 'function') throw new InvariantError(`route ${name} has no handler`);
  return (request) => handler(request);
}

const expressPaths = (route: Route): string[] =>
  servedPaths(route).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''));

function methodsByPath(all: readonly Route[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>();
  for (const route of all)
    for (const path of expressPaths(route)) methods.set(path, [...(methods.get(path) ?? []), route.method]);
  return methods;
}

function refuseVerb(methods: Method[]) {
  const allow = methods.map((method) => method.toUpperCase()).join(', ');
  return (req: Request, res: Response): void => {
    if (req.method !== 'OPTIONS')
      throw new TransportError(405, 'method_not_allowed', 'Method Not Allowed', { Allow: allow });
    sendComplete(res, { status: 204, headers: { Allow: allow }, content: { kind: 'empty' } });
  };
}

const headerOf = (req: Request, name: string): string | undefined => req.get(name) || undefined;

/**
 * The order of checks of contract 0.2: the body's syntax, the caller, how many requests they had and what
 * they may, all fields, then the handler. Where the key is a field, the caller comes after the fields
 * (contract 5.2).
 */
function server<Caller>(route: Route, handler: AnyHandler<Caller>, options: BindOptions<Caller>) {
  return async (req: Request, res: Response): Promise<void> => {
    res.locals['routePattern'] = route.path;
    const body = route.method === 'get' || route.bytes === true ? undefined : await bodyOf(route, req);
    const request = { route, req, res, options };
    if (route.auth === 'none') await countRequest(null, request);
    const early = route.auth === 'key' ? await admit(request) : undefined;
    const input = readInput(route, req, body);
    if (!input.ok) throw requestFaults(input.records);
    const ctx = route.auth === 'key_header' ? await admitKey(request) : early;
    const client = clientOf(req, res);
    const run = async () => {
      const reply = asReply(
        await handler({
          ctx,
          input: input.value,
          client,
          file: route.bytes === true ? fileOf(req) : undefined,
        }),
      );
      if (options.checkAnswers) checkAnswer(route, reply);
      return reply;
    };
    const key = headerIn(input.value.headers, 'Idempotency-Key');
    const reply =
      key === undefined || ctx === undefined
        ? await run()
        : await options.runOnce({ ctx, key, method: req.method, path: req.path, body, run });
    await send(
      res,
      route.isTagged === true ? withTag(reply, headerIn(input.value.headers, 'If-None-Match')) : reply,
    );
  };
}

/** Holds refusals, too, against the table: they are answered outside of the binder. */
function checkedServer(
  route: Route,
  serve: (req: Request, res: Response) => Promise<void>,
  { checkAnswers, translate }: Pick<BindOptions<unknown>, 'checkAnswers' | 'translate'>,
): typeof serve {
  if (!checkAnswers) return serve;
  return async (req, res) => {
    try {
      await serve(req, res);
    } catch (error) {
      // guarantee: no-answer-no-refusal
      if (!(error instanceof InvariantError)) checkAnswer(route, toReply(translate(error), requestIdOf(res)));
      throw error;
    }
  };
}

interface Presenting<Caller> {
  route: Route;
  req: Request;
  res: Response;
  options: BindOptions<Caller>;
}

const clientOf = (req: Request, res: Response): Client => ({
  address: req.ip ?? 'unknown',
  requestId: requestIdOf(res),
  signal: closing(res),
});

/** Aborted when the client leaves before it has its answer. */
function closing(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * The caller. Throws UnauthenticatedError, LimitError, and ForbiddenError for a key that was not made for
 * this.
 */
async function admit<Caller>(request: Presenting<Caller>): Promise<Caller> {
  const { req, res, options } = request;
  const presented = { apiKey: headerOf(req, 'x-api-key'), authorization: headerOf(req, 'authorization') };
  return await permitted(await options.authenticate(presented, requestIdOf(res)), request);
}

/** The same by the key alone, which the fields have shown to be there. */
async function admitKey<Caller>(request: Presenting<Caller>): Promise<Caller> {
  const { req, res, options } = request;
  return await permitted(
    await options.authenticateKey(headerOf(req, 'x-api-key') ?? '', requestIdOf(res)),
    request,
  );
}

async function permitted<Caller>(
  { caller, scopes }: Authenticated<Caller>,
  request: Presenting<Caller>,
): Promise<Caller> {
  await countRequest(caller, request);
  const { scope } = request.route;
  // guarantee: key-does-nothing-made
  if (scope !== undefined && !permits(scopes, scope))
    throw new ForbiddenError(`This API key lacks the scope ${scope}`);
  return caller;
}

/** Throws LimitError for a request that is one too many. */
async function countRequest<Caller>(
  caller: Caller | null,
  { route, req, res, options }: Presenting<Caller>,
): Promise<void> {
  const group = groupOf(route);
  if (group === null || options.countRequest === undefined) return;
  holdAgainst(await options.countRequest({ group, caller, ...clientOf(req, res) }), res);
}

async function bodyOf(route: Route, req: Request): Promise<unknown> {
  const bytes = await readBody(req);
  if (bytes === null) throw new TransportError(413, 'body_too_large', 'Request body too large');
  if (route.body === undefined) return undefined;
  const body = interpretBody(bytes, req.get('content-type'));
  if (body.kind === 'unreadable')
    throw new TransportError(400, 'unreadable_body', 'There was an error parsing the body');
  if (body.kind === 'too_deep')
    throw new TransportError(400, 'body_too_deep', `The body is nested deeper than ${maxLevels} levels`);
  if (body.kind === 'fault') throw requestFaults(body.records);
  return body.value;
}

/** Whoever stops reading still answers on the same connection. */
function fileOf(req: Request): SentFile {
  const length = req.get('content-length');
  return {
    mediaType: req.get('content-type'),
    announcedBytes: length === undefined ? undefined : Number(length),
    bytes: req.iterator({ destroyOnReturn: false }),
  };
}

/** A declared header that was sent. */
function headerIn(headers: unknown, name: string): string | undefined {
  const value: unknown =
    typeof headers === 'object' && headers !== null ? Reflect.get(headers, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

const asReply = (result: unknown): Reply => (result instanceof Reply ? result : jsonReply(200, result));

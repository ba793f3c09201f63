import express, { type Express, type Request, type Response, type Router } from 'express';
import { answersOf } from '../contract/answers.ts';
import { apiPrefix, servedPaths } from '../contract/paths.ts';
import { maskedAnswer, personalScope } from '../contract/personal.ts';
import { groupOf, type RequestGroup } from '../contract/request-groups.ts';
import { isDownload, type Method, type Route, type RouteInput, type SuccessBody } from '../contract/route.ts';
import { routes, type RouteName, type Routes } from '../contract/routes.ts';
import { ForbiddenError, InvariantError } from '../domain/errors.ts';
import { permits, type Granted } from '../domain/keys/permits.ts';
import { interpretBody } from './body/interpret-body.ts';
import { maxLevels } from './body/parse-json.ts';
import { readBody } from './body/read-body.ts';
import { checkAnswer } from './answers/check-answer.ts';
import { withTag } from './answers/entity-tag.ts';
import { type DownloadTicket, ticketIn } from './middleware/download-ticket.ts';
import { applyLimits } from './middleware/limit-request.ts';
import { requestFaults, toReply, TransportError } from './middleware/problem.ts';
import { requestIdOf } from './middleware/request-id.ts';
import type { LimitState } from '../services/identity/index.ts';
import { readInput } from './read-input.ts';
import { jsonReply, Reply } from './answers/reply.ts';
import { send, sendComplete } from './answers/send.ts';
import { withSentInput } from './sent-input.ts';

/** The sender of a request. */
export interface Client {
  /** IP address of the client, or of a proxy that is not trusted. */
  address: string;
  /** The header `User-Agent`. */
  userAgent: string | undefined;
  requestId: string;
  /** Aborted when the client disconnects before it has its answer. */
  signal: AbortSignal;
}

/** The sender, and who it is now. */
export interface KnownClient<Caller> extends Client {
  /** The caller with the rights that it has now, for an answer that takes long. Throws what its next request would get. */
  again: () => Promise<Caller>;
}

/** A body that the handler reads as a stream. */
export interface SentFile {
  mediaType: string | undefined;
  /** Value of `Content-Length`, if the client sent one. */
  announcedBytes: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

/** A handler of one route. It gets the parsed input and, if the route needs a key, the caller's context. */
export type Handler<R extends Route, Caller> = (request: {
  ctx: R['auth'] extends 'none' ? undefined : Caller;
  input: RouteInput<R>;
  client: KnownClient<Caller>;
  file: R['bytes'] extends true ? SentFile : undefined;
}) => Promise<SuccessBody<R> | Reply>;

export type Handlers<Caller> = { [Name in RouteName]: Handler<Routes[Name], Caller> };

/** The credentials in a request. An empty header counts as absent (contract 5.6). */
export interface PresentedCredentials {
  apiKey: string | undefined;
  authorization: string | undefined;
  /** Only of a download. */
  ticket: DownloadTicket | undefined;
}

/** The caller and the scopes of its key or role. */
export interface Authenticated<Caller> {
  caller: Caller;
  scopes: Granted;
  /** What has the scopes, as a refusal names it. */
  holder: string;
}

export interface BindOptions<Caller> {
  handlers: Handlers<Caller>;
  /** Throws UnauthenticatedError. */
  authenticate: (presented: PresentedCredentials, requestId: string) => Promise<Authenticated<Caller>>;
  /** The same for routes that accept only a key in `X-API-Key` (contract 5.2). */
  authenticateKey: (apiKey: string, requestId: string) => Promise<Authenticated<Caller>>;
  /** Called after each successful change, before its answer is sent. */
  changed?: ((route: Route) => void) | undefined;
  /** Counts a request against its limits. Absent if there are no limits. */
  countRequest?: ((request: CountedRequest<Caller>) => Promise<LimitState[]>) | undefined;
  /** Runs a request with an `Idempotency-Key` at most once (contract 5.1). */
  runOnce: (request: KeyedRequest<Caller>) => Promise<Reply>;
  /** Whether answers are checked against the route table: in tests and development. */
  checkAnswers: boolean;
  /** Converts errors of an unavailable dependency to UnavailableError. Returns all other errors unchanged. */
  translate: (error: unknown) => unknown;
}

export interface CountedRequest<Caller> {
  group: RequestGroup;
  /** Null for routes without credentials. */
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

/** A handler without the types of its route. */
type AnyHandler<Caller> = (request: {
  ctx: Caller | undefined;
  input: Record<string, unknown>;
  client: KnownClient<Caller>;
  file: SentFile | undefined;
}) => Promise<unknown>;

/**
 * Binds all routes. Known paths refuse all other verbs (contract 0.2). As in OpenAPI, a text in a path comes before a parameter:
 * a verb that `/workflow/fetch` does not have is not one for a workflow with the id `fetch`.
 */
export function bindRoutes<Caller>(app: Express, options: BindOptions<Caller>): void {
  const routers = new Map<string, Router>();
  for (const served of routesByPath()) {
    for (const { name, path } of served) {
      const serve = checkedServer(
        routes[name],
        server<Caller>(routes[name], handlerOf(options.handlers, name), options),
        options,
      );
      // guarantee: served-routes-match-description
      routerAt(routers, path)[routes[name].method](path, (req, res, next) =>
        req.method === 'HEAD' ? next() : serve(req, res),
      );
    }
    for (const path of new Set(served.map((each) => each.path)))
      routerAt(routers, path).all(path, refuseVerb(served.map(({ name }) => routes[name].method)));
  }
  app.use((req, res, next) => {
    const router = routers.get(placeOf(req.path));
    if (router === undefined) next();
    else router(req, res, next);
  });
}

/** The router for a path. A router tries its paths in turn, so each has only those of one place. */
function routerAt(routers: Map<string, Router>, path: string): Router {
  const place = placeOf(path);
  if (place.includes(':')) throw new InvariantError(`${path} begins with a parameter`);
  const router = routers.get(place) ?? express.Router({ caseSensitive: true });
  routers.set(place, router);
  return router;
}

/** The number of parts of a path, and its first one, after the prefix if it has that. */
function placeOf(path: string): string {
  const parts = path.replace(/\/$/, '').split('/');
  return `${parts.length} ${parts[path.startsWith(`${apiPrefix}/`) ? firstPart : 1] ?? ''}`;
}

const firstPart = apiPrefix.split('/').length;

export const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);

/** Removes the types of the route from a handler. */
export function handlerOf<Caller>(handlers: Partial<Handlers<Caller>>, name: RouteName): AnyHandler<Caller> {
  const handler: unknown = handlers[name];
  if (typeof handler !== 'function') throw new InvariantError(`route ${name} has no handler`);
  return async (request) => await handler(request);
}

interface ServedRoute {
  name: RouteName;
  /** As Express writes it. */
  path: string;
}

/** The routes of each path, in the order in which paths are tried. */
function routesByPath(): ServedRoute[][] {
  const all = Object.keys(routes)
    .filter(isRouteName)
    .flatMap((name) =>
      servedPaths(routes[name]).map((path): ServedRoute => ({
        name,
        path: path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''),
      })),
    );
  // After every other character, so that a parameter comes after a text.
  const order = (path: string) => path.replaceAll(/:\w+/g, '\uffff');
  const byPath = [...Map.groupBy(all, ({ path }) => order(path))];
  return byPath.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, served]) => served);
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
 * Serves a route, with the order of checks of contract 0.2: syntax of the body, credentials, request limits,
 * scope, all fields, then the handler. If the key is a field, credentials come after the fields (contract
 * 5.2).
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
    const admitted = route.auth === 'key_header' ? await admitKey(request) : early;
    const ctx = admitted?.caller;
    const client = { ...clientOf(req, res), again: async () => await now(request) };
    const run = async () => {
      const file = route.bytes === true ? fileOf(req) : undefined;
      const reply = asReply(
        await handler({ ctx, input: input.value, client, file }).catch((error: unknown) => {
          throw withSentInput(error, body);
        }),
      );
      if (options.checkAnswers) checkAnswer(route, reply);
      if (route.method !== 'get') options.changed?.(route);
      return reply;
    };
    const key = headerIn(input.value.headers, 'Idempotency-Key');
    const whole =
      key === undefined || ctx === undefined
        ? await run()
        : await options.runOnce({
            ctx,
            key,
            method: req.method,
            path: req.path,
            body: comparedBody(route, req, body),
            run,
          });
    const reply = isMasked(admitted?.scopes ?? null) ? maskedReply(route, whole) : whole;
    if (options.checkAnswers) checkAnswer(route, reply);
    await send(
      res,
      route.taggedAs === undefined
        ? reply
        : withTag(reply, {
            kind: route.taggedAs,
            ifNoneMatch: headerIn(input.value.headers, 'If-None-Match'),
          }),
    );
  };
}

/** What tells the requests of an Idempotency-Key apart. A file is read by its handler: its announced size counts. */
const comparedBody = (route: Route, req: Request, body: unknown): unknown =>
  route.bytes === true ? { bytes: headerOf(req, 'content-length') ?? null } : body;

/**
 * Whether the caller reads without seeing people. A key that does not even read sees only what it made itself
 * (`mayReadAll`).
 */
const isMasked = (scopes: Granted): boolean => permits(scopes, 'read') && !permits(scopes, personalScope);

/** The answer with its personal fields masked, after it was kept for its Idempotency-Key. */
function maskedReply(route: Route, reply: Reply): Reply {
  const { status, content, headers } = reply;
  const schema = answersOf(route)[status]?.schema;
  if (content.kind !== 'json' || schema === undefined) return reply;
  return new Reply(status, { kind: 'json', value: maskedAnswer(schema, content.value) }, headers);
}

/** Checks error answers against the route table too. They are written outside of the binder. */
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
      // guarantee: answers-match-description
      if (!(error instanceof InvariantError)) checkAnswer(route, toReply(translate(error), requestIdOf(res)));
      throw error;
    }
  };
}

interface RequestInProgress<Caller> {
  route: Route;
  req: Request;
  res: Response;
  options: BindOptions<Caller>;
}

const addressOf = (req: Request): string => req.ip ?? 'unknown';

const clientOf = (req: Request, res: Response): Client => ({
  address: addressOf(req),
  userAgent: headerOf(req, 'user-agent'),
  requestId: requestIdOf(res),
  signal: closing(res),
});

/** A signal that aborts when the client disconnects before it has its answer. */
function closing(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Authenticates the caller. Throws UnauthenticatedError, LimitError, and ForbiddenError for a missing scope.
 */
async function admit<Caller>(request: RequestInProgress<Caller>): Promise<Authenticated<Caller>> {
  return await permitted(await identify(request), request);
}

/** The caller as it is now. Throws UnauthenticatedError, and ForbiddenError for a scope that it has lost. */
async function now<Caller>(request: RequestInProgress<Caller>): Promise<Caller> {
  const known = await identify(request);
  requireScope(known, request.route);
  return known.caller;
}

/** The caller and its rights. Throws UnauthenticatedError. */
async function identify<Caller>({
  route,
  req,
  res,
  options,
}: RequestInProgress<Caller>): Promise<Authenticated<Caller>> {
  const presented = {
    apiKey: headerOf(req, 'x-api-key'),
    authorization: headerOf(req, 'authorization'),
    // guarantee: download-ticket-opens-downloads-only
    ticket: isDownload(route) ? ticketIn(req.originalUrl) : undefined,
  };
  return await options.authenticate(presented, requestIdOf(res));
}

/** Authenticates by the key alone. The check of the fields has found the key. */
async function admitKey<Caller>(request: RequestInProgress<Caller>): Promise<Authenticated<Caller>> {
  const { req, res, options } = request;
  return await permitted(
    await options.authenticateKey(headerOf(req, 'x-api-key') ?? '', requestIdOf(res)),
    request,
  );
}

async function permitted<Caller>(
  admitted: Authenticated<Caller>,
  request: RequestInProgress<Caller>,
): Promise<Authenticated<Caller>> {
  await countRequest(admitted.caller, request);
  requireScope(admitted, request.route);
  return admitted;
}

/** Throws ForbiddenError if the caller may not call the route. */
export function requireScope(
  { scopes, holder }: Pick<Authenticated<unknown>, 'scopes' | 'holder'>,
  { scope }: Pick<Route, 'scope'>,
): void {
  // guarantee: key-limited-to-its-scopes
  if (scope !== undefined && !permits(scopes, scope))
    throw new ForbiddenError(`${holder} lacks the scope ${scope}`);
}

/** Counts the request. Throws LimitError if it exceeds a limit. */
async function countRequest<Caller>(
  caller: Caller | null,
  { route, req, res, options }: RequestInProgress<Caller>,
): Promise<void> {
  const group = groupOf(route);
  if (group === null || options.countRequest === undefined) return;
  const address = addressOf(req);
  applyLimits(await options.countRequest({ group, caller, address, requestId: requestIdOf(res) }), res);
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

/**
 * The body as a stream. The answer can be sent on the connection even if the body was not read to its end.
 */
function fileOf(req: Request): SentFile {
  const length = req.get('content-length');
  return {
    mediaType: req.get('content-type'),
    announcedBytes: length === undefined ? undefined : Number(length),
    bytes: req.iterator({ destroyOnReturn: false }),
  };
}

/** Returns a declared header, if the request has it. */
function headerIn(headers: unknown, name: string): string | undefined {
  const value: unknown =
    typeof headers === 'object' && headers !== null ? Reflect.get(headers, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

const asReply = (result: unknown): Reply => (result instanceof Reply ? result : jsonReply(200, result));

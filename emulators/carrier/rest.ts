import { Problem } from './problems.ts';
import { ApplicationBody, readBody } from './bodies.ts';
import { dial, type DialBook } from './dial.ts';
import { createConference, isLegAction, joinConference, legActions } from './leg-commands.ts';
import type { CommandName } from './arranged.ts';
import type { Account } from './account.ts';
import type { Leg } from './leg.ts';
import type { World } from './world.ts';

export interface RestRequest {
  method: string;
  /** Without `/v2`. */
  path: string;
  query: URLSearchParams;
  body: unknown;
  accountKey: string;
}

/** A parsed request, before it runs. */
export interface RestCommand {
  name: CommandName;
  /** The scope in which its `command_id` is unique. */
  subject: string;
  /** The number of the command, if known. */
  number: string | undefined;
  legId: string | undefined;
  run(): unknown;
}

export const done = { data: { result: 'ok' } };

/** Parses the request; a path that the carrier does not have is its 404. */
export function commandOf(world: World, dials: DialBook, request: RestRequest): RestCommand {
  const { method, path } = request;
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const [resource, id = '', sub, name = ''] = parts;
  if (resource === 'calls') return callCommand(world, dials, { request, id, sub, name, depth: parts.length });
  if (resource === 'conferences') return conferenceCommand(world, { request, id, name, depth: parts.length });
  const run = accountCommand(world, request, { resource, id, sub, depth: parts.length });
  if (run === null) throw new Problem('10005', { detail: `${method} ${path} is not simulated` });
  return {
    name: sub === 'active_calls' ? 'active_calls' : 'account',
    subject: path,
    number: undefined,
    legId: undefined,
    run,
  };
}

function callCommand(
  world: World,
  dials: DialBook,
  {
    request,
    id,
    sub,
    name,
    depth,
  }: { request: RestRequest; id: string; sub: string | undefined; name: string; depth: number },
): RestCommand {
  const { method, body, accountKey, path } = request;
  if (method === 'POST' && depth === 1)
    return {
      name: 'dial',
      subject: `dial ${accountKey}`,
      number: textOf(body, 'to'),
      legId: undefined,
      run: () => dial(world, dials, accountKey, body),
    };
  const leg = world.legs.find(id);
  const about = {
    subject: `${id} ${name}`,
    number: leg === undefined ? undefined : numberOf(leg),
    legId: leg?.id,
  };
  if (method === 'GET' && depth === 2)
    return { ...about, name: 'status', run: () => statusOf(leg, accountKey) };
  if (method !== 'POST' || depth !== 4 || sub !== 'actions' || !isLegAction(name))
    throw new Problem('10005', { detail: `${method} ${path} is not simulated` });
  return {
    ...about,
    name,
    run: () => {
      legActions[name](world.legs.commanded(id, accountKey), body ?? {}, world);
      return done;
    },
  };
}

function conferenceCommand(
  world: World,
  { request, id, name, depth }: { request: RestRequest; id: string; name: string; depth: number },
): RestCommand {
  const { method, path, body, accountKey } = request;
  const about = {
    subject: path,
    number: undefined,
    legId: world.legs.find(textOf(body, 'call_control_id') ?? '')?.id,
  };
  if (method === 'POST' && depth === 1)
    return { ...about, name: 'conference_create', run: () => createConference(world, accountKey, body) };
  if (method !== 'POST' || name !== 'join')
    throw new Problem('10005', { detail: `${method} ${path} is not simulated` });
  return {
    ...about,
    name: 'conference_join',
    run: () => {
      joinConference(world, accountKey, { conferenceId: id, body });
      return done;
    },
  };
}

/** The number at the other end: the callee of an outgoing leg, the caller of an incoming one. */
export function numberOf({ request }: Leg): string {
  return request.direction === 'outgoing' ? request.to : request.from;
}

function statusOf(leg: Leg | undefined, accountKey: string): unknown {
  if (leg?.accountKey !== accountKey) throw new Problem('10005');
  const { controlId, id, sessionId, state, clientState, createdAt, endedAt } = leg;
  return {
    data: {
      record_type: 'call',
      call_control_id: controlId,
      call_leg_id: id,
      call_session_id: sessionId,
      is_alive: state !== 'ended',
      client_state: clientState,
      start_time: new Date(createdAt).toISOString(),
      end_time: endedAt === null ? null : new Date(endedAt).toISOString(),
    },
  };
}

type AccountPath = { resource: string | undefined; id: string; sub: string | undefined; depth: number };

function accountCommand(
  world: World,
  { method, query, body, accountKey }: RestRequest,
  { resource, id, sub, depth }: AccountPath,
): (() => unknown) | null {
  const account = world.accounts.of(accountKey);
  if (method === 'GET' && resource === 'connections' && sub === 'active_calls')
    return () => activeCalls(world, account, { id, query });
  if (method === 'GET' && resource === 'phone_numbers' && depth === 1)
    return () =>
      page(
        account
          .numbersWith(query.get('filter[phone_number]') ?? '')
          .map((each) => ({ ...each, record_type: 'phone_number', status: 'active' })),
      );
  if (method === 'GET' && resource === 'outbound_voice_profiles' && depth === 1)
    return () =>
      page([
        { record_type: 'outbound_voice_profile', id: account.profileId, name: 'simulated', enabled: true },
      ]);
  if (resource !== 'call_control_applications') return null;
  if (method === 'GET' && depth === 1) return () => page([...account.applications]);
  if (method === 'POST' && depth === 1) return () => ({ data: account.add(readBody(ApplicationBody, body)) });
  if (method === 'GET' && depth === 2) return () => ({ data: found(account.application(id)) });
  if (method === 'PATCH' && depth === 2)
    return () => ({ data: account.change(id, readBody(ApplicationBody, body)) });
  return null;
}

/** Paged by cursors, unlike the other lists, and in the order of dialing. */
function activeCalls(
  { legs, settings: { assumptions } }: World,
  account: Account,
  { id, query }: { id: string; query: URLSearchParams },
): unknown {
  found(account.application(id));
  const limit = Math.min(
    Math.max(Number(query.get('page[limit]') ?? query.get('page[size]') ?? 20) || 20, 1),
    250,
  );
  const after = query.get('page[after]');
  const all = legs
    .live()
    .filter(
      (leg) =>
        leg.accountKey === account.key &&
        leg.request.connectionId === id &&
        (assumptions.listsRinging || leg.state !== 'ringing'),
    );
  const start = after === null ? 0 : all.findIndex((leg) => leg.id === after) + 1;
  const shown = all.slice(start, start + limit);
  const next =
    start + limit < all.length
      ? `/v2/connections/${id}/active_calls?page[after]=${shown.at(-1)?.id ?? ''}`
      : null;
  return {
    data: shown.map((leg) => ({
      record_type: 'call',
      call_control_id: leg.controlId,
      call_leg_id: leg.id,
      call_session_id: leg.sessionId,
      client_state: leg.clientState,
      call_duration: Math.floor((Date.now() - leg.createdAt) / 1_000),
    })),
    meta: {
      total_items: all.length,
      next,
      previous: null,
      cursors: { after: next === null ? null : (shown.at(-1)?.id ?? null), before: null },
    },
  };
}

function page(data: unknown[]): unknown {
  return { data, meta: { page_number: 1, page_size: 20, total_pages: 1, total_results: data.length } };
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Problem('10005');
  return value;
}

function textOf(body: unknown, field: string): string | undefined {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

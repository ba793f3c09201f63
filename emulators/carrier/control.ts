import { z } from 'zod';
import { Arrangement } from './arranged.ts';
import type { ApiParts } from './api.ts';
import { Leg } from './leg.ts';
import { Persona } from './persona.ts';
import { Problem } from './problems.ts';
import { Faults, RepeatedDial } from './settings.ts';

/** `/emulator/...`: the emulator's own API for tests, the demonstration and judges. */
export interface ControlRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

const Personas = z.strictObject({ number: z.string().min(1), personas: z.array(Persona).min(1) });
export const Inbound = z.strictObject({
  /** The application that gets the call, by id; without one, the first application of any account. */
  connectionId: z.string().optional(),
  from: z.string().min(1),
  to: z.string().min(1),
  persona: Persona.optional(),
  /** How long the caller lets it ring. */
  patienceMs: z.number().int().min(0).default(30_000),
});
export type InboundInput = z.input<typeof Inbound>;

const Numbers = z.strictObject({
  key: z.string(),
  numbers: z
    .array(z.strictObject({ phone_number: z.string(), connection_id: z.string().nullable().default(null) }))
    .nullable(),
});
const Assumptions = z
  .strictObject({
    afterSocketLoss: z.enum(['survives', 'drops']),
    busyForMs: z.number().int().min(0),
    stoppedAfterMs: z.number().int().min(0).nullable(),
    repeatedDial: RepeatedDial,
    listsRinging: z.boolean(),
  })
  .partial();
const Limits = z
  .strictObject({
    account: z.number().int(),
    profile: z.number().int(),
    connection: z.number().int(),
    dialsPer5s: z.number().int(),
  })
  .partial();
const Pace = z.strictObject({ answerAfterMs: z.number().int().min(0) });
const Socket = z.strictObject({ legId: z.string(), how: z.enum(['reset', 'freeze']) });

type Handler = (parts: ApiParts, request: ControlRequest) => unknown;

const handlers: Readonly<Record<string, Handler>> = {
  'GET /emulator/public-key': ({ world }) => ({ publicKey: world.key.publicKey }),
  'GET /emulator/log': ({ world }, { query }) => ({
    entries: world.log.entries({
      legId: query.get('leg') ?? undefined,
      type: query.get('type') ?? undefined,
      after: Number(query.get('after') ?? 0),
    }),
  }),
  'DELETE /emulator/log': ({ world, dials }) => {
    world.log.clear();
    dials.clear();
    return { cleared: true };
  },
  'GET /emulator/rung': ({ dials }) => ({ rung: dials.rung() }),
  'GET /emulator/legs': ({ world }) => ({
    legs: world.legs.live().map((leg) => ({
      legId: leg.id,
      callControlId: leg.controlId,
      state: leg.state,
      from: leg.request.from,
      to: leg.request.to,
      persona: leg.request.persona.name,
      streams: leg.media.stream?.isStarted ?? false,
    })),
  }),
  'POST /emulator/personas': ({ world }, { body }) => {
    const { number, personas } = read(Personas, body);
    world.personas.set(number, personas);
    return { set: personas.length };
  },
  'DELETE /emulator/personas': ({ world }, { query }) => {
    world.personas.clear(query.get('number') ?? undefined);
    return { cleared: true };
  },
  'POST /emulator/inbound': ({ world }, { body }) => {
    const leg = callIn(world, read(Inbound, body));
    return { legId: leg.id, callControlId: leg.controlId };
  },
  'POST /emulator/arrange': ({ arrangements }, { body }) => {
    arrangements.add(read(Arrangement, body));
    return { arranged: true };
  },
  'POST /emulator/faults': ({ world }, { body }) => {
    world.settings.faults = read(Faults, body);
    return { faults: world.settings.faults };
  },
  'POST /emulator/assumptions': ({ world }, { body }) =>
    Object.assign(world.settings.assumptions, read(Assumptions, body)),
  'POST /emulator/limits': ({ world }, { body }) => Object.assign(world.settings.limits, read(Limits, body)),
  'POST /emulator/pace': ({ world }, { body }) => {
    world.settings.answerAfterMs = read(Pace, body).answerAfterMs;
    return { set: true };
  },
  'POST /emulator/numbers': ({ world }, { body }) => {
    const { key, numbers } = read(Numbers, body);
    world.accounts.of(key).setNumbers(numbers);
    return { set: true };
  },
  'POST /emulator/socket': ({ world }, { body }) => {
    const { legId, how } = read(Socket, body);
    const stream = world.legs.byLegId(legId)?.media.stream ?? null;
    if (stream === null) throw new Problem('10005', { detail: 'The leg has no media socket' });
    stream.breakOff(how);
    return { done: true };
  },
};

/** Undefined for other paths. */
export function control(parts: ApiParts, request: ControlRequest): unknown {
  return handlers[`${request.method} ${request.path}`]?.(parts, request);
}

/** An incoming call to one of our numbers. */
export function callIn(
  world: ApiParts['world'],
  { connectionId, from, to, persona, patienceMs }: z.infer<typeof Inbound>,
): Leg {
  const account = world.accounts
    .all()
    .find(({ applications }) =>
      applications.some(({ id }) => connectionId === undefined || id === connectionId),
    );
  const application =
    connectionId === undefined ? account?.applications[0] : account?.application(connectionId);
  if (account === undefined || application === undefined)
    throw new Problem('10005', { detail: 'No application takes the call' });
  const leg = new Leg(
    world,
    {
      accountKey: account.key,
      connectionId: application.id,
      direction: 'incoming',
      from,
      to,
      clientState: null,
      webhookUrl: null,
      webhookRetries: {},
      ringTimeoutMs: patienceMs,
      timeLimitMs: 14_400_000,
      detection: null,
      persona: persona ?? world.personas.next(from),
    },
    world.legs.live().length,
  );
  world.legs.add(leg);
  leg.begin();
  return leg;
}

function read<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Problem('10015', { detail: z.prettifyError(parsed.error) });
  return parsed.data;
}

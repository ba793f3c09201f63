import { randomUUID } from 'node:crypto';
import type { Application } from './account.ts';
import { DialBody, readBody } from './bodies.ts';
import { Leg } from './leg.ts';
import { Problem } from './problems.ts';
import type { World } from './world.ts';

/** The dials of the last 5 seconds, and how often each number was rung. */
export class DialBook {
  #recent: number[] = [];
  #rung = new Map<string, number>();

  /** Counts a dial; refuses it when there were too many. */
  admit(limit: number): void {
    const now = Date.now();
    this.#recent = this.#recent.filter((at) => now - at < 5_000);
    if (this.#recent.length >= limit) throw new Problem('90103', { retryAfterSeconds: 1 });
    this.#recent.push(now);
  }

  /** How often the number has rung, including this time. */
  ring(number: string): number {
    const count = (this.#rung.get(number) ?? 0) + 1;
    this.#rung.set(number, count);
    return count;
  }

  rung(): Record<string, number> {
    return Object.fromEntries(this.#rung);
  }

  clear(): void {
    this.#rung.clear();
  }
}

/** POST /calls: rings a number. All checks come first, so that a refused dial has no effect. */
export function dial(
  world: World,
  dials: DialBook,
  accountKey: string,
  rawBody: unknown,
): Record<string, unknown> {
  const body = readBody(DialBody, rawBody);
  const account = world.accounts.of(accountKey);
  const application = account.application(body.connection_id);
  if (application === undefined)
    throw new Problem('10015', { detail: 'Invalid connection_id', pointer: '/connection_id' });
  checkRight(application);
  if (!account.owns(body.from))
    throw new Problem('10010', {
      detail: 'Caller Origination Number is Invalid D35',
      accountCode: 'D35',
      data: refusedCall(),
    });
  dials.admit(world.settings.limits.dialsPer5s);
  checkChannels(world, accountKey, application);
  const leg = new Leg(
    world,
    {
      accountKey,
      connectionId: application.id,
      direction: 'outgoing',
      from: body.from,
      to: body.to,
      clientState: body.client_state ?? null,
      webhookUrl: body.webhook_url ?? null,
      webhookRetries: body.webhook_retries_policies ?? {},
      ringTimeoutMs: body.timeout_secs * 1_000,
      timeLimitMs: body.time_limit_secs * 1_000,
      detection: detectionOf(body.answering_machine_detection),
      persona: world.personas.next(body.to),
    },
    dials.ring(body.to),
  );
  world.legs.add(leg);
  if (body.stream_url !== undefined)
    leg.stream({
      url: body.stream_url,
      hostCodec: body.stream_bidirectional_codec ?? 'PCMU',
      customParameters: {},
    });
  leg.begin();
  return {
    data: {
      record_type: 'call',
      call_control_id: leg.controlId,
      call_leg_id: leg.id,
      call_session_id: leg.sessionId,
      is_alive: false,
      client_state: leg.clientState,
    },
  };
}

function checkRight({ active, outbound }: Application): void {
  if (!active) throw new Problem('10010', { detail: 'The connection is not active D18', accountCode: 'D18' });
  if (outbound.outbound_voice_profile_id !== null) return;
  throw new Problem('10010', {
    detail: 'Connection has no Outbound Profile assigned D38. Connection has no Outbound Profile assigned.',
    accountCode: 'D38',
    data: refusedCall(),
  });
}

/** As observed at the carrier: ids of a call that never rang. */
function refusedCall(): Record<string, unknown> {
  return { call_control_id: `v3:${randomUUID()}` };
}

function checkChannels(
  { legs, settings: { limits } }: World,
  accountKey: string,
  application: Application,
): void {
  const live = legs.live().filter((leg) => leg.accountKey === accountKey);
  if (live.length >= limits.account) throw new Problem('90041');
  if (live.filter(({ request }) => request.direction === 'outgoing').length >= limits.profile)
    throw new Problem('90042');
  if (
    live.filter(({ request }) => request.connectionId === application.id).length >=
    (application.outbound.channel_limit ?? limits.connection)
  )
    throw new Problem('90043');
}

function detectionOf(word: string): 'premium' | 'standard' | null {
  if (word === 'disabled') return null;
  return word === 'premium' ? 'premium' : 'standard';
}

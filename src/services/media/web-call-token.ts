import type { Tickets } from '../../providers/secrets/tickets.ts';
import type { Clock } from '../../runtime/clock.ts';

/** The maximum time between the issue of a browser's token and the opening of its socket. */
const lifetimeMs = 120_000;

/** The call that a browser may join (contract 15.2, `/ws/call`). */
export interface WebCall {
  callId: number;
  organizationId: number;
  agentId: number;
}

/**
 * Issues a token that opens the socket of one web call within two minutes. It works once, because a call can
 * begin only once.
 */
export function issueWebCallToken({
  tickets,
  clock,
  call: { callId, organizationId, agentId },
}: {
  tickets: Tickets;
  clock: Clock;
  call: WebCall;
}): { token: string; lifetimeMs: number } {
  const expiresAtMs = clock.now().getTime() + lifetimeMs;
  return {
    token: tickets.seal(JSON.stringify({ use: 'web_call', callId, organizationId, agentId, expiresAtMs })),
    lifetimeMs,
  };
}

/** The call that a token is for; null if this installation did not issue the token, or if it has expired. */
export function readWebCallToken({
  tickets,
  clock,
  token,
}: {
  tickets: Tickets;
  clock: Clock;
  token: string;
}): WebCall | null {
  const text = tickets.open(token);
  const claims: unknown = text === null ? null : JSON.parse(text);
  return isWebCallClaims(claims) && claims.expiresAtMs > clock.now().getTime()
    ? { callId: claims.callId, organizationId: claims.organizationId, agentId: claims.agentId }
    : null;
}

/** The seal proves our own text, so this only excludes other uses of the same seal. */
function isWebCallClaims(value: unknown): value is WebCall & { expiresAtMs: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'use' in value &&
    value.use === 'web_call' &&
    'expiresAtMs' in value &&
    typeof value.expiresAtMs === 'number'
  );
}

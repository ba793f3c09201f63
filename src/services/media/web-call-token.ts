import type { Tickets } from '../../providers/secrets/tickets.ts';
import type { Clock } from '../../runtime/clock.ts';

/** How long a browser may take from being given its token to opening its socket. */
const lifetimeMs = 120_000;

/** The call that a browser may speak in (contract 15.2, `/ws/call`). */
export interface WebCall {
  callId: number;
  organizationId: number;
  agentId: number;
}

/**
 * Leave to open the socket of one web call, within two minutes. It is good once because a call is begun once.
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

/** Which call a token is for; null for what this installation did not give, or gave too long ago. */
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
  const leave: unknown = text === null ? null : JSON.parse(text);
  return isLeave(leave) && leave.expiresAtMs > clock.now().getTime()
    ? { callId: leave.callId, organizationId: leave.organizationId, agentId: leave.agentId }
    : null;
}

/** What was sealed is ours: only other uses of the same seal are kept out. */
function isLeave(value: unknown): value is WebCall & { expiresAtMs: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'use' in value &&
    value.use === 'web_call' &&
    'expiresAtMs' in value &&
    typeof value.expiresAtMs === 'number'
  );
}

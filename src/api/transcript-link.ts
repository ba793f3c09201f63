import { apiPrefix } from '../contract/paths.ts';
import type { Clock } from '../runtime/clock.ts';

export interface TranscriptLinkDeps {
  clock: Clock;
  /** Base URL of links. */
  publicUrl: string;
  /** Text that only this installation can have sealed, safe in a URL; `open` answers null for any other. */
  tickets: { seal: (text: string) => string; open: (ticket: string) => string | null };
}

interface Ticket {
  callId: number;
  organizationId: number;
  isInline: boolean;
  expiresAtMs: number;
}

/** A link to the transcript of a call that needs no credentials (contract 6.9). */
export function transcriptLink(
  { clock, publicUrl, tickets }: TranscriptLinkDeps,
  {
    callId,
    organizationId,
    isInline,
    lifetimeSeconds,
  }: Omit<Ticket, 'expiresAtMs'> & { lifetimeSeconds: number },
): string {
  const ticket: Ticket = {
    callId,
    organizationId,
    isInline,
    expiresAtMs: clock.now().getTime() + lifetimeSeconds * 1000,
  };
  return `${publicUrl}${apiPrefix}/public/file/${encodeURIComponent(tickets.seal(JSON.stringify(ticket)))}`;
}

/** What the ticket of such a link is for; null when it is not ours or has expired. */
export function readTranscriptTicket(
  { clock, tickets }: Omit<TranscriptLinkDeps, 'publicUrl'>,
  sealed: string,
): Omit<Ticket, 'expiresAtMs'> | null {
  const opened = tickets.open(sealed);
  const ticket: unknown = opened === null ? null : JSON.parse(opened);
  return isTicket(ticket) && ticket.expiresAtMs > clock.now().getTime() ? ticket : null;
}

/** What was sealed is ours, so its shape is only guarded against other uses of the same seal. */
const isTicket = (value: unknown): value is Ticket =>
  typeof value === 'object' &&
  value !== null &&
  'callId' in value &&
  'organizationId' in value &&
  'isInline' in value &&
  'expiresAtMs' in value &&
  typeof value.expiresAtMs === 'number';

import { apiPrefix } from '../../contract/paths.ts';
import type { Clock } from '../../runtime/clock.ts';

export interface TranscriptLinkDeps {
  clock: Clock;
  /** Base URL of links. */
  publicUrl: string;
  /** Seals text for a URL. `open` returns null for text that this installation has not sealed. */
  tickets: { seal: (text: string) => string; open: (ticket: string) => string | null };
}

interface Ticket {
  callId: number;
  organizationId: number;
  isInline: boolean;
  expiresAtMs: number;
}

/** Makes a link to the transcript of a call. It needs no credentials (contract 6.9). */
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

/** Reads the ticket of such a link. Returns null if it is invalid or expired. */
export function readTranscriptTicket(
  { clock, tickets }: Omit<TranscriptLinkDeps, 'publicUrl'>,
  sealed: string,
): Omit<Ticket, 'expiresAtMs'> | null {
  const opened = tickets.open(sealed);
  const ticket: unknown = opened === null ? null : JSON.parse(opened);
  return isTicket(ticket) && ticket.expiresAtMs > clock.now().getTime() ? ticket : null;
}

/** Tells transcript tickets from other tickets under the same seal. */
const isTicket = (value: unknown): value is Ticket =>
  typeof value === 'object' &&
  value !== null &&
  'callId' in value &&
  'organizationId' in value &&
  'isInline' in value &&
  'expiresAtMs' in value &&
  typeof value.expiresAtMs === 'number';

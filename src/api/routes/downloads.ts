import { apiPrefix } from '../../contract/paths.ts';
import { NotFoundError, PreconditionError } from '../../domain/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Handlers } from '../bind.ts';
import { redirect, textReply } from '../reply.ts';

/** A call that a public token leads to. */
export interface PublicCall {
  callId: number;
  organizationId: number;
  hasTranscript: boolean;
  transcriptErasedAt: Date | null;
}

export interface DownloadRouteDeps {
  clock: Clock;
  /** Base URL of links. */
  publicUrl: string;
  findCallByPublicToken: (token: string) => Promise<PublicCall | null>;
  /** The transcript as contract 6.7 writes it, made from the turns. */
  renderTranscript: (call: Pick<PublicCall, 'callId' | 'organizationId'>) => Promise<string>;
  /** Text that only this installation can have sealed, safe in a URL; `open` answers null for any other. */
  tickets: { seal: (text: string) => string; open: (ticket: string) => string | null };
}

const artifacts = ['recording', 'transcript', 'user_recording', 'bot_recording'];
const lifetimeMs = 3_600_000;

interface Ticket {
  callId: number;
  organizationId: number;
  isInline: boolean;
  expiresAtMs: number;
}

/**
 * Downloads without credentials (contract 6.9): the call's token leads to a sealed ticket, good for an hour. Transcripts
 * are rendered when they are read; nothing is stored.
 */
export function downloadHandlers<Caller>({ clock, publicUrl, findCallByPublicToken, renderTranscript, tickets }: DownloadRouteDeps): Pick<Handlers<Caller>, 'downloadArtifact' | 'readPublicFile'> {
  return {
    downloadArtifact: async ({ input: { params, query } }) => {
      if (!artifacts.includes(params.artifact)) throw new PreconditionError('Unsupported artifact type', { status: 400 });
      const call = await findCallByPublicToken(params.token);
      if (call === null) throw new NotFoundError('Invalid or expired token');
      if (params.artifact === 'transcript' && call.transcriptErasedAt !== null) throw new NotFoundError(`The transcript of this workflow run was erased at ${call.transcriptErasedAt.toISOString()}`);
      if (params.artifact !== 'transcript' || !call.hasTranscript) throw new NotFoundError(`No ${params.artifact} available for this workflow run`);
      const ticket: Ticket = { callId: call.callId, organizationId: call.organizationId, isInline: query.inline ?? false, expiresAtMs: clock.now().getTime() + lifetimeMs };
      return redirect(`${publicUrl}${apiPrefix}/public/file/${encodeURIComponent(tickets.seal(JSON.stringify(ticket)))}`);
    },
    readPublicFile: async ({ input: { params } }) => {
      const ticket = readTicket(tickets.open(params.ticket));
      if (ticket === null || ticket.expiresAtMs <= clock.now().getTime()) throw new NotFoundError('Invalid or expired link');
      const disposition = `${ticket.isInline ? 'inline' : 'attachment'}; filename="transcript-${ticket.callId}.txt"`;
      return textReply(await renderTranscript(ticket), { 'Content-Disposition': disposition, 'Cache-Control': 'private, no-store' });
    },
  };
}

/** What was sealed is ours, so its shape is only guarded against other uses of the same seal. */
function readTicket(opened: string | null): Ticket | null {
  if (opened === null) return null;
  const ticket: unknown = JSON.parse(opened);
  return isTicket(ticket) ? ticket : null;
}

const isTicket = (value: unknown): value is Ticket =>
  typeof value === 'object' && value !== null && 'callId' in value && 'organizationId' in value && 'isInline' in value && 'expiresAtMs' in value && typeof value.expiresAtMs === 'number';

import { NotFoundError, PreconditionError } from '../../domain/errors.ts';
import { fileNameOf, recordingKey, type RecordingTrack } from '../../domain/files/key.ts';
import { readRange } from '../../domain/files/range.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Handlers } from '../bind.ts';
import { TransportError } from '../middleware/problem.ts';
import { redirect, Reply, textReply } from '../answers/reply.ts';
import type { StoredFiles } from '../stored-files.ts';
import { readTranscriptTicket, transcriptLink, type TranscriptLinkDeps } from './transcript-link.ts';

/** The call of a public access token. */
export interface PublicCall {
  callId: number;
  organizationId: number;
  hasTranscript: boolean;
  hasRecording: boolean;
  transcriptErasedAt: Date | null;
}

export interface DownloadRouteDeps {
  clock: Clock;
  /** Base URL of links. */
  publicUrl: string;
  findCallByPublicToken: (token: string) => Promise<PublicCall | null>;
  /** Renders the transcript from the turns (contract 6.7). */
  renderTranscript: (call: Pick<PublicCall, 'callId' | 'organizationId'>) => Promise<string>;
  tickets: TranscriptLinkDeps['tickets'];
  /** Storage of recordings and uploaded files. Absent if the installation has none. */
  storage?: StoredFiles | undefined;
}

const tracks: Readonly<Record<string, RecordingTrack>> = {
  recording: 'mix',
  user_recording: 'user',
  bot_recording: 'bot',
};
const lifetimeSeconds = 3600;

/**
 * Downloads without credentials (contract 6.9). The call's token leads to a link with a sealed ticket, valid
 * for one hour. Transcripts are rendered at the download. Recordings and uploaded files are read from their
 * storage, in whole or in part.
 */
export function downloadHandlers<Caller>(
  deps: DownloadRouteDeps,
): Pick<Handlers<Caller>, 'downloadArtifact' | 'readPublicFile'> {
  const { findCallByPublicToken, renderTranscript, storage } = deps;
  return {
    downloadArtifact: async ({ input: { params, query } }) => {
      const track = Object.hasOwn(tracks, params.artifact) ? tracks[params.artifact] : undefined;
      if (params.artifact !== 'transcript' && track === undefined)
        throw new PreconditionError('Unsupported artifact type', { status: 400 });
      const call = await findCallByPublicToken(params.token);
      if (call === null) throw new NotFoundError('Invalid or expired token');
      if (params.artifact === 'transcript' && call.transcriptErasedAt !== null)
        throw new NotFoundError(
          `The transcript of this workflow run was erased at ${call.transcriptErasedAt.toISOString()}`,
        );
      if (track !== undefined && call.hasRecording && storage !== undefined)
        return redirect(
          await storage.downloadUrl({
            key: recordingKey(call.callId, track),
            isInline: query.inline ?? false,
            lifetimeSeconds,
          }),
        );
      if (params.artifact !== 'transcript' || !call.hasTranscript)
        throw new NotFoundError(`No ${params.artifact} available for this workflow run`);
      return redirect(
        transcriptLink(deps, {
          callId: call.callId,
          organizationId: call.organizationId,
          isInline: query.inline ?? false,
          lifetimeSeconds,
        }),
      );
    },
    readPublicFile: async ({ input: { params, headers } }) => {
      const upload = storage?.granted(params.ticket) ?? null;
      if (storage !== undefined && upload !== null) return await fileReply(storage, upload, headers.Range);
      const ticket = readTranscriptTicket(deps, params.ticket);
      if (ticket === null) throw new NotFoundError('Invalid or expired link');
      return textReply(
        await renderTranscript(ticket),
        dispositionOf(`transcript-${ticket.callId}.txt`, ticket.isInline),
      );
    },
  };
}

/** Answers with the file, or with one requested range of it (RFC 9110, 14). */
async function fileReply(
  storage: StoredFiles,
  { key, isInline }: { key: string; isInline: boolean },
  rangeHeader: string | undefined,
): Promise<Reply> {
  const facts = await storage.facts(key);
  if (facts === null) throw new NotFoundError('File not found');
  const { bytes, mediaType } = facts;
  const headers = { ...dispositionOf(fileNameOf(key), isInline), 'Accept-Ranges': 'bytes' };
  const range = readRange(rangeHeader, bytes);
  if (range === 'unsatisfiable')
    throw new TransportError(416, 'range', 'The requested range is beyond the end of the file', {
      'Content-Range': `bytes */${bytes}`,
    });
  if (range === 'whole')
    return new Reply(
      200,
      { kind: 'stream', pieces: storage.read(key), mediaType },
      { ...headers, 'Content-Length': String(bytes) },
    );
  const { first, last } = range;
  return new Reply(
    206,
    { kind: 'stream', pieces: storage.read(key, range), mediaType },
    {
      ...headers,
      'Content-Length': String(last - first + 1),
      'Content-Range': `bytes ${first}-${last}/${bytes}`,
    },
  );
}

function dispositionOf(fileName: string, isInline: boolean): Record<string, string> {
  return {
    'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; filename="${fileName}"`,
    'Cache-Control': 'private, no-store',
  };
}

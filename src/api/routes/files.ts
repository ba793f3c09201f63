import { NotFoundError, PreconditionError } from '../../domain/errors.ts';
import { type ServiceContext, presignUpload } from '../../services/kernel/index.ts';
import { findFile, getFileMetadata } from '../../services/calls/index.ts';
import { presignAmbientNoise } from '../../services/agents/index.ts';
import type { Handlers, SentFile } from '../bind.ts';
import { TransportError } from '../middleware/problem.ts';
import { Reply } from '../answers/reply.ts';
import type { StoredFiles } from '../stored-files.ts';
import { transcriptLink, type TranscriptLinkDeps } from './transcript-link.ts';

export interface FileRouteDeps extends TranscriptLinkDeps {
  /** Absent if the installation has no file storage. */
  storage?: StoredFiles | undefined;
}

type FileRoute = 'presignUpload' | 'presignAmbientNoise' | 'uploadFile' | 'signUrl' | 'getFileMetadata';

/** Links for uploads and downloads of files (contract 1.4, 6.9, 11.1). */
export function fileHandlers(deps: FileRouteDeps): Pick<Handlers<ServiceContext>, FileRoute> {
  const { storage } = deps;
  return {
    presignUpload: ({ ctx, input: { body } }) =>
      presignUpload({
        ctx,
        storage,
        file: { fileName: body.file_name, bytes: body.file_size, mediaType: body.content_type ?? 'text/csv' },
      }),
    presignAmbientNoise: ({ ctx, input: { body } }) =>
      presignAmbientNoise({
        ctx,
        storage,
        agentId: body.workflow_id,
        file: { fileName: body.filename, bytes: body.file_size, mediaType: body.mime_type ?? 'audio/wav' },
      }),
    uploadFile: async ({ input: { params }, file }) => receive(storage, params.ticket, file),
    signUrl: async ({ ctx, input: { query } }) => {
      const { key, inline: isInline = false, expires_in: lifetimeSeconds = 3600 } = query;
      return {
        url: await linkTo(deps, ctx, { key, isInline, lifetimeSeconds }),
        expires_in: lifetimeSeconds,
      };
    },
    getFileMetadata: ({ ctx, input: { query } }) => getFileMetadata({ ctx, storage, key: query.key }),
  };
}

async function receive(storage: StoredFiles | undefined, ticket: string, file: SentFile): Promise<Reply> {
  const receipt = (await storage?.receive(ticket, file)) ?? 'invalid_link';
  switch (receipt) {
    case 'stored':
      return new Reply(200, { kind: 'empty' });
    case 'invalid_link':
      throw new NotFoundError('Invalid or expired link');
    case 'other_type':
      throw new PreconditionError('The content type differs from the announced one', { status: 400 });
    case 'too_large':
      throw new TransportError(413, 'file_too_large', 'The file is larger than announced');
  }
}

async function linkTo(
  deps: FileRouteDeps,
  ctx: ServiceContext,
  { key, isInline, lifetimeSeconds }: { key: string; isInline: boolean; lifetimeSeconds: number },
): Promise<string> {
  const { storage } = deps;
  const file = await findFile({ ctx, storage, key });
  if (file.kind === 'stored' && storage !== undefined)
    return await storage.downloadUrl({ key, isInline, lifetimeSeconds });
  if (file.kind === 'transcript')
    return transcriptLink(deps, {
      callId: file.callId,
      organizationId: ctx.organizationId,
      isInline,
      lifetimeSeconds,
    });
  throw new NotFoundError('File not found');
}

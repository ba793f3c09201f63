import { IsNull, Not } from 'typeorm';
import { existsRow, findRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { organizationOfKey, recordingCallOf, transcriptCallOf } from '../../../domain/files/key.ts';
import type { FileFacts } from '../../../providers/storage/port.ts';
import { renderTranscript } from '../turns/transcript.ts';
import type { ServiceContext, FileStore } from '../../kernel/index.ts';

/**
 * A file of the requesting organization: an upload, a recording, or a transcript, which is rendered from the
 * call's turns when it is read.
 */
export type FoundFile =
  | { kind: 'stored'; key: string; backend: string; facts: FileFacts }
  | { kind: 'transcript'; callId: number; backend: 'mysql'; endedAt: Date };

/**
 * Finds the file that a key names (contract 6.9). Throws NotFoundError for files of other organizations, so
 * that a key never shows what they have.
 */
export async function findFile({
  ctx,
  storage,
  key,
}: {
  ctx: ServiceContext;
  storage: FileStore | undefined;
  key: string;
}): Promise<FoundFile> {
  const found = (await findStored({ ctx, storage, key })) ?? (await findTranscript(ctx, key));
  if (found === null) throw new NotFoundError('File not found');
  return found;
}

async function findStored({
  ctx,
  storage,
  key,
}: {
  ctx: ServiceContext;
  storage: FileStore | undefined;
  key: string;
}): Promise<FoundFile | null> {
  if (
    storage === undefined ||
    // guarantee: file-key-belongs-to-organization
    !(organizationOfKey(key) === ctx.organizationId || (await isRecordingOf(ctx, key)))
  )
    return null;
  const facts = await storage.facts(key);
  return facts === null ? null : { kind: 'stored', key, backend: storage.backend, facts };
}

async function isRecordingOf({ db, organizationId }: ServiceContext, key: string): Promise<boolean> {
  const callId = recordingCallOf(key);
  return (
    callId !== null && (await existsRow(db, calls, { id: callId, organizationId, recordedAt: Not(IsNull()) }))
  );
}

async function findTranscript(
  { db, organizationId }: ServiceContext,
  key: string,
): Promise<FoundFile | null> {
  const callId = transcriptCallOf(key);
  if (callId === null) return null;
  const call = await findRow(db, calls, { id: callId, organizationId, transcriptAvailable: true });
  return call === null
    ? null
    : { kind: 'transcript', callId, backend: 'mysql', endedAt: call.endedAt ?? call.createdAt };
}

/**
 * Size, media type and last change of a file. Throws NotFoundError for a transcript that was erased in the
 * meantime.
 */
export async function factsOf({ db, organizationId }: ServiceContext, file: FoundFile): Promise<FileFacts> {
  if (file.kind === 'stored') return file.facts;
  const text = await renderTranscript({ db, callId: file.callId, organizationId });
  return { bytes: Buffer.byteLength(text), modifiedAt: file.endedAt, mediaType: 'text/plain; charset=utf-8' };
}

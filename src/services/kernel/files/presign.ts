import type { PresignedUpload } from '../../../contract/files.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { uploadKey, type UploadPurpose } from '../../../domain/files/key.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { write } from '../write.ts';
import type { FileStore } from './deps.ts';
import { toPresignedUpload } from './mapper.ts';

export interface AnnouncedFile {
  fileName: string;
  bytes: number;
  mediaType: string;
}

export interface Presigning {
  ctx: ServiceContext;
  /** Absent if the installation has no storage. */
  storage: FileStore | undefined;
  file: AnnouncedFile;
}

/** Grants the upload of a contact file (contract 11.1). Throws UnavailableError without a storage. */
export async function presignUpload(presigning: Presigning): Promise<PresignedUpload> {
  return toPresignedUpload(await grantUpload(presigning, 'campaigns'));
}

/** Grants the upload of a recorded line (contract 15.2). Throws UnavailableError without a storage. */
export async function grantLineUpload(presigning: Presigning): Promise<GrantedUpload> {
  return await grantUpload(presigning, 'line_recordings');
}

/** A granted upload. */
export interface GrantedUpload {
  url: string;
  key: string;
  backend: string;
  lifetimeSeconds: number;
}

const lifetimeSeconds = 900;

/** Grants an upload for one purpose. Throws UnavailableError without a storage. */
export async function grantUpload(
  { ctx, storage, file }: Presigning,
  purpose: UploadPurpose,
): Promise<GrantedUpload> {
  if (storage === undefined)
    throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
  const uuid = ctx.ids.uuid();
  const key = uploadKey({ purpose, organizationId: ctx.organizationId, uuid, fileName: file.fileName });
  // Only the uuid, because a file name may contain a person's name.
  await write(ctx, (tx) =>
    appendAudit(tx, {
      action: 'upload.granted',
      subjectKind: 'upload',
      subjectId: null,
      subjectKey: uuid,
      changes: { purpose, bytes: file.bytes },
    }),
  );
  const url = await storage.uploadUrl({
    key,
    maxBytes: file.bytes,
    mediaType: file.mediaType,
    lifetimeSeconds,
  });
  return { url, key, backend: storage.backend, lifetimeSeconds };
}

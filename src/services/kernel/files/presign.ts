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
  /** Absent = the installation keeps no files. */
  storage: FileStore | undefined;
  file: AnnouncedFile;
}

/** Leave to upload a file of contacts (contract 11.1). Throws UnavailableError without a storage. */
export async function presignUpload(presigning: Presigning): Promise<PresignedUpload> {
  return toPresignedUpload(await grantUpload(presigning, 'campaigns'));
}

/** Leave to upload a recorded line (contract 15.2). Throws UnavailableError without a storage. */
export async function grantLineUpload(presigning: Presigning): Promise<GrantedUpload> {
  return await grantUpload(presigning, 'line_recordings');
}

/** A file that may be uploaded now. */
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
  // Its uuid alone: the name of a file may be a person's.
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

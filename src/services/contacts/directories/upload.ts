import { createHash } from 'node:crypto';
import { findRow } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import type { DirectoryDetail } from '../../../contract/directories.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { uploadKey } from '../../../domain/files/key.ts';
import { once, type ServiceContext, type Write, write } from '../../kernel/index.ts';
import type { DirectoryDeps } from './deps.ts';
import { findOrigin } from './find-origin.ts';
import { insertDirectory } from './insert-directory.ts';
import { describeDirectory, inspectFile, requireStorage, storedFile } from './internal.ts';

/** An uploaded contact file. */
export interface UploadedFile {
  /** As the client wrote it. */
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Of the whole request, as announced; absent = unknown. */
  announcedBytes: number | undefined;
  /** The name to show people. Known once the file has arrived completely. */
  name: () => Promise<string | undefined>;
}

/** What a form adds to its file. */
const maxAround = 64 * 1024;

/**
 * Stores and hashes a contact file as it arrives, then detects how to read it. Nothing is kept of a file that
 * breaks off, is too large or is not a contact file: PreconditionError (400; 413 naming the limit). Throws
 * UnavailableError without a storage.
 */
export async function uploadDirectory({
  ctx,
  deps,
  file,
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  file: UploadedFile;
}): Promise<DirectoryDetail> {
  const files = requireStorage(deps);
  if ((file.announcedBytes ?? 0) > deps.maxBytes + maxAround) throw tooLarge(deps);
  const fileName = shownName(file.fileName);
  const fileKey = uploadKey({
    purpose: 'campaigns',
    organizationId: ctx.organizationId,
    uuid: ctx.ids.uuid(),
    fileName,
  });
  const counted = hashed(file.bytes);
  try {
    // guarantee: large-upload-refused-while-reading
    if (!(await files.write(fileKey, counted.bytes, deps.maxBytes))) throw tooLarge(deps);
    const { sha256, bytes } = counted.result();
    const name = shownName((await file.name()) ?? fileName);
    const { kind, reading, columns } = await inspectFile(deps, storedFile(deps, { fileKey, bytes }));
    const origin = await findOrigin(ctx.db.manager, ctx, { columns, fileName });
    const make = async (tx: Write) => {
      const row = await insertDirectory(tx, ctx, {
        name,
        fileKey,
        fileName,
        kind,
        bytes,
        sha256,
        reading,
        columns,
        ...origin,
      });
      return { id: row.id, answer: await describeDirectory(tx, row) };
    };
    const again = async (tx: Write, id: number) => {
      const row = await findRow(tx, directories, { id, organizationId: ctx.organizationId });
      return row === null ? null : await describeDirectory(tx, row);
    };
    const directory = await write(
      ctx,
      async (tx) => await once(tx, { kind: 'directory', make: () => make(tx), again: (id) => again(tx, id) }),
    );
    // The directory of an earlier request with the same Idempotency-Key has its own copy.
    if (directory.file_key !== fileKey) await files.remove(fileKey);
    return directory;
  } catch (error) {
    await files.remove(fileKey);
    throw error;
  }
}

const tooLarge = ({ maxBytes }: DirectoryDeps) =>
  new PreconditionError(
    `The file is larger than ${maxBytes} bytes (${Math.floor(maxBytes / 1_048_576)} MB), the maximum of this installation: split it`,
    { status: 413 },
  );

/**
 * The name without characters that a terminal or a browser would interpret. Of a long name, the end, which
 * has the extension.
 */
export function shownName(name: string): string {
  return name.replaceAll(/\p{C}/gu, '').trim().slice(-255) || 'contacts';
}

/** Passes bytes on. Their number and SHA-256 are available at the end. */
function hashed(bytes: AsyncIterable<Uint8Array>): {
  bytes: AsyncIterable<Uint8Array>;
  result: () => { sha256: string; bytes: number };
} {
  const hash = createHash('sha256');
  let count = 0;
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      count += chunk.length;
      yield chunk;
    }
  }
  return { bytes: passed(), result: () => ({ sha256: hash.digest('hex'), bytes: count }) };
}

import { createHash } from 'node:crypto';
import type { DirectoryDetail } from '../../../contract/directories.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { uploadKey } from '../../../domain/files/key.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { suggestedMapping } from './check-mapping.ts';
import type { DirectoryDeps } from './deps.ts';
import { insertDirectory } from './insert-directory.ts';
import { describeDirectory, inspectFile, requireStorage, storedFile } from './internal.ts';

/** A contact file that comes. */
export interface UploadedFile {
  /** As the client wrote it. */
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Of the whole request, as announced; absent = unknown. */
  announcedBytes: number | undefined;
  /** What people are to call it, when the file has come to its end. */
  name: () => Promise<string | undefined>;
}

/** What a form adds to its file. */
const maxAround = 64 * 1024;

/**
 * Stores a contact file while it comes, and hashes it; then looks at how it is to be read. Nothing is left of
 * a file that breaks off, is too large or is none of contacts: PreconditionError (400; 413 naming the limit).
 * Throws UnavailableError without a storage.
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
    return await write(ctx, async (tx) => {
      const row = await insertDirectory(tx, ctx, {
        name,
        fileKey,
        fileName,
        kind,
        bytes,
        sha256,
        reading,
        columns,
        mapping: suggestedMapping(columns),
      });
      return await describeDirectory(tx, row);
    });
  } catch (error) {
    await files.remove(fileKey);
    throw error;
  }
}

const tooLarge = ({ maxBytes }: DirectoryDeps) =>
  new PreconditionError(
    `The file is larger than ${maxBytes} bytes (${Math.floor(maxBytes / 1_048_576)} MB), which is the most that this installation takes: split it`,
    { status: 413 },
  );

/** Without what a terminal or a browser would act on; the end of a long one, which has the extension. */
export function shownName(name: string): string {
  return name.replaceAll(/\p{C}/gu, '').trim().slice(-255) || 'contacts';
}

/** Bytes on their way, their number and SHA-256 when they are through. */
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

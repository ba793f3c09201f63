import { createHash, randomUUID } from 'node:crypto';
import { S3Problem } from './problem.ts';

export interface StoredObject {
  bytes: Buffer;
  mediaType: string;
  modifiedAt: Date;
  etag: string;
}

interface Upload {
  key: string;
  mediaType: string;
  parts: Map<number, Buffer>;
}

const minPartBytes = 5 * 1024 * 1024;

/** Objects of one bucket, in memory. */
export class Bucket {
  readonly objects = new Map<string, StoredObject>();
  /** Multipart uploads that are neither complete nor aborted. */
  readonly uploads = new Map<string, Upload>();

  put(key: string, bytes: Buffer, mediaType: string): StoredObject {
    const object = { bytes, mediaType, modifiedAt: new Date(), etag: etagOf(bytes) };
    this.objects.set(key, object);
    return object;
  }

  get(key: string): StoredObject {
    const object = this.objects.get(key);
    if (object === undefined) throw new S3Problem(404, 'NoSuchKey', 'The specified key does not exist.');
    return object;
  }

  /** Keys with that prefix, sorted, behind `after`; `next` = there are more behind it. */
  list(
    prefix: string,
    { after, max }: { after: string; max: number },
  ): { keys: string[]; next: string | null } {
    const all = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .toSorted((left, right) => (left < right ? -1 : 1));
    const keys = all.slice(0, max);
    return { keys, next: all.length > max ? (keys.at(-1) ?? null) : null };
  }

  begin(key: string, mediaType: string): string {
    const id = randomUUID();
    this.uploads.set(id, { key, mediaType, parts: new Map() });
    return id;
  }

  part(id: string, key: string, number: number, bytes: Buffer): string {
    this.#upload(id, key).parts.set(number, bytes);
    return etagOf(bytes);
  }

  complete(id: string, key: string, parts: readonly { number: number; etag: string }[]): StoredObject {
    const upload = this.#upload(id, key);
    const found = parts.map(({ number, etag }) => {
      const bytes = upload.parts.get(number);
      if (bytes === undefined || etagOf(bytes) !== etag)
        throw new S3Problem(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
      return bytes;
    });
    if (
      found.length === 0 ||
      parts.some(({ number }, index) => index > 0 && number <= (parts[index - 1]?.number ?? 0))
    )
      throw new S3Problem(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
    if (found.slice(0, -1).some((bytes) => bytes.length < minPartBytes))
      throw new S3Problem(
        400,
        'EntityTooSmall',
        'Your proposed upload is smaller than the minimum allowed size',
      );
    this.uploads.delete(id);
    return this.put(key, Buffer.concat(found), upload.mediaType);
  }

  abort(id: string, key: string): void {
    this.#upload(id, key);
    this.uploads.delete(id);
  }

  #upload(id: string, key: string): Upload {
    const upload = this.uploads.get(id);
    if (upload?.key !== key) throw new S3Problem(404, 'NoSuchUpload', 'The specified upload does not exist.');
    return upload;
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

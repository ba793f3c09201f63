import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type _Object,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { InvariantError, NotFoundError } from '../../domain/errors.ts';
import { fileNameOf, isFileKey, requireFileFolder, requireFileKey } from '../../domain/files/key.ts';
import { mediaTypeOf } from '../../domain/files/media-type.ts';
import type { ByteRange } from '../../domain/files/range.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { FileFacts, FileLinks, Files, ListedFile } from './port.ts';
import { translated, createBucketClient, storageFailure, type BucketSettings } from './s3-client.ts';
import { growSegments, joinSegments } from './s3-segments.ts';
import { writeObject } from './s3-write.ts';

/**
 * How many objects are removed at once. Does not use DeleteObjects, because servers disagree on its checksum.
 */
const removedAtOnce = 8;

/** Files in a bucket with the protocol of Amazon S3. Links lead to the bucket itself. */
export function createS3Files({
  settings,
  clock,
  client = createBucketClient(settings, settings.endpoint),
}: {
  settings: BucketSettings;
  clock: Clock;
  client?: S3Client;
}): Files {
  const { bucket } = settings;
  const place = (key: string) => ({ Bucket: bucket, Key: requireFileKey(key) });
  const remove = async (key: string): Promise<void> => {
    await translated(client.send(new DeleteObjectCommand(place(key)))).catch(nullWhenAbsent);
  };

  return {
    backend: 's3',
    links: bucketLinks({ settings, clock }),
    write: async (key, bytes, maxBytes) =>
      await writeObject({
        client,
        place: place(key),
        bytes,
        maxBytes,
        mediaType: mediaTypeOf(fileNameOf(key)),
      }),
    async facts(key): Promise<FileFacts | null> {
      const found = await translated(client.send(new HeadObjectCommand(place(key)))).catch(nullWhenAbsent);
      return found === null
        ? null
        : {
            bytes: found.ContentLength ?? 0,
            modifiedAt: found.LastModified ?? new Date(0),
            mediaType: mediaTypeOf(fileNameOf(key)),
          };
    },
    read: (key, range) => readObject(client, place(key), range),
    remove,
    async removeAll(key) {
      const below = await listBelow(client, place(key));
      for (let at = 0; at < below.length; at += removedAtOnce)
        await Promise.all(below.slice(at, at + removedAtOnce).map(async (each) => await remove(each.key)));
    },
    list: (folder) => listFolder(client, { Bucket: bucket, Prefix: `${requireFileFolder(folder)}/` }),
    removeUnfinished: () => Promise.resolve(),
    grow: async (key) =>
      await Promise.resolve(
        growSegments({
          folder: requireFileKey(key),
          put: async (segmentKey, body) =>
            void (await translated(
              client.send(
                new PutObjectCommand({ ...place(segmentKey), Body: body, ContentLength: body.length }),
              ),
            )),
        }),
      ),
    grown: async (key) =>
      joinSegments({
        found: await listBelow(client, place(key)),
        read: (segmentKey, range) => readObject(client, place(segmentKey), range),
      }),
  };
}

async function* readObject(
  client: S3Client,
  place: { Bucket: string; Key: string },
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  if (range !== undefined && range.last < range.first) return;
  const { Body: body } = await translated(
    client.send(
      new GetObjectCommand({
        ...place,
        ...(range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` }),
      }),
    ),
  );
  if (!(body instanceof Readable)) throw new InvariantError('The body of an object must be a stream in Node');
  const pieces: AsyncIterable<Uint8Array> = body;
  try {
    yield* pieces;
  } catch (error) {
    throw storageFailure(error);
  }
}

/** Lists all objects whose keys begin with that key and a slash. */
async function listBelow(
  client: S3Client,
  { Bucket, Key }: { Bucket: string; Key: string },
): Promise<{ key: string; bytes: number }[]> {
  const found: { key: string; bytes: number }[] = [];
  for await (const page of pagesOf(client, { Bucket, Prefix: `${Key}/` }))
    for (const { Key: key, Size: bytes = 0 } of page) if (key !== undefined) found.push({ key, bytes });
  return found;
}

/** Lists objects in pages. Skips objects whose names are not keys, and objects without a time of change. */
async function* listFolder(
  client: S3Client,
  place: { Bucket: string; Prefix: string },
): AsyncGenerator<ListedFile[]> {
  for await (const page of pagesOf(client, place)) {
    yield page.flatMap(({ Key: key = '', LastModified: modifiedAt }) =>
      modifiedAt !== undefined && isFileKey(key) ? [{ key, modifiedAt }] : [],
    );
  }
}

/**
 * Lists a thousand objects at a time, in the order of their keys, so that removals meanwhile do not affect
 * the others.
 */
async function* pagesOf(
  client: S3Client,
  place: { Bucket: string; Prefix: string },
): AsyncGenerator<_Object[]> {
  let token: string | undefined;
  do {
    const page = await translated(
      client.send(new ListObjectsV2Command({ ...place, ContinuationToken: token })),
    );
    yield page.Contents ?? [];
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/**
 * Signed links to the bucket. The signature of an upload includes its size and type, and the bucket refuses
 * others. The type of a download follows from the file's name, not from the upload.
 */
function bucketLinks({ settings, clock }: { settings: BucketSettings; clock: Clock }): FileLinks {
  const client = createBucketClient(settings, settings.publicEndpoint ?? settings.endpoint);
  const place = (key: string) => ({ Bucket: settings.bucket, Key: requireFileKey(key) });
  const options = (lifetimeSeconds: number) => ({ expiresIn: lifetimeSeconds, signingDate: clock.now() });
  return {
    uploadUrl: async ({ key, maxBytes, mediaType, lifetimeSeconds }) =>
      await getSignedUrl(
        client,
        new PutObjectCommand({ ...place(key), ContentLength: maxBytes, ContentType: mediaType }),
        // guarantee: upload-link-fixes-size-and-type
        { ...options(lifetimeSeconds), signableHeaders: new Set(['content-length', 'content-type', 'host']) },
      ),
    downloadUrl: async ({ key, isInline, lifetimeSeconds }) =>
      await getSignedUrl(
        client,
        new GetObjectCommand({
          ...place(key),
          ResponseContentType: mediaTypeOf(fileNameOf(key)),
          ResponseContentDisposition: `${isInline ? 'inline' : 'attachment'}; filename="${fileNameOf(key)}"`,
          ResponseCacheControl: 'private, no-store',
        }),
        options(lifetimeSeconds),
      ),
  };
}

function nullWhenAbsent(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

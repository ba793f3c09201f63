import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { translated } from './s3-client.ts';

/** S3 requires at least 5 MiB for every part except the last, and allows at most 10,000 parts. */
const partBytes = 8 * 1024 * 1024;

interface Writing {
  client: S3Client;
  place: { Bucket: string; Key: string };
  bytes: AsyncIterable<Uint8Array>;
  maxBytes: number;
  mediaType: string;
}

/**
 * Writes one object of unknown length, with two parts in memory at a time. The object exists only when it is
 * complete; an interrupted or too large one leaves nothing.
 */
export async function writeObject({ bytes, maxBytes, ...target }: Writing): Promise<boolean> {
  const parts = partsOf(bytes, maxBytes);
  try {
    const first = await parts.next();
    if (first.done === true) return first.value;
    const second = await parts.next();
    if (second.done !== true) return await writeParts(target, [first.value, second.value], parts);
    if (second.value)
      await translated(
        target.client.send(
          new PutObjectCommand({
            ...target.place,
            Body: first.value,
            ContentLength: first.value.length,
            ContentType: target.mediaType,
          }),
        ),
      );
    return second.value;
  } finally {
    await parts.return(false);
  }
}

async function writeParts(
  { client, place, mediaType }: Omit<Writing, 'bytes' | 'maxBytes'>,
  begun: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array, boolean>,
): Promise<boolean> {
  const { UploadId } = await translated(
    client.send(new CreateMultipartUploadCommand({ ...place, ContentType: mediaType })),
  );
  const upload = { ...place, UploadId };
  const sent: { PartNumber: number; ETag: string | undefined }[] = [];
  const send = async (Body: Uint8Array): Promise<void> => {
    const PartNumber = sent.length + 1;
    sent.push({
      PartNumber,
      ETag: (
        await translated(
          client.send(new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength: Body.length })),
        )
      ).ETag,
    });
  };
  let isWhole = false;
  try {
    for (const part of begun) await send(part);
    let next = await rest.next();
    for (; next.done !== true; next = await rest.next()) await send(next.value);
    if (next.value)
      await translated(
        client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: sent } })),
      );
    isWhole = next.value;
    return isWhole;
  } finally {
    // If this fails, the bucket's rule for unfinished uploads removes the parts (docs/storage.md).
    if (!isWhole) await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
  }
}

/**
 * Splits bytes into parts of equal length, with a shorter last one; one empty part for no bytes. Returns
 * false if there are too many bytes.
 */
async function* partsOf(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, boolean> {
  let pieces: Uint8Array[] = [];
  let [length, total] = [0, 0];
  for await (const piece of bytes) {
    total += piece.length;
    if (total > maxBytes) return false;
    pieces.push(piece);
    length += piece.length;
    while (length >= partBytes) {
      const part = Buffer.concat(pieces);
      yield part.subarray(0, partBytes);
      pieces = [part.subarray(partBytes)];
      length -= partBytes;
    }
  }
  if (length > 0 || total === 0) yield Buffer.concat(pieces);
  return true;
}

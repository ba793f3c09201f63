import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '../../domain/errors.ts';
import type { ByteRange } from '../../domain/files/range.ts';
import type { GrowingFile, GrownFile } from './port.ts';

/**
 * A growing file in a storage whose objects cannot grow. It consists of segments, each an object that is
 * named by the position of its first byte.
 *
 * S1. A lost process loses at most its last `segmentBytes` and the waiting segments.
 *
 * S2. A segment that could not be written waits for the next one. If more than `maxWaiting` wait, the oldest
 * is dropped, read as zeros, and reported.
 *
 * S3. A segment that is written again is the same object, so no bytes are duplicated.
 */
const segmentBytes = 256 * 1024;
const maxWaiting = 8;
const lastAttempts = 3;
const betweenLastAttemptsMs = 1000;
/**
 * How many segments are fetched at once: fetching them one after the other would take too long for a long
 * call.
 */
const readAhead = 4;

interface Segment {
  at: number;
  bytes: Uint8Array;
}

/** Digits of fixed length, so that names sort like positions. */
const nameOf = (at: number) => String(at).padStart(12, '0');

export interface SegmentsOptions {
  folder: string;
  /** Writes an object; rejects unless it is certain to exist. */
  put: (key: string, bytes: Uint8Array) => Promise<void>;
}

/**
 * Collects bytes into segments and writes them. Retries a failed segment with the next one and at the end.
 */
export function growSegments({ folder, put }: SegmentsOptions): GrowingFile {
  const waiting: Segment[] = [];
  let open: { at: number; pieces: Uint8Array[]; length: number } | null = null;
  let writing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    for (let [segment] = waiting; segment !== undefined; [segment] = waiting) {
      // guarantee: recording-waits-for-bucket
      await put(`${folder}/${nameOf(segment.at)}`, segment.bytes);
      waiting.shift();
    }
  }

  /** Does not wait for the storage: a slow one must not hold up the writers. */
  function finish(): void {
    if (open !== null) waiting.push({ at: open.at, bytes: Buffer.concat(open.pieces) });
    open = null;
    writing ??= flush()
      .catch(() => undefined)
      .finally(() => {
        writing = null;
      });
  }

  return {
    async write(bytes, atByte) {
      if (open !== null && open.at + open.length !== atByte) finish();
      open ??= { at: atByte, pieces: [], length: 0 };
      open.pieces.push(bytes);
      open.length += bytes.length;
      // guarantee: recording-stored-as-it-grows
      if (open.length >= segmentBytes) finish();
      if (waiting.length <= maxWaiting) return;
      // The segment that is being written may still succeed.
      waiting.splice(writing === null ? 0 : 1, 1);
      throw new UnavailableError('The file storage is unavailable: a segment was lost', {
        dependency: 'storage',
      });
    },
    async close() {
      finish();
      await writing;
      for (let attempt = 2; waiting.length > 0; attempt += 1) {
        await pause(betweenLastAttemptsMs);
        try {
          await flush();
        } catch (error) {
          if (attempt === lastAttempts) throw error;
        }
      }
    },
  };
}

/** Joins the segments of a file, from all processes that wrote them; null if there are none. */
export function joinSegments({
  found,
  read,
}: {
  found: readonly { key: string; bytes: number }[];
  read: (key: string, range: ByteRange) => AsyncIterable<Uint8Array>;
}): GrownFile | null {
  const segments = found
    .map(({ key, bytes }) => ({ key, bytes, name: key.slice(key.lastIndexOf('/') + 1) }))
    .filter(({ name, bytes }) => /^\d{12,15}$/.test(name) && bytes > 0)
    .map(({ key, bytes, name }) => ({ key, bytes, at: Number(name) }))
    .toSorted((left, right) => left.at - right.at);
  const last = segments.at(-1);
  if (last === undefined) return null;
  const wholeOf = ({ key, bytes }: { key: string; bytes: number }): Promise<Uint8Array> => {
    const whole = joined(read(key, { first: 0, last: bytes - 1 }));
    // A failure is thrown when this segment is read, if it is read.
    whole.catch(() => undefined);
    return whole;
  };
  return {
    bytes: last.at + last.bytes,
    async *read() {
      const begun = segments.slice(0, readAhead).map(wholeOf);
      let at = 0;
      for (const [index, segment] of segments.entries()) {
        yield* zeros(segment.at - at);
        const bytes = await begun.shift();
        const next = segments[index + readAhead];
        if (next !== undefined) begun.push(wholeOf(next));
        if (bytes !== undefined) yield bytes;
        at = segment.at + segment.bytes;
      }
    },
  };
}

async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

const zeroBytes = new Uint8Array(64 * 1024);

function* zeros(count: number): Generator<Uint8Array> {
  for (let left = count; left > 0; left -= zeroBytes.length)
    yield zeroBytes.subarray(0, Math.min(left, zeroBytes.length));
}

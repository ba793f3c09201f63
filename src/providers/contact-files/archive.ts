import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { AppError } from '../../domain/errors.ts';
import { limits } from './limits.ts';
import { ContactFileError, type StoredFile } from './port.ts';

/** The parts of a ZIP archive, read from the stored file. */
export interface Archive {
  /** Path of a part as the archive writes it, by its path in lower case. */
  has: (path: string) => boolean;
  /** Unpacked bytes of a part. It throws if their number differs from what the archive declares. */
  read: (path: string) => AsyncGenerator<Uint8Array>;
  bytesOf: (path: string) => number;
  paths: () => string[];
}

/**
 * Works with an archive while it is open. Refuses an archive that would unpack to more than a workbook needs
 * before it unpacks anything: by the number of parts, their sizes and their compression. While a part is
 * read, its size is held to what was declared.
 */
export async function* withArchive<T>(
  file: StoredFile,
  work: (archive: Archive) => AsyncIterable<T>,
): AsyncGenerator<T> {
  let zip: ZipFile | null = null;
  try {
    zip = await fromRandomAccessReaderPromise(new StoredReader(file), file.bytes, {
      lazyEntries: true,
      autoClose: false,
    });
    const entries = await readEntries(zip);
    yield* work(archiveOf(zip, entries));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new ContactFileError(
      'damaged',
      'The workbook is damaged or was not uploaded completely; open it, save it again, and upload it again',
      error,
    );
  } finally {
    zip?.close();
  }
}

/** Short reads are served from one longer read, because the list of parts is read part by part. */
class StoredReader extends RandomAccessReader {
  readonly #file: StoredFile;
  #window = { from: 0, bytes: Buffer.alloc(0) };

  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read({ first: start, last: end - 1 }));
  }

  // oxlint-disable-next-line eslint/max-params -- the signature of the library
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    callbackify(async () => {
      const bytes = await this.#windowOver(position, length);
      if (bytes.length < length) throw new Error('The file ended within a part');
      bytes.copy(buffer, offset);
    })(callback);
  }

  async #windowOver(start: number, length: number): Promise<Buffer> {
    const { from, bytes } = this.#window;
    if (start >= from && start + length <= from + bytes.length)
      return bytes.subarray(start - from, start - from + length);
    const pieces: Uint8Array[] = [];
    const last = Math.min(start + Math.max(length, windowBytes), this.#file.bytes) - 1;
    for await (const piece of this.#file.read({ first: start, last })) pieces.push(piece);
    this.#window = { from: start, bytes: Buffer.concat(pieces) };
    return this.#window.bytes.subarray(0, length);
  }
}

const windowBytes = 65_536;

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entries)
    throw tooLarge(`it has ${zip.entryCount} parts, and at most ${limits.entries} are allowed`);
  const entries = new Map<string, Entry>();
  let [unpacked, named] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    named += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (named > limits.entryNameBytes)
      throw tooLarge(`the names of its parts take more than ${limits.entryNameBytes / 1024 ** 2} MiB`);
    if (unpacked > limits.unpackedBytes)
      throw tooLarge(`it unpacks to more than ${limits.unpackedBytes / 1024 ** 3} GiB`);
    // guarantee: archive-bomb-refused
    if (entry.uncompressedSize > smallBytes && entry.uncompressedSize > limits.ratio * entry.compressedSize)
      throw tooLarge(`a part of it unpacks to more than ${limits.ratio} times its size`);
    entries.set(entry.fileName.toLowerCase(), entry);
  }
  return entries;
}

/** Parts up to this size may have any compression ratio. */
const smallBytes = 4 * 1024 * 1024;

function tooLarge(why: string): ContactFileError {
  return new ContactFileError(
    'too_large_inside',
    `The workbook is too large when unpacked: ${why}. Save the contacts as CSV`,
  );
}

function archiveOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive {
  const entryOf = (path: string): Entry => {
    const entry = entries.get(path.toLowerCase());
    if (entry === undefined)
      throw new ContactFileError(
        'damaged',
        'A part of the workbook is missing; open it, save it again, and upload it again',
      );
    return entry;
  };
  return {
    has: (path) => entries.has(path.toLowerCase()),
    paths: () => [...entries.keys()],
    bytesOf: (path) => entryOf(path).uncompressedSize,
    async *read(path) {
      const stream = await zip.openReadStreamPromise(entryOf(path));
      for await (const piece of stream) if (piece instanceof Uint8Array) yield piece;
    },
  };
}

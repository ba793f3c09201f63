import { Readable } from 'node:stream';
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

class StoredReader extends RandomAccessReader {
  readonly #file: StoredFile;

  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read({ first: start, last: end - 1 }));
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entries)
    throw tooLarge(`it has ${zip.entryCount} parts, and at most ${limits.entries} are allowed`);
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
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

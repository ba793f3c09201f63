import type { ByteRange } from '../../domain/files/range.ts';

/** Allows the holder of a link to write one file. */
export interface UploadGrant {
  key: string;
  /** Maximum length in bytes; a bucket requires exactly this length. */
  maxBytes: number;
  /** The `Content-Type` that the upload must have. */
  mediaType: string;
  lifetimeSeconds: number;
}

/** Allows the holder of a link to read one file. */
export interface DownloadGrant {
  key: string;
  /** True if browsers should show the file instead of saving it. */
  isInline: boolean;
  lifetimeSeconds: number;
}

export interface FileFacts {
  bytes: number;
  modifiedAt: Date;
  mediaType: string;
}

/** A file in a list. */
export interface ListedFile {
  key: string;
  modifiedAt: Date;
}

/** Links to files for clients without credentials. */
export interface FileLinks {
  /** The URL for the PUT of the file. */
  uploadUrl: (grant: UploadGrant) => Promise<string>;
  downloadUrl: (grant: DownloadGrant) => Promise<string>;
}

/**
 * Files by key (`src/domain/files/key.ts`). A file exists as a whole or not at all, unless it grows. All
 * operations throw InvariantError for an invalid key, and UnavailableError if the storage is unavailable,
 * full, or refuses this service. They do not retry: the caller does.
 */
export interface Files {
  /** The storage's name on the wire. */
  readonly backend: string;
  /** Links that lead to the storage itself; null if it has none and the API serves its files. */
  readonly links: FileLinks | null;
  /** Writes or replaces a file. Answers false, and writes nothing, if there are more bytes than allowed. */
  write: (key: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number) => Promise<boolean>;
  /** Null if the file does not exist. */
  facts: (key: string) => Promise<FileFacts | null>;
  /** The bytes of a file. Reading throws NotFoundError if the file does not exist. */
  read: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Removes a file; does nothing if it does not exist. */
  remove: (key: string) => Promise<void>;
  /** Removes the growing file of that key, and all files whose keys begin with the key and a slash. */
  removeAll: (key: string) => Promise<void>;
  /**
   * Lists the files whose keys begin with that folder and a slash, some hundred at a time. The caller may
   * remove them meanwhile.
   */
  list: (folder: string) => AsyncIterable<ListedFile[]>;
  /**
   * Removes the rest of unfinished files that were not written to since that time. A bucket's own rule does
   * this (docs/storage.md).
   */
  removeUnfinished: (before: Date) => Promise<void>;
  /**
   * Opens a file that already exists while it grows, unlike others: written bytes stay, even if the process
   * dies.
   */
  grow: (key: string) => Promise<GrowingFile>;
  /** The present content of a growing file; null if there is none. */
  grown: (key: string) => Promise<GrownFile | null>;
}

export interface GrowingFile {
  /**
   * Writes bytes at a position, in rising order; gaps are zero. Bytes that cannot be written now may wait;
   * rejects if bytes are lost.
   */
  write: (bytes: Uint8Array, atByte: number) => Promise<void>;
  /** Writes the waiting bytes; rejects if that fails. */
  close: () => Promise<void>;
}

export interface GrownFile {
  bytes: number;
  /** Reads that many bytes, as they were at the time of the call of `grown`. */
  read: () => AsyncIterable<Uint8Array>;
}

/** What serving files needs: the operations on finished files, and links. */
export interface FileStorage extends FileLinks, Pick<Files, 'backend' | 'facts' | 'read' | 'remove'> {}

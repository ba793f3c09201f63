import type { ByteRange } from '../../domain/files/range.ts';

/** Leave to write one file, to whoever has the link. */
export interface UploadGrant {
  key: string;
  /** Most bytes; a bucket takes exactly as many. */
  maxBytes: number;
  /** What the upload must say that it is. */
  mediaType: string;
  lifetimeSeconds: number;
}

/** Leave to read one file, to whoever has the link. */
export interface DownloadGrant {
  key: string;
  /** A browser shows it, where it can, instead of saving it. */
  isInline: boolean;
  lifetimeSeconds: number;
}

export interface FileFacts {
  bytes: number;
  modifiedAt: Date;
  mediaType: string;
}

/** A file among others. */
export interface ListedFile {
  key: string;
  modifiedAt: Date;
}

/** Links to files, for those who have no credentials. */
export interface FileLinks {
  /** Where the file is to be PUT. */
  uploadUrl: (grant: UploadGrant) => Promise<string>;
  downloadUrl: (grant: DownloadGrant) => Promise<string>;
}

/**
 * Files by key (`src/domain/files/key.ts`). A file is there as a whole or not at all, unless it grows. All
 * verbs throw InvariantError for what is no key, and UnavailableError when the storage is away, full, or
 * refuses this service. None tries again: its caller does.
 */
export interface Files {
  /** Its name on the wire. */
  readonly backend: string;
  /** Links that lead to the storage itself; null = it has none, and the API hands its files out. */
  readonly links: FileLinks | null;
  /** Writes a file, in place of an older one, or nothing: false when there are more bytes than allowed. */
  write: (key: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number) => Promise<boolean>;
  /** Null when there is no such file. */
  facts: (key: string) => Promise<FileFacts | null>;
  /** The bytes of a file; NotFoundError is thrown while they are read when it is not there. */
  read: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Removes a file; one that is not there is removed. */
  remove: (key: string) => Promise<void>;
  /** Removes what grew under that key, and all whose keys go on behind it and a slash. */
  removeAll: (key: string) => Promise<void>;
  /**
   * Files whose keys begin with that folder and a slash, some hundred at a time. They may be removed
   * meanwhile.
   */
  list: (folder: string) => AsyncIterable<ListedFile[]>;
  /**
   * Removes what is left of files that never became whole and that nobody has written to since; of a bucket
   * its own rule does that (docs/storage.md).
   */
  removeUnfinished: (before: Date) => Promise<void>;
  /**
   * Opens a file that is there while it grows, unlike others: what was written stays, whatever becomes of the
   * process.
   */
  grow: (key: string) => Promise<GrowingFile>;
  /** What has grown so far; null when nothing has. */
  grown: (key: string) => Promise<GrownFile | null>;
}

export interface GrowingFile {
  /**
   * Bytes at their place, in rising order; what is left out before them is zero. What cannot be written now
   * may be kept for later; rejects when something is lost.
   */
  write: (bytes: Uint8Array, atByte: number) => Promise<void>;
  /** Writes what was kept; rejects when it cannot. */
  close: () => Promise<void>;
}

export interface GrownFile {
  bytes: number;
  /** So many bytes, as they were when it was asked for. */
  read: () => AsyncIterable<Uint8Array>;
}

/** What those who hand out files need: the verbs on finished ones, and links. */
export interface FileStorage extends FileLinks, Pick<Files, 'backend' | 'facts' | 'read' | 'remove'> {}

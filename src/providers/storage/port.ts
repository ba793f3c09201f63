import type { ByteRange } from '../../domain/files/range.ts';

/** Leave to write one file, to whoever has the link. */
export interface UploadGrant {
  key: string;
  /** Most bytes. */
  mostBytes: number;
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

/**
 * Files by key (`src/domain/files/key.ts`). A file is there as a whole or not at all. All verbs throw UnavailableError when the storage
 * is away or full.
 */
export interface FileStorage {
  /** Its name on the wire. */
  readonly backend: string;
  /** Where the file is to be PUT. */
  uploadUrl: (grant: UploadGrant) => Promise<string>;
  downloadUrl: (grant: DownloadGrant) => Promise<string>;
  /** Null when there is no such file. */
  facts: (key: string) => Promise<FileFacts | null>;
  /** The bytes of a file that is there. */
  read: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Also one that is not there. */
  remove: (key: string) => Promise<void>;
}

import type { ByteRange } from '../domain/files/range.ts';
import type { FileStore } from '../services/kernel/index.ts';
import type { SentFile } from './bind.ts';

/** The file storage of the API. A storage with links of its own receives no uploads through the API. */
export interface StoredFiles extends FileStore {
  downloadUrl: (grant: { key: string; isInline: boolean; lifetimeSeconds: number }) => Promise<string>;
  /** Stores the file sent to an upload link. */
  receive: (
    ticket: string,
    file: SentFile,
  ) => Promise<'stored' | 'invalid_link' | 'other_type' | 'too_large'>;
  /** Returns the file of a download link, or null if the link is invalid or expired. */
  granted: (ticket: string) => { key: string; isInline: boolean } | null;
  read: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  remove: (key: string) => Promise<void>;
}

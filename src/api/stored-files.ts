import type { ByteRange } from '../domain/files/range.ts';
import type { FileStore } from '../services/kernel/index.ts';
import type { SentFile } from './bind.ts';

/** What the API needs of a storage. One whose links lead to itself takes nothing by the API's own. */
export interface StoredFiles extends FileStore {
  downloadUrl: (grant: { key: string; isInline: boolean; lifetimeSeconds: number }) => Promise<string>;
  /** Takes the file of an upload link. */
  receive: (ticket: string, file: SentFile) => Promise<'stored' | 'no_leave' | 'other_type' | 'too_large'>;
  /** Which file a download link leads to; null for one that is not ours or has expired. */
  granted: (ticket: string) => { key: string; isInline: boolean } | null;
  read: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  remove: (key: string) => Promise<void>;
}

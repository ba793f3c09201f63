import { essenceOf } from '../../domain/files/media-type.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Tickets } from '../secrets/tickets.ts';
import type { DownloadGrant, Files, FileStorage } from './port.ts';

/** What came of an upload. */
export type Receipt = 'stored' | 'no_leave' | 'other_type' | 'too_large';

/** A file that somebody wants to upload by a link. */
export interface Upload {
  /** `Content-Type` as it was sent. */
  mediaType: string | undefined;
  /** As announced; absent = unknown. */
  announcedBytes: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Files in a folder, whose links lead to the API itself: they are sealed and name one key, one use and one
 * end.
 */
export interface LocalStorage extends FileStorage {
  receive: (ticket: string, upload: Upload) => Promise<Receipt>;
  /** Which file a download link leads to; null for one that is not ours or has expired. */
  granted: (ticket: string) => Pick<DownloadGrant, 'key' | 'isInline'> | null;
}

export interface LocalStorageDeps {
  directory: Files;
  tickets: Tickets;
  clock: Clock;
  /** Where the API answers for a ticket. */
  uploadUrl: (ticket: string) => string;
  downloadUrl: (ticket: string) => string;
}

interface Leave {
  use: 'file_upload' | 'file_download';
  key: string;
  expiresAtMs: number;
}

interface UploadLeave extends Leave {
  use: 'file_upload';
  maxBytes: number;
  mediaType: string;
}

interface DownloadLeave extends Leave {
  use: 'file_download';
  isInline: boolean;
}

export function createLocalStorage({
  directory,
  tickets,
  clock,
  uploadUrl,
  downloadUrl,
}: LocalStorageDeps): LocalStorage {
  const { facts, read, remove } = directory;
  const seal = (leave: UploadLeave | DownloadLeave) => tickets.seal(JSON.stringify(leave));
  const endOf = (lifetimeSeconds: number) => clock.now().getTime() + lifetimeSeconds * 1000;
  const open = (ticket: string): UploadLeave | DownloadLeave | null => {
    const text = tickets.open(ticket);
    const leave: unknown = text === null ? null : JSON.parse(text);
    // guarantee: link-file-ends-when
    return isLeave(leave) && leave.expiresAtMs > clock.now().getTime() ? leave : null;
  };

  return {
    backend: directory.backend,
    facts,
    read,
    remove,
    uploadUrl: ({ key, maxBytes, mediaType, lifetimeSeconds }) =>
      Promise.resolve(
        uploadUrl(
          seal({ use: 'file_upload', key, maxBytes, mediaType, expiresAtMs: endOf(lifetimeSeconds) }),
        ),
      ),
    downloadUrl: ({ key, isInline, lifetimeSeconds }) =>
      Promise.resolve(
        downloadUrl(seal({ use: 'file_download', key, isInline, expiresAtMs: endOf(lifetimeSeconds) })),
      ),
    async receive(ticket, { mediaType, announcedBytes = 0, bytes }) {
      const leave = open(ticket);
      if (leave?.use !== 'file_upload') return 'no_leave';
      if (mediaType === undefined || essenceOf(mediaType) !== essenceOf(leave.mediaType)) return 'other_type';
      if (announcedBytes > leave.maxBytes) return 'too_large';
      return (await directory.write(leave.key, bytes, leave.maxBytes)) ? 'stored' : 'too_large';
    },
    granted(ticket) {
      const leave = open(ticket);
      return leave?.use === 'file_download' ? { key: leave.key, isInline: leave.isInline } : null;
    },
  };
}

/** What was sealed is ours, so its shape is only guarded against other uses of the same seal. */
function isLeave(value: unknown): value is UploadLeave | DownloadLeave {
  return (
    typeof value === 'object' &&
    value !== null &&
    'use' in value &&
    (value.use === 'file_upload' || value.use === 'file_download') &&
    'expiresAtMs' in value &&
    typeof value.expiresAtMs === 'number'
  );
}

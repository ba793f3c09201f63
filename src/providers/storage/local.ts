import { essenceOf } from '../../domain/files/media-type.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Tickets } from '../secrets/tickets.ts';
import type { DownloadGrant, Files, FileStorage } from './port.ts';

/** The result of an upload. `invalid_link`: the link is invalid or has expired. */
export type Receipt = 'stored' | 'invalid_link' | 'other_type' | 'too_large';

/** A file that a client uploads with a link. */
export interface Upload {
  /** The `Content-Type` of the request. */
  mediaType: string | undefined;
  /** The announced length; undefined if unknown. */
  announcedBytes: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Files in a folder, whose links lead to the API itself. Each link is sealed and names a key, a use and an
 * expiry.
 */
export interface LocalStorage extends FileStorage {
  receive: (ticket: string, upload: Upload) => Promise<Receipt>;
  /** The file of a download link; null if the link is invalid or has expired. */
  granted: (ticket: string) => Pick<DownloadGrant, 'key' | 'isInline'> | null;
}

export interface LocalStorageDeps {
  directory: Files;
  tickets: Tickets;
  clock: Clock;
  /** The URL at which the API accepts a ticket. */
  uploadUrl: (ticket: string) => string;
  downloadUrl: (ticket: string) => string;
}

interface Link {
  use: 'file_upload' | 'file_download';
  key: string;
  expiresAtMs: number;
}

interface UploadLink extends Link {
  use: 'file_upload';
  maxBytes: number;
  mediaType: string;
}

interface DownloadLink extends Link {
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
  const seal = (link: UploadLink | DownloadLink) => tickets.seal(JSON.stringify(link));
  const endOf = (lifetimeSeconds: number) => clock.now().getTime() + lifetimeSeconds * 1000;
  const open = (ticket: string): UploadLink | DownloadLink | null => {
    const text = tickets.open(ticket);
    const link: unknown = text === null ? null : JSON.parse(text);
    // guarantee: file-link-expires
    return isLink(link) && link.expiresAtMs > clock.now().getTime() ? link : null;
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
      const link = open(ticket);
      if (link?.use !== 'file_upload') return 'invalid_link';
      if (mediaType === undefined || essenceOf(mediaType) !== essenceOf(link.mediaType)) return 'other_type';
      if (announcedBytes > link.maxBytes) return 'too_large';
      return (await directory.write(link.key, bytes, link.maxBytes)) ? 'stored' : 'too_large';
    },
    granted(ticket) {
      const link = open(ticket);
      return link?.use === 'file_download' ? { key: link.key, isInline: link.isInline } : null;
    },
  };
}

/** The seal proves our own text, so this only excludes other uses of the same seal. */
function isLink(value: unknown): value is UploadLink | DownloadLink {
  return (
    typeof value === 'object' &&
    value !== null &&
    'use' in value &&
    (value.use === 'file_upload' || value.use === 'file_download') &&
    'expiresAtMs' in value &&
    typeof value.expiresAtMs === 'number'
  );
}

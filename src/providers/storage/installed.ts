import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { openDirectory } from './directory.ts';
import type { Files } from './port.ts';
import { bucketState, createBucketClient, type BucketSettings } from './s3-client.ts';
import { createS3Files } from './s3.ts';

/** The storage of an installation's files. */
export type StorageSettings =
  | { kind: 'none' }
  | { kind: 'folder'; directory: string }
  | { kind: 's3'; bucket: BucketSettings };

/** The origin at which browsers fetch files; undefined if the API itself serves them. */
export function fileOrigin(settings: StorageSettings): string | undefined {
  if (settings.kind !== 's3') return undefined;
  const { bucket, region, endpoint, publicEndpoint, isPathStyle } = settings.bucket;
  const base = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  return isPathStyle ? base.origin : `${base.protocol}//${bucket}.${base.host}`;
}

/**
 * Opens the installation's storage; undefined if it has none. Throws errors that the operator has to fix.
 * Only logs that a bucket is unavailable.
 */
export async function openFiles({
  settings,
  clock,
  log,
}: {
  settings: StorageSettings;
  clock: Clock;
  log: Logger;
}): Promise<Files | undefined> {
  switch (settings.kind) {
    case 'none':
      return undefined;
    case 'folder':
      return await openDirectory(settings.directory);
    case 's3': {
      const client = createBucketClient(settings.bucket, settings.bucket.endpoint);
      const state = await bucketState(client, settings.bucket.bucket);
      if (state.kind === 'fault') throw new Error(state.fault);
      if (state.kind === 'unavailable') log.warn({ err: state.error }, 'The bucket for files is unavailable');
      return createS3Files({ settings: settings.bucket, clock, client });
    }
  }
}

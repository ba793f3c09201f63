import { startS3Emulator, type S3Emulator } from '../../emulators/s3/server.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import type { BucketSettings } from '../../src/providers/storage/s3-client.ts';
import { createS3Files } from '../../src/providers/storage/s3.ts';
import { systemClock, type Clock } from '../../src/runtime/clock.ts';

/** A simulated bucket and the real client for it. */
export interface TestBucket {
  emulator: S3Emulator;
  settings: BucketSettings;
  files: Files;
  close: () => Promise<void>;
}

/** `clock` signs links and decides whether they have expired; requests use the machine's clock. */
export async function startTestBucket({
  clock = systemClock,
  settings: changes = {},
}: { clock?: Clock; settings?: Partial<BucketSettings> } = {}): Promise<TestBucket> {
  const emulator = await startS3Emulator({ linkClock: () => clock.now() });
  const { region, accessKeyId, secretAccessKey } = emulator.account;
  const settings = {
    bucket: emulator.name,
    region,
    accessKeyId,
    secretAccessKey,
    endpoint: emulator.url,
    publicEndpoint: undefined,
    isPathStyle: true,
    ...changes,
  };
  return { emulator, settings, files: createS3Files({ settings, clock }), close: () => emulator.close() };
}

/** The variables that make a process use this bucket. */
export function bucketEnvironment({
  settings: { bucket, region, accessKeyId, secretAccessKey, endpoint = '' },
}: TestBucket): Record<string, string> {
  return {
    PARLANCE_STORAGE_S3_BUCKET: bucket,
    PARLANCE_STORAGE_S3_REGION: region,
    PARLANCE_STORAGE_S3_ACCESS_KEY_ID: accessKeyId,
    PARLANCE_STORAGE_S3_SECRET_ACCESS_KEY: secretAccessKey,
    PARLANCE_STORAGE_S3_ENDPOINT: endpoint,
  };
}

import { HeadBucketCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { NotFoundError, UnavailableError, type AppError } from '../../domain/errors.ts';

/** A bucket and its credentials. */
export interface BucketSettings {
  bucket: string;
  region: string;
  /** Undefined for Amazon's own. */
  endpoint: string | undefined;
  /** The public URL of the same storage, for links; undefined for the endpoint. */
  publicEndpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
  /** True if the bucket is in the path and not in the host name. */
  isPathStyle: boolean;
  timeouts?: BucketTimeouts | undefined;
}

export interface BucketTimeouts {
  connectMs: number;
  /** Until the answer begins, including the sending of a request's bytes. */
  answerMs: number;
  /** Between two pieces of sent or read bytes. */
  idleMs: number;
}

const defaultTimeouts: BucketTimeouts = { connectMs: 3000, answerMs: 30_000, idleMs: 10_000 };

/** A client of the bucket, whose links lead to `endpoint`. It does not retry: the caller does. */
export function createBucketClient(
  {
    region,
    accessKeyId,
    secretAccessKey,
    isPathStyle,
    timeouts: { connectMs, answerMs, idleMs } = defaultTimeouts,
  }: BucketSettings,
  endpoint: string | undefined,
): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: isPathStyle,
    // Only our configuration sets the URL, not AWS_ENDPOINT_URL or files of the machine.
    ignoreConfiguredEndpointUrls: true,
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 1,
    // Not all other vendors support the newer checksums; requests are signed with their SHA-256 anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: idleMs,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
  });
}

/** Runs one request and translates its failure to the port's errors. */
export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storageFailure(error);
  }
}

/**
 * Translates a failure to the port's errors. The storage's own error may contain ids of keys and signed text,
 * so this keeps only its name and status.
 */
export function storageFailure(error: unknown): AppError {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const cause = new Error(
    `The storage ${status === undefined ? 'did not answer' : `answered ${status}`}: ${error instanceof Error ? error.name : 'unknown'}`,
  );
  if (status === 404 && !isNamed(error, 'NoSuchBucket'))
    return new NotFoundError('File not found', { cause });
  return new UnavailableError(
    status === 401 || status === 403
      ? 'The file storage refuses this service'
      : 'The file storage is unavailable or full',
    { dependency: 'storage', cause },
  );
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** `fault`: the operator has to fix it. `unavailable`: the state is unknown until later requests. */
export type BucketState =
  | { kind: 'usable' }
  | { kind: 'fault'; fault: string }
  | { kind: 'unavailable'; error: AppError };

/** Whether the bucket exists and these credentials may use it. */
export async function bucketState(client: S3Client, bucket: string): Promise<BucketState> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return { kind: 'usable' };
  } catch (error) {
    const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
    if (status === 404) return { kind: 'fault', fault: 'there is no such bucket' };
    if (status === 401 || status === 403)
      return {
        kind: 'fault',
        fault: 'the storage refuses these credentials, or they may not list this bucket',
      };
    if (status >= 300 && status < 500 && status !== 429)
      return {
        kind: 'fault',
        fault: `the storage answers ${status}: are the region and the endpoint right?`,
      };
    return { kind: 'unavailable', error: storageFailure(error) };
  }
}

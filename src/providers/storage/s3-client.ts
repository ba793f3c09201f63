import { HeadBucketCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { NotFoundError, UnavailableError, type AppError } from '../../domain/errors.ts';

/** A bucket and who may use it. */
export interface BucketSettings {
  bucket: string;
  region: string;
  /** Absent = Amazon's own. */
  endpoint: string | undefined;
  /** Address of the same storage as others reach it, for links; absent = the endpoint. */
  publicEndpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket is in the path and not in the name of the host. */
  isPathStyle: boolean;
  timeouts?: BucketTimeouts | undefined;
}

export interface BucketTimeouts {
  connectMs: number;
  /** Until the answer begins; of a request with bytes, until they are taken. */
  answerMs: number;
  /** Between two pieces of what is sent or read. */
  idleMs: number;
}

const usual: BucketTimeouts = { connectMs: 3000, answerMs: 30_000, idleMs: 10_000 };

/** A client of the bucket; its links lead to `endpoint`. Nothing is tried twice: who asked does that. */
export function createBucketClient(
  {
    region,
    accessKeyId,
    secretAccessKey,
    isPathStyle,
    timeouts: { connectMs, answerMs, idleMs } = usual,
  }: BucketSettings,
  endpoint: string | undefined,
): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: isPathStyle,
    // The address is what the configuration says; AWS_ENDPOINT_URL and files of the machine are not asked.
    ignoreConfiguredEndpointUrls: true,
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 1,
    // Others than Amazon do not all know the newer checksums; what we send is signed with its SHA-256 anyway.
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

/** Runs one request; its failure is one of the port's. */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storageFailure(error);
  }
}

/**
 * What went wrong in the words of the port. The storage's own error may tell ids of keys and what was signed:
 * only its name and status go on.
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
      : 'The file storage is away or full',
    { dependency: 'storage', cause },
  );
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** `fault`: what an operator has to mend. `away`: nobody can say now; calls and requests find out. */
export type BucketState =
  | { kind: 'usable' }
  | { kind: 'fault'; fault: string }
  | { kind: 'away'; error: AppError };

/** Whether the bucket is there and these credentials may use it. */
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
    return { kind: 'away', error: storageFailure(error) };
  }
}

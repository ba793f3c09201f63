import { createHash, createHmac, timingSafeEqual, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { S3Problem } from './problem.ts';

/** A request as received, before its body. */
export interface Incoming {
  method: string;
  host: string;
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

export interface Account {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface Claim {
  accessKeyId: string;
  region: string;
  day: string;
  at: Date;
  signedHeaders: string[];
  signature: string;
  /** Lifetime of a link in seconds; null for a request that is not a link. */
  lifetime: number | null;
}

const madeBySigner = new Set(
  ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map((name) => `X-Amz-${name}`),
);
const maxSkewMs = 15 * 60 * 1000;
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/**
 * Throws S3Problem unless the request was signed with the account's key, which is checked by signing it again
 * with the SDK's signer. Answers the SHA-256 that its body must have.
 */
export async function verifySignature(
  request: Incoming,
  account: Account,
  now: { ofRequests: Date; ofLinks: Date },
): Promise<string> {
  const claim = claimOf(request);
  if (claim.accessKeyId !== account.accessKeyId)
    throw new S3Problem(403, 'InvalidAccessKeyId', 'The key does not exist');
  if (claim.region !== account.region)
    throw new S3Problem(
      400,
      'AuthorizationHeaderMalformed',
      `The region '${claim.region}' is wrong; expecting '${account.region}'`,
    );
  requireInTime(claim, claim.lifetime === null ? now.ofRequests : now.ofLinks);
  const unsigned = Object.keys(request.headers).find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !claim.signedHeaders.includes(name),
  );
  if (unsigned !== undefined)
    throw new S3Problem(
      403,
      'AccessDenied',
      `There were headers present in the request which were not signed: ${unsigned}`,
    );
  if (!isSame(await signatureOf(request, claim, account), claim.signature))
    throw new S3Problem(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided',
    );
  return claim.lifetime === null ? (request.headers['x-amz-content-sha256'] ?? '') : unsignedPayload;
}

function claimOf({ query, headers }: Incoming): Claim {
  if (query['X-Amz-Signature'] !== undefined) {
    if (query['X-Amz-Algorithm'] !== 'AWS4-HMAC-SHA256')
      throw new S3Problem(
        400,
        'AuthorizationQueryParametersError',
        'X-Amz-Algorithm only supports AWS4-HMAC-SHA256',
      );
    const lifetime = Number(query['X-Amz-Expires']);
    if (!(lifetime > 0 && lifetime <= 604_800))
      throw new S3Problem(
        400,
        'AuthorizationQueryParametersError',
        'X-Amz-Expires must be between 1 and 604800 seconds',
      );
    return {
      ...scopeOf(query['X-Amz-Credential']),
      at: dateOf(query['X-Amz-Date']),
      signedHeaders: (query['X-Amz-SignedHeaders'] ?? '').split(';'),
      signature: query['X-Amz-Signature'],
      lifetime,
    };
  }
  const [, credential, signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers['authorization'] ?? '',
    ) ?? [];
  if (credential === undefined) throw new S3Problem(403, 'AccessDenied', 'Access Denied');
  return {
    ...scopeOf(credential),
    at: dateOf(headers['x-amz-date']),
    signedHeaders: signed.split(';'),
    signature,
    lifetime: null,
  };
}

function scopeOf(credential = ''): Pick<Claim, 'accessKeyId' | 'day' | 'region'> {
  const [, accessKeyId, day, region] = /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(credential) ?? [];
  if (accessKeyId === undefined || day === undefined || region === undefined)
    throw new S3Problem(400, 'AuthorizationHeaderMalformed', 'The credential is malformed');
  return { accessKeyId, day, region };
}

function dateOf(text = ''): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  if (year === undefined) throw new S3Problem(403, 'AccessDenied', 'A valid date is needed');
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function requireInTime({ at, day, lifetime }: Claim, now: Date): void {
  if (!at.toISOString().replaceAll('-', '').startsWith(day))
    throw new S3Problem(
      400,
      'AuthorizationHeaderMalformed',
      'The day of the credential is not that of the request',
    );
  const ageMs = now.getTime() - at.getTime();
  if (lifetime === null ? Math.abs(ageMs) > maxSkewMs : ageMs < -maxSkewMs)
    throw new S3Problem(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large',
    );
  if (lifetime !== null && ageMs >= lifetime * 1000)
    throw new S3Problem(403, 'AccessDenied', 'Request has expired');
}

async function signatureOf(
  { method, host, path, query, headers }: Incoming,
  { at, signedHeaders, lifetime }: Claim,
  account: Account,
): Promise<string> {
  const signer = new SignatureV4({
    credentials: account,
    region: account.region,
    service: 's3',
    sha256: NodeSha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const [hostname = '', port] = host.split(':');
  const own = Object.fromEntries(
    Object.entries(query).filter(([name]) => !(lifetime !== null && madeBySigner.has(name))),
  );
  const signed: Record<string, string> = Object.fromEntries(
    signedHeaders.map((name) => [name, headers[name] ?? '']),
  );
  const request = {
    method,
    protocol: 'http:',
    hostname,
    ...(port === undefined ? {} : { port: Number(port) }),
    path,
    query: own,
    headers: signed,
  };
  const options = { signingDate: at, signableHeaders: new Set(signedHeaders) };
  if (lifetime === null)
    return (
      /Signature=(\w+)$/.exec((await signer.sign(request, options)).headers['authorization'] ?? '')?.[1] ?? ''
    );
  const payload = new Set(['x-amz-content-sha256']);
  const again = await signer.presign(
    { ...request, headers: { ...signed, 'x-amz-content-sha256': unsignedPayload } },
    { ...options, expiresIn: lifetime, unhoistableHeaders: payload, unsignableHeaders: payload },
  );
  return String(again.query?.['X-Amz-Signature']);
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/** SHA-256 with or without a key, in the interface of the signer. */
class NodeSha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return await Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash can be used only once');
  }
}

function bytesOf(value: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}

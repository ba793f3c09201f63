import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { guarded } from '../../src/runtime/guarded.ts';
import { answer, type Answer } from './requests.ts';
import { Bucket } from './bucket.ts';
import { Faults, type Fault } from './faults.ts';
import { S3Problem } from './problem.ts';
import { unsignedPayload, verifySignature, type Account, type Incoming } from './signature.ts';
import { xmlOf } from './xml.ts';

/**
 * Simulates a storage with the protocol of Amazon S3 over real HTTP (README.md in this folder): one bucket,
 * in memory. It accepts only signed requests (Signature Version 4), and only with its own key, whose id
 * begins with `simulated`.
 */
export interface S3Emulator {
  /** Base URL for a client; the bucket is named in the path. */
  url: string;
  name: string;
  account: Account;
  bucket: Bucket;
  faults: Faults;
  /** Method and path with query of all requests, as received. */
  log: string[];
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024 * 1024;

/**
 * Starts listening on a free port of the loopback. `linkClock` decides whether links have expired; requests
 * use the machine's clock.
 */
export async function startS3Emulator({
  name = 'calls',
  region = 'nowhere-1',
  linkClock = () => new Date(),
}: { name?: string; region?: string; linkClock?: () => Date } = {}): Promise<S3Emulator> {
  const account = { region, accessKeyId: 'simulated-key', secretAccessKey: 'simulated-secret' };
  const [bucket, faults, log] = [new Bucket(), new Faults(), new Array<string>()];
  const take = (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    log.push(`${req.method} ${req.url}`);
    return handle(req, res, { name, account, bucket, faults, linkClock });
  };
  const server = createServer(guarded(take, (_error, _req, res) => res.destroy()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    name,
    account,
    bucket,
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Context extends Pick<S3Emulator, 'name' | 'account' | 'bucket' | 'faults'> {
  linkClock: () => Date;
}

async function handle(req: IncomingMessage, res: ServerResponse, context: Context): Promise<void> {
  res.setHeader('x-parlance-simulated', 'true');
  const fault = context.faults.of({ method: req.method ?? '', url: req.url ?? '' });
  if (fault?.kind === 'silence') return;
  try {
    if (fault?.kind === 'status')
      throw new S3Problem(fault.status, fault.code, 'Please reduce your request rate.');
    send(res, await answerTo(req, context), fault);
  } catch (error) {
    if (!(error instanceof S3Problem)) res.destroy();
    else
      send(
        res,
        {
          status: error.status,
          headers: { 'content-type': 'application/xml' },
          body: Buffer.from(
            xmlOf('Error', {
              Code: error.code,
              Message: error.message,
              Resource: req.url ?? '',
              RequestId: 'simulated',
            }),
          ),
        },
        null,
      );
  }
}

async function answerTo(
  req: IncomingMessage,
  { name, account, bucket, linkClock }: Context,
): Promise<Answer> {
  const request = incoming(req);
  const sha256 = await verifySignature(request, account, { ofRequests: new Date(), ofLinks: linkClock() });
  const [, named, key = ''] = /^\/([^/]+)\/?(.*)$/.exec(request.path) ?? [];
  if (named !== name) throw new S3Problem(404, 'NoSuchBucket', 'The specified bucket does not exist');
  if (request.headers['content-encoding']?.includes('aws-chunked') === true)
    throw new S3Problem(501, 'NotImplemented', 'The simulated storage takes no aws-chunked body');
  if (req.method === 'PUT' && request.headers['content-length'] === undefined)
    throw new S3Problem(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  const body = await wholeBody(req);
  if (sha256 !== unsignedPayload && createHash('sha256').update(body).digest('hex') !== sha256)
    throw new S3Problem(
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  return answer({ request, key: decodeURIComponent(key), body, bucket });
}

function incoming(req: IncomingMessage): Incoming {
  const [path = '', query = ''] = (req.url ?? '').split('?');
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([each, value]) => [each, String(value)]),
  );
  return {
    method: req.method ?? '',
    host: headers['host'] ?? '',
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
  };
}

/** An incomplete body throws, so that nothing is stored. */
async function wholeBody(req: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of req as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBodyBytes)
      throw new S3Problem(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function send(res: ServerResponse, { status, headers, body }: Answer, fault: Fault | null): void {
  if (fault?.kind === 'late') return;
  if (res.req.method === 'HEAD') {
    res.writeHead(status, headers).end();
    return;
  }
  res.writeHead(status, { 'content-length': String(body.length), ...headers });
  if (fault === null) {
    res.end(body);
    return;
  }
  res.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    if (fault.kind === 'cut') res.destroy();
  });
}

import type { IncomingMessage } from 'node:http';
import { guarded } from '../../runtime/guarded.ts';

/** Maximum size of a body, except for uploads (contract 0.2). */
export const maxBodyBytes = 1024 * 1024;

/**
 * Reads a request body as exact bytes, which signatures need. Returns `null` if there are more than `max`.
 * Node's server discards the rest after the answer, so that a client that is still sending can read the
 * answer.
 */
export function readBody(req: IncomingMessage, max: number = maxBodyBytes): Promise<Buffer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(req.headers['content-length'] ?? 0) > max) return Promise.resolve(null);
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= max) chunks.push(chunk);
    else resolve(null);
  });
  req.once(
    'end',
    guarded(() => resolve(Buffer.concat(chunks)), reject),
  );
  req.once('error', reject);
  req.once('close', () => reject(new Error('The client closed the connection before its body ended')));
  return promise;
}

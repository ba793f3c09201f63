import type { IncomingMessage } from 'node:http';

/** Largest body outside uploads (contract 0.2). */
export const maxBodyBytes = 1024 * 1024;

/**
 * The one reader of request bodies. The exact bytes are what signatures are checked against. `null` when
 * there are more than `max`; the rest is then discarded by Node's server after the answer, so a client that
 * is still sending reads it.
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
  req.once('end', () => resolve(Buffer.concat(chunks)));
  req.once('error', reject);
  req.once('close', () => reject(new Error('The client closed the connection before its body ended')));
  return promise;
}

import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

type Complete = Exclude<Reply['content'], { kind: 'stream' }>;

/** Writes an answer. Pieces of a stream are written one at a time, as fast as the client reads them. */
export async function send(res: ServerResponse, reply: Reply): Promise<void> {
  const { status, headers, content } = reply;
  if (content.kind !== 'stream') return sendComplete(res, { status, headers, content });
  if (res.headersSent || res.destroyed) return;
  writeHead(res, { status, headers }, content.mediaType);
  for await (const piece of content.pieces) {
    if (res.destroyed) return;
    if (!res.write(piece)) await drained(res);
  }
  res.end();
}

/**
 * Writes a whole answer, or nothing if the client has disconnected. If another answer has begun, the
 * connection is closed, so that the client does not take that answer for complete.
 */
export function sendComplete(
  res: ServerResponse,
  { status, headers, content }: { status: number; headers: Reply['headers']; content: Complete },
): void {
  if (res.headersSent && !res.writableEnded) res.destroy();
  if (res.headersSent || res.destroyed) return;
  const [type, body] = written(content);
  // A buffer is faster than a text, which Node would join with the headers and encode as a whole.
  writeHead(res, { status, headers }, type);
  // A 304 would have the length of the full answer, a 204 has none (RFC 9110, 8.6).
  if (status !== 304 && status !== 204) res.setHeader('Content-Length', body.length);
  res.end(body);
}

function writeHead(
  res: ServerResponse,
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
  type: string | null,
): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (type !== null) res.setHeader('Content-Type', type);
}

function drained(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    res.off('drain', done).off('close', done);
    resolve();
  };
  res.on('drain', done).on('close', done);
  return promise;
}

function written(content: Complete): [type: string | null, body: Buffer] {
  switch (content.kind) {
    case 'empty':
      return [null, Buffer.alloc(0)];
    case 'json':
      return ['application/json', Buffer.from(JSON.stringify(content.value))];
    case 'text':
      return ['text/plain; charset=utf-8', Buffer.from(content.text)];
    case 'file':
      return [content.mediaType, content.bytes];
  }
}

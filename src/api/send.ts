import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

type Complete = Exclude<Reply['content'], { kind: 'stream' }>;

/** Writes an answer; of a stream one piece after the other, none before the client has taken the last one. */
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
 * Writes a whole answer; nothing when the client is gone. One that has begun cannot become another: it is cut off, so that nobody
 * takes it for whole.
 */
export function sendComplete(res: ServerResponse, { status, headers, content }: { status: number; headers: Reply['headers']; content: Complete }): void {
  if (res.headersSent && !res.writableEnded) res.destroy();
  if (res.headersSent || res.destroyed) return;
  const [type, body] = written(content);
  writeHead(res, { status, headers }, type);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

function writeHead(res: ServerResponse, { status, headers }: Pick<Reply, 'status' | 'headers'>, type: string | null): void {
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

function written(content: Complete): [type: string | null, body: string] {
  if (content.kind === 'empty') return [null, ''];
  return content.kind === 'json' ? ['application/json', JSON.stringify(content.value)] : ['text/plain; charset=utf-8', content.text];
}

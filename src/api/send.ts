import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** Writes an answer; nothing when the client is gone or an answer has begun. */
export function send(res: ServerResponse, { status, headers, content }: Reply): void {
  if (res.headersSent || res.destroyed) return;
  const [type, body] = written(content);
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (type !== null) res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

function written(content: Reply['content']): [type: string | null, body: string] {
  if (content.kind === 'empty') return [null, ''];
  return content.kind === 'json' ? ['application/json', JSON.stringify(content.value)] : ['text/plain; charset=utf-8', content.text];
}

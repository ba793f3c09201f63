import { connect } from 'node:net';

export interface RawAnswer {
  /** Everything that the server sent. */
  text: string;
  /** Whether the server closed or reset the connection within the limit. */
  isClosed: boolean;
}

/**
 * Sends bytes that no client library sends, keeps its own side open, and waits until the server closes the
 * connection.
 */
export async function sendRaw(
  port: number,
  bytes: Buffer | string,
  { limitMs = 60_000 }: { limitMs?: number } = {},
): Promise<RawAnswer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // 'close' follows
  for (const over of ['end', 'close']) socket.once(over, () => resolve(true));
  const timer = setTimeout(() => resolve(false), limitMs);
  socket.write(bytes);
  const isClosed = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { text: Buffer.concat(chunks).toString('latin1'), isClosed };
}

/** A request for a WebSocket as bytes, with any target. */
export function upgradeTo(target: string): string {
  return [
    `GET ${target} HTTP/1.1`,
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  ].join('\r\n');
}

import type { RawData, WebSocket } from 'ws';
import { guarded } from '../../runtime/guarded.ts';
import type { CloseCode } from './close-codes.ts';

/**
 * One end of a WebSocket with bounded buffers: for messages that the other end does not read, and for
 * messages that arrive before `listen`.
 */
export interface Socket {
  /** Does nothing once the socket closes. */
  sendText(text: string): void;
  sendBytes(bytes: Uint8Array): void;
  /** Delivers messages to one listener, starting with those that have arrived already. */
  listen(listener: {
    text: (text: string) => void;
    bytes: (bytes: Uint8Array) => void;
    closed: () => void;
    alive: () => void;
  }): void;
  close(code: CloseCode): void;
}

/** Some seconds of sound. A socket with more unread bytes is terminated. */
const maxBufferedBytes = 256 * 1024;
/** Before `listen`: half a minute of frames, because they come all at once after a pause of this host. */
const maxEarly = { messages: 1500, bytes: 2 * 1024 * 1024 };

/** `onFault` gets what a listener throws, and closes the socket. */
export function socketOf(ws: WebSocket, onFault: (error: unknown) => void): Socket {
  let early: { data: Buffer; isBinary: boolean }[] | null = [];
  let earlyBytes = 0;
  let isOver = false;
  let onMessage = (data: Buffer, isBinary: boolean): void => {
    earlyBytes += data.length;
    if (early === null || early.length >= maxEarly.messages || earlyBytes > maxEarly.bytes) ws.terminate();
    else early.push({ data, isBinary });
  };
  let onClosed = () => {
    isOver = true;
  };
  let onAlive = () => undefined as void;
  ws.on(
    'message',
    guarded((data: RawData, isBinary: boolean) => onMessage(bytesIn(data), isBinary), onFault),
  );
  ws.on(
    'pong',
    guarded(() => onAlive(), onFault),
  );
  ws.on(
    'close',
    guarded(() => onClosed(), onFault),
  );
  // It closes by itself with the code of the fault, which does not reach an end that still sends if we terminate.
  ws.on(
    'error',
    guarded(() => onClosed(), onFault),
  );

  function send(data: string | Uint8Array): void {
    if (ws.readyState !== ws.OPEN) return;
    ws.send(data);
    // guarantee: unread-socket-is-closed
    if (ws.bufferedAmount > maxBufferedBytes) ws.terminate();
  }

  return {
    sendText: send,
    sendBytes: send,
    listen({ text, bytes, closed, alive }) {
      onMessage = (data, isBinary) => (isBinary ? bytes(data) : text(data.toString('utf8')));
      onClosed = closed;
      onAlive = alive;
      const waited = early ?? [];
      early = null;
      for (const each of waited) onMessage(each.data, each.isBinary);
      if (isOver) closed();
    },
    close: (code) => ws.close(code),
  };
}

function bytesIn(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

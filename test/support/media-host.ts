import type { WebSocket } from 'ws';
import { z } from 'zod';
import { encodeSpeech } from '../../emulators/modem/encode-speech.ts';
import { createListener } from '../../emulators/modem/listener.ts';
import { decodeALaw, decodeMuLaw, encodeMuLaw } from '../../src/domain/audio/g711.ts';

/** One media socket, seen by the host. */
export interface HostSocket {
  path: string;
  socket: WebSocket;
  /** All frames except `media`. */
  frames: Record<string, unknown>[];
  /** Chunk numbers of the `media` frames, in the order of arrival. */
  chunks: number[];
  heard(): string;
  /** Sends the whole text at once, in frames of 20 ms, followed by a mark with the same name. */
  say(text: string): void;
  send(frame: unknown): void;
  closed: number | null;
}

const Frame = z.looseObject({
  event: z.string(),
  start: z.looseObject({ media_format: z.looseObject({ encoding: z.string() }) }).optional(),
  media: z.object({ payload: z.string(), chunk: z.string() }).optional(),
});

/** The host's view of a socket that the carrier opened. */
export function hostSocket(socket: WebSocket, path: string): HostSocket {
  const listener = createListener({ sampleRate: 8000, onText: () => undefined });
  let decode = decodeMuLaw;
  const send = (frame: unknown): void =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const seen: HostSocket = {
    path,
    socket,
    frames: [],
    chunks: [],
    closed: null,
    heard: () => listener.text.trim(),
    send,
    say: (text) => {
      const bytes = encodeMuLaw(encodeSpeech(text, 8000));
      for (let at = 0; at < bytes.length; at += 160)
        send({
          event: 'media',
          media: { payload: Buffer.from(bytes.subarray(at, at + 160)).toString('base64') },
        });
      send({ event: 'mark', mark: { name: text } });
    },
  };
  socket.on('message', (data: Buffer) => {
    const frame = Frame.parse(JSON.parse(data.toString('utf8')));
    if (frame.start?.media_format.encoding === 'PCMA') decode = decodeALaw;
    if (frame.media === undefined) seen.frames.push(frame);
    else {
      seen.chunks.push(Number(frame.media.chunk));
      listener.push(decode(Buffer.from(frame.media.payload, 'base64')));
    }
  });
  socket.on('close', (code) => {
    seen.closed = code;
  });
  return seen;
}

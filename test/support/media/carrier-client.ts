import { once } from 'node:events';
import { WebSocket } from 'ws';
import { decodeMuLaw, encodeMuLaw } from '../../../src/domain/audio/g711.ts';

/** The carrier's side of a media socket, controlled frame by frame. */
export interface CarrierClient {
  ws: WebSocket;
  /** All received sound, as µ-law bytes. */
  heard: () => Int16Array;
  events: { event: string; name?: string }[];
  /** Resolves with the close code. */
  closed: Promise<number>;
  send: (message: object) => void;
  start: (format?: object) => void;
  /** Sends one frame with 20 ms of `samples`. */
  media: (chunk: number, samples: Int16Array, changes?: object) => void;
}

export async function connectCarrier(url: string, { returnsMarks = true } = {}): Promise<CarrierClient> {
  const ws = new WebSocket(url);
  const payloads: Uint8Array[] = [];
  const events: CarrierClient['events'] = [];
  const closed = once(ws, 'close').then(([code]) => Number(code));
  ws.on('error', () => undefined);
  ws.on('message', (data: Buffer) => {
    const message: { event: string; media?: { payload: string }; mark?: { name: string } } = JSON.parse(
      data.toString(),
    );
    events.push({ event: message.event, ...(message.mark === undefined ? {} : { name: message.mark.name }) });
    if (message.media !== undefined) payloads.push(Buffer.from(message.media.payload, 'base64'));
    if (message.event === 'mark' && returnsMarks) ws.send(data.toString());
  });
  await Promise.race([once(ws, 'open'), closed]);
  const send = (message: object) => ws.send(JSON.stringify(message));
  send({ event: 'connected', version: '1.0.0' });
  return {
    ws,
    events,
    closed,
    send,
    heard: () => decodeMuLaw(Buffer.concat(payloads)),
    start: (format = { encoding: 'PCMU', sample_rate: 8000, channels: 1 }) =>
      send({
        event: 'start',
        sequence_number: '1',
        stream_id: 's',
        start: { call_control_id: 'c', media_format: format },
      }),
    media: (chunk, samples, changes = {}) =>
      send({
        event: 'media',
        sequence_number: String(chunk + 1),
        media: {
          track: 'inbound',
          chunk: String(chunk),
          timestamp: String((chunk - 1) * 20),
          payload: Buffer.from(encodeMuLaw(samples)).toString('base64'),
          ...changes,
        },
      }),
  };
}

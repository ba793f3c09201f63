import { WebSocket } from 'ws';
import { guarded } from '../../src/runtime/guarded.ts';
import { decodeALaw, decodeMuLaw } from '../../src/domain/audio/g711.ts';
import type { LegCodec } from './leg-codec.ts';
import type { Faults } from './settings.ts';
import { happens, type Random } from './random.ts';
import { Playout } from './playout.ts';

export interface StreamOptions {
  id: string;
  url: string;
  /** Codec of our frames to the host: that of the leg. */
  codec: LegCodec;
  /** Codec of the host's frames to us: the one that its command declared, whatever the leg's is. */
  hostCodec: 'PCMU' | 'PCMA';
  faults: NonNullable<Faults['media']>;
  random: Random;
  /** The connection failed; called once, and no other callback follows. */
  onFailed: () => void;
  onOpen: () => void;
  /** `start` was sent. */
  onStarted: () => void;
  /** The host or the network ended it. */
  onLost: (code: number) => void;
  onClear: (dropped: { marks: string[]; droppedMs: number }) => void;
}

interface StartFields {
  callControlId: string;
  sessionId: string;
  from: string;
  to: string;
  clientState: string | null;
  customParameters: Record<string, string>;
}

const minMs = 20;
const maxMs = 30_000;

/**
 * The carrier's side of a media socket to the host's `stream_url` (contract 12.6; the carrier's own
 * description of its frames).
 */
export class MediaStream {
  readonly id: string;
  readonly url: string;
  readonly playout = new Playout();
  #options: StreamOptions;
  #socket: WebSocket;
  #state: 'connecting' | 'open' | 'started' | 'over' = 'connecting';
  #sequence = 0;
  #chunk = 0;
  /** A frame to be swapped with the next one. */
  #held: string | null = null;
  #pendingStart: StartFields | null = null;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.id = options.id;
    this.url = options.url;
    this.#socket = new WebSocket(options.url, { handshakeTimeout: 5_000, perMessageDeflate: false });
    const drop = (): void => this.#socket.terminate();
    this.#socket.on(
      'open',
      guarded(() => this.#opened(), drop),
    );
    this.#socket.on(
      'message',
      guarded((data: Buffer) => this.#receive(data.toString('utf8')), drop),
    );
    this.#socket.on('error', () => undefined);
    this.#socket.on(
      'close',
      guarded((code: number) => this.#closed(code), drop),
    );
  }

  get isStarted(): boolean {
    return this.#state === 'started';
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** The leg is answered: sends `start` as soon as the socket is open. */
  start(fields: StartFields): void {
    if (this.#state === 'connecting') this.#pendingStart = fields;
    if (this.#state !== 'open') return;
    this.#state = 'started';
    this.#send({
      event: 'start',
      sequence_number: this.#next(),
      stream_id: this.id,
      start: {
        user_id: 'simulated',
        call_control_id: fields.callControlId,
        call_session_id: fields.sessionId,
        client_state: fields.clientState,
        from: fields.from,
        to: fields.to,
        custom_parameters: fields.customParameters,
        media_format: {
          encoding: this.#options.codec.encoding,
          sample_rate: this.#options.codec.sampleRate,
          channels: 1,
        },
      },
    });
    this.#options.onStarted();
    const { resetAfterMs } = this.#options.faults;
    if (resetAfterMs !== undefined) setTimeout(() => this.#socket.terminate(), resetAfterMs).unref();
  }

  /** 20 ms of the person's audio. */
  hear(samples: Int16Array): void {
    if (this.#state !== 'started') return;
    this.#chunk += 1;
    const payload = Buffer.from(this.#options.codec.encode(samples)).toString('base64');
    const frame = `{"event":"media","sequence_number":"${this.#next()}","media":{"track":"inbound","chunk":"${this.#chunk}","timestamp":"${(this.#chunk - 1) * 20}","payload":"${payload}"},"stream_id":"${this.id}"}`;
    this.#withFaults(frame);
  }

  dtmf(digit: string): void {
    if (this.#state === 'started')
      this.#send({
        event: 'dtmf',
        stream_id: this.id,
        occurred_at: new Date().toISOString(),
        sequence_number: this.#next(),
        dtmf: { digit },
      });
  }

  returnMarks(names: string[]): void {
    for (const name of names)
      this.#send({ event: 'mark', sequence_number: this.#next(), stream_id: this.id, mark: { name } });
  }

  /** The carrier ends it: with `stop` if it had started, without a message if the leg was never answered. */
  end(callControlId: string): void {
    const wasStarted = this.#state === 'started';
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (!wasStarted) return this.#socket.terminate();
    this.#send({
      event: 'stop',
      sequence_number: this.#next(),
      stop: { user_id: 'simulated', call_control_id: callControlId },
      stream_id: this.id,
    });
    this.#socket.close(1000);
    // A peer that does not answer the close is disconnected.
    setTimeout(() => this.#socket.terminate(), 1_000).unref();
  }

  /** A network failure: `reset` tells the host at once, `freeze` leaves it a socket that stays silent. */
  breakOff(how: 'reset' | 'freeze'): void {
    if (how === 'reset') return this.#socket.terminate();
    this.#state = 'over';
    this.#socket.pause();
    this.#options.onLost(1006);
  }

  /** Discards the connection in any state. */
  discard(): void {
    this.#socket.terminate();
  }

  #opened(): void {
    if (this.#state === 'over') return;
    this.#state = 'open';
    this.#send({ event: 'connected', version: '1.0.0' });
    this.#options.onOpen();
    if (this.#pendingStart !== null) this.start(this.#pendingStart);
  }

  #closed(code: number): void {
    const state = this.#state;
    this.#state = 'over';
    if (state === 'connecting') this.#options.onFailed();
    else if (state !== 'over') this.#options.onLost(code);
  }

  #receive(text: string): void {
    if (this.#state === 'over') return;
    const message = parse(text);
    if (message === null) return this.#error(100003, 'malformed_frame', 'The frame is not a JSON object');
    if (message.event === 'media') return this.#play(message.media?.payload);
    if (message.event === 'mark' && typeof message.mark?.name === 'string') {
      if (this.playout.isEmpty) return this.returnMarks([message.mark.name]);
      return this.playout.mark(message.mark.name);
    }
    if (message.event === 'clear') {
      const dropped = this.playout.clear();
      this.#options.onClear(dropped);
      return this.returnMarks(dropped.marks);
    }
    this.#error(100003, 'malformed_frame', 'The form of the frame is unknown');
  }

  #play(payload: unknown): void {
    const bytes =
      typeof payload === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(payload)
        ? Buffer.from(payload, 'base64')
        : null;
    const lengthMs = (bytes?.length ?? 0) / 8;
    if (bytes === null || lengthMs < minMs || lengthMs > maxMs)
      return this.#error(100004, 'invalid_media', 'The payload must be base64 of 20 ms to 30 s of audio');
    this.playout.add((this.#options.hostCodec === 'PCMU' ? decodeMuLaw : decodeALaw)(bytes));
  }

  #withFaults(frame: string): void {
    const { faults, random } = this.#options;
    if (happens(random, faults.drop ?? 0)) return;
    if (happens(random, faults.late ?? 0)) {
      setTimeout(() => this.#sendText(frame), faults.lateMs ?? 60).unref();
      return;
    }
    if (this.#held === null && happens(random, faults.swap ?? 0)) {
      this.#held = frame;
      return;
    }
    this.#sendText(frame);
    if (this.#held !== null) this.#sendText(this.#held);
    this.#held = null;
  }

  #error(code: number, title: string, detail: string): void {
    this.#send({ event: 'error', stream_id: this.id, payload: { code, title, detail } });
  }

  #next(): string {
    return String((this.#sequence += 1));
  }

  #send(frame: Record<string, unknown>): void {
    this.#sendText(JSON.stringify(frame));
  }

  #sendText(frame: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }
}

interface HostFrame {
  event?: unknown;
  media?: { payload?: unknown } | null;
  mark?: { name?: unknown } | null;
}

function parse(text: string): HostFrame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import { joinSamples } from '../../domain/audio/samples.ts';
import type { ProviderError } from '../../domain/errors.ts';
import { guarded } from '../../runtime/guarded.ts';
import { refusedUpgrade, sttError } from './failures.ts';
import type { SttEvent, SttOptions, SttSession } from './port.ts';

/** A vendor's protocol over a WebSocket, for one session. */
export interface SttProtocol {
  /** Sent when the socket opens, before any audio. */
  hello: readonly string[];
  audio(frame: Int16Array): Buffer | string;
  finalize: string;
  /**
   * Sent to end the session: the vendor then sends its last words and closes. Null means that we close the
   * socket.
   */
  goodbye: string | null;
  /** Sent while no audio flows; null if not needed. */
  keepAlive: string | null;
  /** Reads one parsed message of the vendor. A `fault` ends the session. */
  read(message: unknown): SttEvent[];
}

/** What a protocol knows about the audio of its session. */
export interface AudioPosition {
  /** Audio sent so far, in milliseconds. */
  sentMs(): number;
  /** Converts a position in the sent audio to a position in the media (`mediaMs`). */
  mediaMsAt(sentMs: number): number;
}

export interface SttTiming {
  /** Maximum time until the socket is open. */
  connectMs: number;
  /** Time between two pings. A server that sends nothing in that time is gone. */
  heartbeatMs: number;
  /** Maximum wait for the last words after `close`. */
  closeMs: number;
  /** Maximum audio that waits for the socket; then the oldest is dropped. */
  queueMs: number;
}

export const defaultSttTiming: SttTiming = {
  connectMs: 3_000,
  heartbeatMs: 5_000,
  closeMs: 1_000,
  queueMs: 12_000,
};

export interface SocketSessionOptions {
  url: string;
  headers: Record<string, string>;
  agent: Agent | undefined;
  protocolOf: (position: AudioPosition) => SttProtocol;
  options: SttOptions;
  timing: SttTiming;
  /** Number of frames that were dropped because the socket was too slow. */
  onDropped: (frames: number) => void;
}

/** Maximum audio that the socket buffers: half a second of a phone call. More waits in our own queue. */
const maxUnsentBytes = 8_000;
const maxMessageBytes = 1024 * 1024;

/**
 * Audio of one message. A system call for each frame of 20 ms was a sixth of what a live call costs; words wait at most
 * two frames longer, and the last words not at all, because `finalize` sends what is held.
 */
const messageMs = 60;

interface Message {
  data: Buffer | string;
  /** Audio in it, in milliseconds and in frames; 0 for a request. */
  ms: number;
  frames: number;
}

/** Opens one session over one WebSocket. */
export function openSocketSession(asked: SocketSessionOptions): SttSession {
  return new SocketSession(asked);
}

class SocketSession implements SttSession {
  readonly #asked: SocketSessionOptions;
  readonly #protocol: SttProtocol;
  readonly #onEvent: (event: SttEvent) => void;
  readonly #queue: Message[] = [];
  /** Audio that makes the next message, and its milliseconds. */
  #held: Int16Array[] = [];
  #heldMs = 0;
  readonly #ended: Promise<void>;
  #socket: WebSocket | null = null;
  #state: 'connecting' | 'open' | 'closing' | 'closed' = 'connecting';
  #resolveEnded: () => void = () => undefined;
  #queuedMs = 0;
  #pushedMs = 0;
  /** Media position minus audio position of the newest frame. */
  #offsetMs = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #connectDeadline: NodeJS.Timeout | undefined;
  #isAnswering = true;
  #beatAtMs = 0;
  #isAudioFlowing = false;

  constructor(asked: SocketSessionOptions) {
    this.#asked = asked;
    this.#onEvent = guarded(asked.options.onEvent, this.#lost);
    this.#protocol = asked.protocolOf({
      sentMs: () => this.#pushedMs,
      mediaMsAt: (sentMs) => Math.round(sentMs + this.#offsetMs),
    });
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#connect();
  }

  push(frame: Int16Array, mediaMs: number): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const ms = (frame.length * 1000) / this.#asked.options.sampleRate;
    this.#offsetMs = mediaMs - this.#pushedMs;
    this.#pushedMs += ms;
    this.#isAudioFlowing = true;
    this.#held.push(frame.slice());
    this.#heldMs += ms;
    if (this.#heldMs >= messageMs) this.#sendHeld();
    this.#dropOldest();
  }

  finalize(): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    this.#request(this.#protocol.finalize);
  }

  async close(): Promise<void> {
    if (this.#state === 'connecting') this.#end(null);
    if (this.#state === 'open') {
      this.#grace = setTimeout(
        guarded(() => this.#end(null), this.#lost),
        this.#asked.timing.closeMs,
      );
      if (this.#protocol.goodbye === null) this.#socket?.close(1000);
      else this.#request(this.#protocol.goodbye);
      this.#state = 'closing';
    }
    await this.#ended;
  }

  #connect(): void {
    const { url, headers, agent, timing } = this.#asked;
    try {
      const socket = new WebSocket(url, {
        headers,
        ...(agent === undefined ? {} : { agent }),
        perMessageDeflate: false,
        maxPayload: maxMessageBytes,
      });
      this.#socket = socket;
      const giveUp = (): void => this.#end(tooSlow(timing.connectMs));
      this.#connectDeadline = setTimeout(guarded(giveUp, this.#lost), timing.connectMs);
      this.#listen(socket);
    } catch {
      // The URL or the key cannot be sent at all. The cause would quote it.
      const why = 'The speech recognition cannot be reached: its URL or its key is invalid';
      const refuse = (): void => this.#end(sttError(why, false, { reason: 'client_error' }));
      queueMicrotask(guarded(refuse, this.#lost));
    }
  }

  #listen(socket: WebSocket): void {
    socket.on(
      'open',
      guarded(() => this.#opened(), this.#lost),
    );
    socket.on(
      'message',
      guarded((data: RawData, isBinary: boolean) => this.#take(data, isBinary), this.#lost),
    );
    socket.on('pong', () => (this.#isAnswering = true));
    socket.on(
      'unexpected-response',
      guarded(
        (_request: ClientRequest, { statusCode = 0, headers }: IncomingMessage) =>
          this.#end(refusedUpgrade(statusCode, headers['retry-after'])),
        this.#lost,
      ),
    );
    socket.on('error', guarded(this.#lost, this.#lost));
    socket.on(
      'close',
      guarded(() => this.#closed(), this.#lost),
    );
  }

  #closed(): void {
    const why = 'The speech recognition closed the connection';
    this.#end(this.#state === 'closing' ? null : sttError(why, true, { reason: 'lost' }));
  }

  readonly #lost = (cause: unknown): void => {
    const isNew = this.#state === 'connecting';
    this.#end(
      isNew
        ? sttError('The speech recognition could not be reached', true, { reason: 'unreachable', cause })
        : sttError('The connection to the speech recognition was lost', true, { reason: 'lost', cause }),
    );
  };

  #opened(): void {
    this.#state = 'open';
    clearTimeout(this.#connectDeadline);
    for (const message of this.#protocol.hello) this.#socket?.send(message);
    this.#isAnswering = true;
    this.#beatAtMs = performance.now();
    this.#heartbeat = setInterval(
      guarded(() => this.#beat(), this.#lost),
      this.#asked.timing.heartbeatMs,
    );
    this.#flush();
    this.#tell({ kind: 'interim', segmentId: '', text: '' });
  }

  /**
   * A half-open socket accepts everything and answers nothing, not even a ping. A beat that comes late proves nothing: this
   * process had no time to read the answer.
   */
  #beat(): void {
    const atMs = performance.now();
    const isLate = atMs - this.#beatAtMs > 1.5 * this.#asked.timing.heartbeatMs;
    this.#beatAtMs = atMs;
    if (!this.#isAnswering && !isLate)
      return this.#end(sttError('The speech recognition stopped answering', true, { reason: 'lost' }));
    this.#isAnswering = false;
    this.#socket?.ping();
    if (!this.#isAudioFlowing && this.#protocol.keepAlive !== null)
      this.#socket?.send(this.#protocol.keepAlive);
    this.#isAudioFlowing = false;
  }

  #take(data: RawData, isBinary: boolean): void {
    this.#isAnswering = true;
    const message = isBinary ? undefined : readJson(textOf(data));
    if (message === undefined) return;
    for (const event of this.#protocol.read(message)) {
      if (event.kind === 'fault') return this.#end(event.error);
      this.#tell(event);
    }
  }

  /** Requests wait behind the audio that they are about. */
  #request(data: string): void {
    this.#sendHeld();
    this.#enqueue({ data, ms: 0, frames: 0 });
  }

  #sendHeld(): void {
    const [held, ms] = [this.#held, this.#heldMs];
    if (held.length === 0) return;
    this.#held = [];
    this.#heldMs = 0;
    this.#enqueue({ data: this.#protocol.audio(joinSamples(held)), ms, frames: held.length });
  }

  #enqueue(message: Message): void {
    this.#queue.push(message);
    this.#queuedMs += message.ms;
    this.#flush();
  }

  #flush(): void {
    const socket = this.#socket;
    while (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < maxUnsentBytes) {
      const first = this.#queue.shift();
      if (first === undefined) return;
      this.#queuedMs -= first.ms;
      socket.send(
        first.data,
        guarded(() => this.#flush(), this.#lost),
      );
    }
  }

  #dropOldest(): void {
    let dropped = 0;
    while (this.#queuedMs > this.#asked.timing.queueMs) {
      const { ms, frames } = this.#queue.shift() ?? { ms: this.#queuedMs, frames: 0 };
      this.#queuedMs -= ms;
      dropped += frames;
    }
    if (dropped > 0) this.#asked.onDropped(dropped);
  }

  #tell(event: SttEvent): void {
    if (this.#state !== 'closed') this.#onEvent(event);
  }

  /** Closed before it tells, so that a failure in here ends here. */
  #end(error: ProviderError | null): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    clearInterval(this.#heartbeat);
    clearTimeout(this.#grace);
    clearTimeout(this.#connectDeadline);
    this.#queue.length = 0;
    this.#resolveEnded();
    if (error !== null) this.#onEvent({ kind: 'fault', error });
    this.#onEvent({ kind: 'closed' });
    this.#socket?.terminate();
  }
}

function textOf(data: RawData): string {
  return Array.isArray(data)
    ? Buffer.concat(data).toString('utf8')
    : Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('utf8');
}

/** Undefined for a text that is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tooSlow(connectMs: number): ProviderError {
  return sttError(`The speech recognition did not open a connection within ${connectMs} ms`, true, {
    reason: 'timeout',
  });
}

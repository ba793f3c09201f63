import type { RawData, WebSocket } from 'ws';
import { guarded } from '../../src/runtime/guarded.ts';
import type { ModemRate } from '../modem/tones.ts';
import { createRecognizer, type Recognizer, type Heard } from './recognizer.ts';
import type { Fault } from './faults.ts';
import type { ConnectionEntry } from './log.ts';

/** How a vendor's protocol represents messages and recognized speech. */
export interface Dialect {
  /** Messages that are sent as soon as the connection is open. */
  greeting: readonly object[];
  /** The messages for recognized speech. */
  messagesOf(heard: Heard): object[];
  /** The error message for a code. */
  error(code: string): object;
  /** One message of the client. */
  take(message: { binary: Buffer } | { text: string }, connection: Connection): void;
}

/** One client's connection. It recognizes only its audio, and fails as the fault says. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #entry: ConnectionEntry;
  readonly #fault: Fault | null;
  readonly #dialect: Dialect;
  readonly #timers = new Set<NodeJS.Timeout>();
  #recognizer: Recognizer | null = null;
  #isDead = false;

  constructor({
    socket,
    entry,
    fault,
    dialect,
  }: {
    socket: WebSocket;
    entry: ConnectionEntry;
    fault: Fault | null;
    dialect: Dialect;
  }) {
    this.#socket = socket;
    this.#entry = entry;
    this.#fault = fault;
    this.#dialect = dialect;
    entry.fault = fault?.kind ?? null;
    const take = (data: RawData, isBinary: boolean): void =>
      dialect.take(isBinary ? { binary: bytesOf(data) } : { text: bytesOf(data).toString('utf8') }, this);
    socket.on(
      'message',
      guarded(take, () => socket.terminate()),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => {
      entry.closedAt = new Date().toISOString();
      for (const timer of this.#timers) clearTimeout(timer);
    });
    for (const message of dialect.greeting) this.send(message);
    this.#failIfDue();
  }

  /** Starts recognition; a later call changes nothing. */
  listen({
    sampleRate,
    endpointingMs,
    parameters,
  }: {
    sampleRate: ModemRate;
    endpointingMs: number;
    parameters: Record<string, unknown>;
  }): void {
    this.#entry.parameters = parameters;
    this.#recognizer ??= createRecognizer({
      sampleRate,
      endpointingMs,
      onHeard: (heard) => this.#report(heard),
    });
  }

  hear(samples: Int16Array, sampleRate: number): void {
    this.#entry.audioMs += (samples.length * 1000) / sampleRate;
    this.#failIfDue();
    if (!this.#isDead) this.#recognizer?.push(samples);
  }

  finalize(): void {
    this.#recognizer?.finalize();
  }

  note(control: string): void {
    this.#entry.controls.push(control);
  }

  send(message: object): void {
    const text = JSON.stringify(message);
    if (this.#isDead) return;
    if (this.#fault?.kind !== 'delayed') return this.#socket.send(text);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#socket.send(text);
    }, this.#fault.delayMs ?? 500);
    this.#timers.add(timer);
  }

  /** Closes the connection after the messages sent so far. */
  end(): void {
    if (this.#isDead) return;
    const timer = setTimeout(
      () => this.#socket.close(1000),
      this.#fault?.kind === 'delayed' ? (this.#fault.delayMs ?? 500) : 0,
    );
    this.#timers.add(timer);
  }

  #report(heard: Heard): void {
    const messages = this.#dialect.messagesOf(heard);
    const times = heard.kind === 'final' && this.#fault?.kind === 'duplicate' ? 2 : 1;
    if (heard.kind === 'final' && !this.#isDead) this.#entry.finals.push(heard.text);
    for (let time = 0; time < times; time += 1) for (const message of messages) this.send(message);
    if (this.#fault?.kind === 'unreadable') this.#socket.send('{"transcript": ');
  }

  #failIfDue(): void {
    if (this.#isDead || this.#fault === null || this.#entry.audioMs < (this.#fault.afterAudioMs ?? 0)) return;
    const { kind, code } = this.#fault;
    if (kind === 'error') this.send(this.#dialect.error(code ?? '50000'));
    if (kind === 'error') this.#socket.close(1011);
    if (kind === 'gone') this.#socket.terminate();
    // Reads from the network and answers nothing, not even a ping.
    if (kind === 'half_open') this.#socket.pause();
    this.#isDead = kind === 'silent' || kind === 'gone' || kind === 'half_open' || kind === 'error';
  }
}

function bytesOf(data: RawData): Buffer {
  return Array.isArray(data)
    ? Buffer.concat(data)
    : Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
}

/** Little-endian 16-bit samples. */
export function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2);
  return samples;
}

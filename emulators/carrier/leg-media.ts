import { randomUUID } from 'node:crypto';
import type { Leg } from './leg.ts';
import { legCodecs, type LegCodec } from './leg-codec.ts';
import { frameSamples } from './media-clock.ts';
import { MediaStream } from './media-stream.ts';
import { Problem } from './problems.ts';
import type { World } from './world.ts';

export interface StreamRequest {
  url: string;
  hostCodec: 'PCMU' | 'PCMA';
  customParameters: Record<string, string>;
}

/**
 * The media socket of a leg. A leg has at most one, which may be lost and attached again (assumptions:
 * README.md).
 */
export class LegMedia {
  #world: World;
  #leg: Leg;
  #stream: MediaStream | null = null;
  #request: StreamRequest | null = null;
  #busyUntil = 0;
  /** Lost streams, which may still hold a hanging connection. */
  #lostStreams: MediaStream[] = [];

  constructor(world: World, leg: Leg) {
    this.#world = world;
    this.#leg = leg;
  }

  get codec(): LegCodec {
    return legCodecs[this.#leg.faults.media?.codec ?? 'PCMU'];
  }

  get stream(): MediaStream | null {
    return this.#stream;
  }

  /** A stream was requested and neither runs nor has failed. */
  get isConnecting(): boolean {
    return this.#stream !== null && !this.#stream.isStarted && !this.#stream.isOver;
  }

  /** Throws if no stream can be attached now. */
  mustBeFree(): void {
    if (this.#stream !== null || Date.now() < this.#busyUntil) throw new Problem('90045');
  }

  attach(request: StreamRequest): void {
    this.mustBeFree();
    const leg = this.#leg;
    const note = (what: string, fields: Record<string, unknown> = {}) =>
      this.#world.log.add('stream', { legId: leg.id, what, url: request.url, ...fields });
    const stream: MediaStream = new MediaStream({
      id: randomUUID(),
      url: request.url,
      codec: this.codec,
      hostCodec: request.hostCodec,
      faults: leg.faults.media ?? {},
      random: leg.random,
      onOpen: () => note('opened'),
      onFailed: () => {
        note('failed');
        this.#stream = null;
        leg.sendEvent('streaming.failed', {
          failure_reason: 'connection_failed',
          stream_id: stream.id,
          stream_type: 'websocket',
          stream_params: { stream_url: request.url, track: 'inbound_track' },
        });
      },
      onStarted: () => {
        note('started');
        leg.sendEvent('streaming.started', { stream_id: stream.id, stream_url: request.url });
      },
      onLost: (code) => {
        note('lost', { code });
        this.#lost(stream);
      },
      onClear: ({ marks, droppedMs }) => note('cleared', { marks, droppedMs }),
    });
    this.#stream = stream;
    this.#request = request;
    if (leg.state === 'answered') this.answered();
  }

  /** The leg is answered: a waiting stream starts. */
  answered(): void {
    const { controlId, sessionId, clientState, request } = this.#leg;
    this.#stream?.start({
      callControlId: controlId,
      sessionId,
      clientState,
      from: request.from,
      to: request.to,
      customParameters: this.#request?.customParameters ?? {},
    });
  }

  /** Stopped by command; another stream may be attached at once. */
  stop(): void {
    if (this.#stream === null) throw new Problem('90048');
    this.#ended(this.#stream);
  }

  /** The leg has ended. */
  end(): void {
    if (this.#stream !== null) this.#ended(this.#stream);
    for (const stream of this.#lostStreams) stream.discard();
  }

  /** The next 20 ms of audio from the host; null without any. */
  take(): Int16Array | null {
    if (this.#stream === null) return null;
    const { samples, marks } = this.#stream.playout.take(frameSamples);
    if (marks.length > 0) this.#stream.returnMarks(marks);
    return samples === null ? null : this.codec.carried(samples);
  }

  hear(samples: Int16Array): void {
    this.#stream?.hear(samples);
  }

  #ended(stream: MediaStream): void {
    const wasStarted = stream.isStarted;
    this.#stream = null;
    this.#world.log.add('stream', { legId: this.#leg.id, what: 'ended', url: stream.url });
    stream.end(this.#leg.controlId);
    if (wasStarted) this.#tellStopped(stream);
  }

  #lost(stream: MediaStream): void {
    const { afterSocketLoss, busyForMs, stoppedAfterMs } = this.#world.settings.assumptions;
    if (this.#stream === stream) this.#stream = null;
    this.#lostStreams.push(stream);
    this.#busyUntil = Date.now() + busyForMs;
    if (stoppedAfterMs !== null) setTimeout(() => this.#tellStopped(stream), stoppedAfterMs).unref();
    if (afterSocketLoss === 'drops') this.#leg.end('normal_clearing', 'unknown');
  }

  #tellStopped(stream: MediaStream): void {
    this.#leg.sendEvent('streaming.stopped', { stream_id: stream.id, stream_url: stream.url });
  }
}

import { randomBytes, randomUUID } from 'node:crypto';
import { CarrierAudio, type CarrierSound } from './carrier-audio.ts';
import type { Conference } from './conference.ts';
import { LegListener } from './leg-listener.ts';
import { LegMedia, type StreamRequest } from './leg-media.ts';
import type { Persona } from './persona.ts';
import { PersonaRun } from './persona-run.ts';
import { Playout } from './playout.ts';
import { frameSamples } from './media-clock.ts';
import { randomOf, type Random } from './random.ts';
import type { Faults } from './settings.ts';
import { isLoud, mixed } from './sounds.ts';
import type { World } from './world.ts';

export interface LegRequest {
  accountKey: string;
  connectionId: string;
  direction: 'outgoing' | 'incoming';
  from: string;
  to: string;
  /** As received, in base64. */
  clientState: string | null;
  webhookUrl: string | null;
  webhookRetries: WebhookRetries;
  ringTimeoutMs: number;
  timeLimitMs: number;
  detection: 'premium' | 'standard' | null;
  persona: Persona;
}

/** By event type: the pauses before each next attempt, in ms. Other events use the usual pauses. */
export type WebhookRetries = Readonly<Record<string, { retries_ms: readonly number[] }>>;

export type HangupSource = 'caller' | 'callee' | 'unknown';

const sipCauses: Readonly<Record<string, string>> = {
  user_busy: '486',
  no_answer: '480',
  timeout: '487',
  call_rejected: '603',
  not_found: '404',
  originator_cancel: '487',
  normal_clearing: '200',
};

const silence = new Int16Array(frameSamples);

/** One connection to a phone, from its first ring to its end, with the person at the other end. */
export class Leg {
  readonly id = randomUUID();
  readonly sessionId = randomUUID();
  readonly request: LegRequest;
  readonly random: Random;
  readonly faults: Faults;
  readonly media: LegMedia;
  readonly listener: LegListener;
  /** What the person says next. */
  readonly playout = new Playout();
  /** What the carrier itself plays to the person. */
  readonly carrierAudio: CarrierAudio;
  controlId = newControlId();
  clientState: string | null;
  webhookUrl: string | null;
  webhookRetries: WebhookRetries;
  state: 'ringing' | 'answered' | 'ended' = 'ringing';
  conference: Conference | null = null;
  /** Audio of the person in this frame; null = silence. */
  saidNow: Int16Array | null = null;
  isOnHold = false;
  readonly createdAt = Date.now();
  answeredAt: number | null = null;
  endedAt: number | null = null;
  #world: World;
  #person: PersonaRun;
  #lastLoudAt = 0;

  constructor(world: World, request: LegRequest, nth: number) {
    this.#world = world;
    this.request = request;
    this.clientState = request.clientState;
    this.webhookUrl = request.webhookUrl;
    this.webhookRetries = request.webhookRetries;
    this.faults = { ...world.settings.faults, ...request.persona.faults };
    this.random = randomOf(world.settings.seed, request.from, request.to, nth);
    this.media = new LegMedia(world, this);
    this.listener = new LegListener((heard) =>
      world.log.add('heard', { legId: this.id, ...heard, at: heard.endedAt }),
    );
    this.carrierAudio = new CarrierAudio((sound, status) =>
      this.sendEvent(`call.${sound.kind}.ended`, { ...sound.fields, status }),
    );
    this.#person = new PersonaRun(this, world.log);
  }

  get accountKey(): string {
    return this.request.accountKey;
  }

  /** The leg exists: sends its event and starts the person. */
  begin(): void {
    const { from, to, direction, persona } = this.request;
    this.#world.log.add('leg', {
      legId: this.id,
      state: 'ringing',
      direction,
      from,
      to,
      controlId: this.controlId,
      clientState: decoded(this.clientState),
      persona: persona.name,
    });
    this.sendEvent('call.initiated', {
      direction,
      state: direction === 'incoming' ? 'parked' : 'bridging',
      connection_codecs: 'PCMU,PCMA',
      offered_codecs: 'PCMU,PCMA',
      start_time: new Date(this.createdAt).toISOString(),
    });
    this.#person.begin();
  }

  /** 20 ms pass. */
  frame(at: number): void {
    const { ringTimeoutMs, timeLimitMs } = this.request;
    if (this.state === 'ringing' && at - this.createdAt > ringTimeoutMs)
      return this.end(
        this.request.direction === 'outgoing' ? 'timeout' : 'originator_cancel',
        this.request.direction === 'outgoing' ? 'unknown' : 'caller',
      );
    if (this.answeredAt !== null && at - this.answeredAt > timeLimitMs)
      return this.end('time_limit', 'unknown');
    if (this.state === 'answered') this.#exchange(at);
    this.#person.frame(at);
  }

  /** The person answers. */
  answer(): void {
    if (this.state !== 'ringing') return;
    this.state = 'answered';
    this.answeredAt = Date.now();
    if (this.faults.changesControlId === true) {
      const old = this.controlId;
      this.controlId = newControlId();
      this.#world.legs.rename(this, old);
    }
    this.#world.log.add('leg', { legId: this.id, state: 'answered', controlId: this.controlId });
    this.sendEvent('call.answered', {
      state: 'answered',
      codec: this.media.codec.encoding,
      sampling_rate: this.media.codec.sampleRate,
      start_time: new Date(this.createdAt).toISOString(),
    });
    this.media.answered();
  }

  end(cause: string, source: HangupSource): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.endedAt = Date.now();
    this.listener.end();
    this.carrierAudio.stop('all', 'call_hangup');
    this.media.end();
    this.conference?.leave(this);
    this.#world.legs.end(this);
    this.#world.log.add('leg', {
      legId: this.id,
      state: 'ended',
      cause,
      source,
      answered: this.answeredAt !== null,
    });
    this.sendEvent('call.hangup', {
      state: 'hangup',
      hangup_cause: cause,
      hangup_source: source,
      sip_hangup_cause:
        this.answeredAt === null && cause === 'normal_clearing' ? '487' : (sipCauses[cause] ?? '500'),
      start_time: new Date(this.createdAt).toISOString(),
    });
    this.#person.end();
  }

  /** Our side hangs up. */
  hangUp(): void {
    const isOutgoing = this.request.direction === 'outgoing';
    if (this.state === 'ringing')
      this.end(isOutgoing ? 'originator_cancel' : 'call_rejected', isOutgoing ? 'caller' : 'callee');
    else this.end('normal_clearing', isOutgoing ? 'caller' : 'callee');
  }

  /** The person hangs up. */
  hungUp(): void {
    const isOutgoing = this.request.direction === 'outgoing';
    if (this.state === 'ringing')
      this.end(isOutgoing ? 'call_rejected' : 'originator_cancel', isOutgoing ? 'callee' : 'caller');
    else this.end('normal_clearing', isOutgoing ? 'callee' : 'caller');
  }

  play(sound: CarrierSound): void {
    this.carrierAudio.add(sound);
    this.sendEvent(`call.${sound.kind}.started`, sound.fields);
  }

  stream(request: StreamRequest): void {
    this.media.attach(request);
  }

  /** Sends an event of this leg to its webhook. */
  sendEvent(eventType: string, fields: Record<string, unknown>): void {
    const { connectionId, from, to, accountKey } = this.request;
    const application = this.#world.accounts.of(accountKey).application(connectionId);
    const addresses = [
      this.webhookUrl ?? application?.webhook_event_url,
      application?.webhook_event_failover_url,
    ].flatMap((each) => (each === undefined || each === null || each === '' ? [] : [each]));
    const payload = {
      call_control_id: this.controlId,
      call_leg_id: this.id,
      call_session_id: this.sessionId,
      connection_id: connectionId,
      client_state: this.clientState,
      from,
      to,
      ...fields,
    };
    this.#world.webhooks.send({
      eventType,
      payload,
      legId: this.id,
      addresses,
      retriesMs: this.webhookRetries[eventType]?.retries_ms ?? null,
      subject: `${from} ${to}`,
      faults: this.faults.webhooks ?? {},
    });
  }

  #exchange(at: number): void {
    const heard = mixed([
      this.media.take(),
      this.carrierAudio.take(),
      this.conference?.heardBy(this) ?? null,
    ]);
    this.#note(heard, at);
    this.listener.hear(this.isOnHold ? silence : (heard ?? silence), at);
    this.saidNow = this.playout.take(frameSamples).samples;
    this.media.hear(this.isOnHold ? silence : (this.saidNow ?? silence));
  }

  /** Logs each start of sound after 200 ms of silence, for measurements. */
  #note(heard: Int16Array | null, at: number): void {
    if (heard === null || !isLoud(heard)) return;
    if (at - this.#lastLoudAt > 200)
      this.#world.log.add('sound_began', { legId: this.id, at, sinceAnswerMs: at - (this.answeredAt ?? at) });
    this.#lastLoudAt = at;
  }
}

function newControlId(): string {
  return `v3:${randomBytes(36).toString('base64url')}`;
}

function decoded(clientState: string | null): string | null {
  return clientState === null ? null : Buffer.from(clientState, 'base64').toString('utf8');
}

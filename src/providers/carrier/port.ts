import type { CarrierEvent, CarrierNews } from '../../domain/telephony/carrier-event.ts';
import type { Credentials } from '../../domain/telephony/credentials.ts';

/**
 * The telephone carrier as the rest of the service sees it: commands to legs, and its signed events.
 *
 * Invariants every adapter and fake keeps (test/providers/carrier holds them):
 *  - One attempt a command. The retry owner is the caller, who repeats it with the same `commandId`.
 *  - A command that fails throws CarrierError (src/domain/telephony/carrier-error.ts); its `outcome` says
 *    what that means.
 *    `unknown` means that the command may have happened.
 *  - A leg that is over is no failure where the command says `'over'`.
 *  - Numbers are E.164 with `+`. Client states are plain text here; the adapter encodes and decodes them.
 *  - A `commandId` makes a repeated command harmless for 60 s, no longer: an older dial is looked up with
 *    `findLeg` first.
 */
export interface CarrierPort {
  /** True when a stand-in answers; whoever shows it to a person says *simulated*. */
  readonly simulated: boolean;
  readonly provider: string;

  /** Rings somebody. Returns when the carrier has taken the command, long before anybody answers. */
  dial(request: DialRequest): Promise<DialedLeg>;
  /** Takes an inbound leg and attaches our media stream to it. */
  answer(request: AnswerRequest): Promise<LegResult>;
  /** Turns an inbound leg away before it is answered. */
  reject(request: RejectRequest): Promise<LegResult>;
  hangUp(request: LegCommand): Promise<LegResult>;

  /**
   * Attaches a stream to an answered leg that has none. `busy`: the old one is not gone yet (90045), ask
   * again soon.
   */
  startStreaming(request: StartStreamingRequest): Promise<'started' | 'busy' | 'over'>;
  /** `done` also when nothing was streaming. */
  stopStreaming(request: LegCommand): Promise<LegResult>;
  /** The carrier's own voice, up to 3,000 characters; needs no stream. */
  speak(request: SpeakRequest): Promise<LegResult>;
  /** The carrier plays audio to the leg; needs no stream. */
  startPlayback(request: PlaybackRequest): Promise<LegResult>;
  /** Stops everything that the carrier plays or speaks on the leg. */
  stopPlayback(request: LegCommand): Promise<LegResult>;
  sendDtmf(
    request: LegCommand & { /** `0-9 A-D * # w W`, w = half a second, W = one. */ digits: string },
  ): Promise<LegResult>;

  /**
   * Null when the carrier does not know the leg (any more: it forgets them about 10 minutes after the end).
   */
  status(callControlId: string): Promise<{ isAlive: boolean } | null>;
  /** The live leg that we dialed with exactly this client state; null when there is none. */
  findLeg(request: { connectionId: string; clientState: string }): Promise<DialedLeg | null>;

  /** Makes a conference of one answered leg. Names are unique among the account's live conferences. */
  createConference(request: CreateConferenceRequest): Promise<{ conferenceId: string }>;
  joinConference(request: JoinConferenceRequest): Promise<LegResult>;

  /** Whether the carrier takes the key. Throws only when it cannot be asked. */
  checkCredentials(): Promise<boolean>;
  /** The number in the carrier's account; null when the account does not own it. */
  findNumber(e164: string): Promise<CarrierNumber | null>;
  findApplication(connectionId: string): Promise<CarrierApplication | null>;
  createApplication(request: { name: string; webhookUrl: string }): Promise<CarrierApplication>;
  updateApplication(request: {
    connectionId: string;
    name: string;
    webhookUrl: string;
  }): Promise<CarrierApplication>;
}

/** `over`: the leg had already ended, or ended just then. */
export type LegResult = 'done' | 'over';

export interface LegCommand {
  callControlId: string;
  /** Ours, stable over repetitions of one step. */
  commandId: string;
}

/**
 * Where the carrier opens its media socket: PCMU or PCMA at 8 kHz towards us as its `start` says, PCMU at 8
 * kHz from us.
 */
export interface StreamTarget {
  /** `wss://` (or `ws://`), with the token of this stream in its path. */
  url: string;
}

export interface DialRequest {
  /** The carrier's id of its application, which says where events go when nothing else does. */
  connectionId: string;
  from: string;
  to: string;
  /** Our own reference to the leg; comes back in every event. */
  clientState: string;
  commandId: string;
  /** Null dials without media: a leg that will be joined to another one. */
  stream: StreamTarget | null;
  webhookUrl: string;
  /** 5-600. */
  ringTimeoutSeconds: number;
  /** 60-14400: the carrier ends the leg then, whatever we do. */
  timeLimitSeconds: number;
  answeringMachineDetection: 'premium' | 'disabled';
  /** Silence is sent while nothing is said, so that the line does not look dead. */
  sendSilenceWhenIdle: boolean;
}

/** Its control id may change later: events carry the newest one. `legId` and `sessionId` stay. */
export interface DialedLeg {
  callControlId: string;
  legId: string;
  sessionId: string;
}

export interface AnswerRequest extends LegCommand {
  clientState: string;
  stream: StreamTarget;
  webhookUrl: string;
  sendSilenceWhenIdle: boolean;
}

export interface RejectRequest extends LegCommand {
  cause: 'rejected' | 'busy';
}

export interface StartStreamingRequest extends LegCommand {
  clientState: string;
  stream: StreamTarget;
}

export interface SpeakRequest extends LegCommand {
  text: string;
  /** The carrier's name of the voice; the adapter's own when absent. */
  voice?: string;
}

export interface PlaybackRequest extends LegCommand {
  audio:
    | { kind: 'content'; /** Base64 of the whole file. */ base64: string; type: 'wav' | 'mp3' }
    | { kind: 'url'; url: string };
  /** Until it is stopped, for hold music. */
  isEndless: boolean;
}

export interface CreateConferenceRequest extends LegCommand {
  name: string;
}

export interface JoinConferenceRequest extends LegCommand {
  conferenceId: string;
  /** The conference ends, and everybody in it is hung up, when this leg leaves. */
  endsConference: boolean;
}

export interface CarrierNumber {
  e164: string;
  /** The application that its inbound calls go to; null when none. */
  connectionId: string | null;
}

export interface CarrierApplication {
  connectionId: string;
  name: string;
  webhookUrl: string;
  isActive: boolean;
  /** Without one the account cannot dial out (D38). */
  hasOutboundProfile: boolean;
}

/** An account at a carrier: the provider of a connection and its credentials in clear. */
export interface CarrierAccount {
  provider: string;
  credentials: Credentials;
}

/** The account of a connection at its carrier. Clients are kept, and bounded; making one sends nothing. */
export type Carriers = (account: CarrierAccount) => CarrierPort;

/** A request that claims to come from the carrier. */
export interface SignedWebhook {
  /** The body, byte for byte as it came. */
  raw: Uint8Array;
  /** Names in lower case, as Node gives them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the connection that the request is about. */
  credentials: Credentials;
  now: Date;
}

/** Why a webhook is not to be believed; null when it is. */
export type WebhookFlaw = 'no_key' | 'no_signature' | 'stale' | 'bad_key' | 'forged';

/** Judges signature and age. Never throws. */
export type VerifyWebhook = (webhook: SignedWebhook) => WebhookFlaw | null;

/**
 * What the body of a believed webhook says. What is about people (`from`, `to`) stays with the stored event;
 * the rest makes a CarrierEvent once it is known which call and which leg `clientState` and the address of
 * the webhook speak of.
 */
export interface CarrierMessage extends Omit<CarrierEvent, 'role' | 'what'> {
  /** The carrier's word with dots, such as `call.answered`. */
  eventType: string;
  /** As dialed, or as a later command replaced it: the newest one comes with every event. */
  clientState: string | null;
  connectionId: string | null;
  direction: 'inbound' | 'outbound' | null;
  from: string | null;
  to: string | null;
  /** Of `streaming.*`: which stream is meant, whatever the client state says by now. */
  streamUrl: string | null;
  /**
   * Null: nothing that a call acts on. The generation of a stream is what `generationOf` makes of its
   * address.
   */
  what: CarrierNews | null;
}

/** Reads loosely: unknown fields and event types pass. Null: no event at all. Never throws. */
export type ReadCarrierMessage = (
  raw: Uint8Array,
  generationOf?: (streamUrl: string) => number | null,
) => CarrierMessage | null;

/** What a carrier sends us. */
export interface CarrierWebhook {
  verify: VerifyWebhook;
  read: ReadCarrierMessage;
}

/** By provider. */
export type CarrierWebhooks = ReadonlyMap<string, CarrierWebhook>;

/** Everything that the service needs of one carrier; registry.ts lists them. */
export interface CarrierAdapter {
  /** `baseUrl`: a stand-in answers there, so that its calls are simulated; undefined = the carrier itself. */
  accounts: (options: { baseUrl: string | undefined }) => (credentials: Credentials) => CarrierPort;
  webhooks: CarrierWebhook;
}

import type { CarrierEvent, CarrierNews } from '../../domain/telephony/carrier-event.ts';
import type { Credentials } from '../../domain/telephony/credentials.ts';

/**
 * The phone carrier as the rest of the service sees it: commands to legs, and its signed events.
 *
 * Invariants of every adapter and fake (test/providers/carrier checks them):
 *  - One attempt per command. The caller owns retries and repeats a command with the same `commandId`.
 *  - A failed command throws CarrierError (src/domain/telephony/carrier-error.ts), whose `outcome` says what
 *    the failure means. `unknown` means that the command may have been carried out.
 *  - A leg that is over is not a failure for commands that can answer `'over'`.
 *  - Numbers are E.164 with `+`. Client states are plain text here; the adapter encodes and decodes them.
 *  - A `commandId` makes a repeated command harmless for only 60 s: look an older dial up with `findLeg`
 *    first.
 */
export interface CarrierPort {
  /** True if an emulator answers; what people see of its calls says *simulated*. */
  readonly simulated: boolean;
  readonly provider: string;

  /** Dials. Returns once the carrier has taken the command, long before the callee answers. */
  dial(request: DialRequest): Promise<DialedLeg>;
  /** Answers an inbound leg and attaches our media stream to it. */
  answer(request: AnswerRequest): Promise<LegResult>;
  /** Rejects an inbound leg before it is answered. */
  reject(request: RejectRequest): Promise<LegResult>;
  hangUp(request: LegCommand): Promise<LegResult>;

  /**
   * Attaches a stream to an answered leg without one. `busy`: the old stream has not ended yet (90045); try
   * again soon.
   */
  startStreaming(request: StartStreamingRequest): Promise<'started' | 'busy' | 'over'>;
  /** Answers `done` even if nothing was streaming. */
  stopStreaming(request: LegCommand): Promise<LegResult>;
  /** Speaks up to 3,000 characters with the carrier's own voice; needs no stream. */
  speak(request: SpeakRequest): Promise<LegResult>;
  /** Plays audio to the leg; needs no stream. */
  startPlayback(request: PlaybackRequest): Promise<LegResult>;
  /** Stops everything that the carrier plays or speaks to the leg. */
  stopPlayback(request: LegCommand): Promise<LegResult>;
  sendDtmf(
    request: LegCommand & {
      /** `0-9 A-D * # w W`; `w` pauses for half a second, `W` for one. */
      digits: string;
    },
  ): Promise<LegResult>;

  /** Null if the carrier does not know the leg. It forgets legs about 10 minutes after their end. */
  status(callControlId: string): Promise<LegStatus | null>;
  /** The live leg that we dialed with exactly this client state; null if there is none. */
  findLeg(request: { connectionId: string; clientState: string }): Promise<DialedLeg | null>;

  /** Creates a conference from an answered leg. Names are unique among the account's live conferences. */
  createConference(request: CreateConferenceRequest): Promise<{ conferenceId: string }>;
  joinConference(request: JoinConferenceRequest): Promise<LegResult>;

  /** Whether the carrier accepts the key. Throws only if the carrier cannot be asked. */
  checkCredentials(): Promise<boolean>;
  /** The number in the carrier's account; null if the account does not own it. */
  findNumber(e164: string): Promise<CarrierNumber | null>;
  findApplication(connectionId: string): Promise<CarrierApplication | null>;
  createApplication(request: { name: string; webhookUrl: string }): Promise<CarrierApplication>;
  updateApplication(request: {
    connectionId: string;
    name: string;
    webhookUrl: string;
  }): Promise<CarrierApplication>;
}

export interface LegStatus {
  isAlive: boolean;
  /** When it ended, ISO 8601, by the carrier's clock; absent if it is live or the carrier does not say. */
  endedAt?: string;
}

/** `over`: the leg had already ended, or ended during the command. */
export type LegResult = 'done' | 'over';

export interface LegCommand {
  callControlId: string;
  /** Our id of the command, the same when it is repeated. */
  commandId: string;
}

/**
 * Where the carrier opens its media socket. It sends PCMU or PCMA at 8 kHz, as its `start` says; we send PCMU
 * at 8 kHz.
 */
export interface StreamTarget {
  /** `wss://` (or `ws://`), with the token of this stream in its path. */
  url: string;
}

export interface DialRequest {
  /** The carrier's id of its application, which defines the default address of events. */
  connectionId: string;
  from: string;
  to: string;
  /** Our own reference to the leg; every event returns it. */
  clientState: string;
  commandId: string;
  /** Null for a leg without media, which will be joined to another one. */
  stream: StreamTarget | null;
  webhookUrl: string;
  /** 5-600. */
  ringTimeoutSeconds: number;
  /** 60-14400: after this time the carrier ends the leg in any case. */
  timeLimitSeconds: number;
  answeringMachineDetection: 'premium' | 'disabled';
  /** Sends silence while the agent does not speak, so that the call does not seem dead. */
  sendSilenceWhenIdle: boolean;
}

/** A dialed leg. Its control id may change later, and events contain the newest one. The other ids stay. */
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
  /** Plays until it is stopped, for hold music. */
  isEndless: boolean;
}

export interface CreateConferenceRequest extends LegCommand {
  name: string;
}

export interface JoinConferenceRequest extends LegCommand {
  conferenceId: string;
  /** Ends the conference, and hangs up all its legs, when this leg leaves. */
  endsConference: boolean;
}

export interface CarrierNumber {
  e164: string;
  /** The application of its inbound calls; null if it has none. */
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

/**
 * Opens the account of a connection at its carrier. Clients are cached up to a maximum; opening sends
 * nothing.
 */
export type Carriers = (account: CarrierAccount) => CarrierPort;

/** A request that claims to come from the carrier. */
export interface SignedWebhook {
  /** The body as received, byte for byte. */
  raw: Uint8Array;
  /** Names in lower case, as Node provides them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The credentials of the request's connection. */
  credentials: Credentials;
  now: Date;
}

/** Why a webhook could not be verified. */
export type WebhookFlaw = 'no_key' | 'no_signature' | 'stale' | 'bad_key' | 'forged';

/** Checks signature and age; null if both are valid. Never throws. */
export type VerifyWebhook = (webhook: SignedWebhook) => WebhookFlaw | null;

/**
 * The content of a verified webhook. Personal data (`from`, `to`) stays with the stored event. The rest
 * becomes a CarrierEvent once `clientState` and the URL of the webhook have identified the call and the leg.
 */
export interface CarrierMessage extends Omit<CarrierEvent, 'role' | 'what'> {
  /** The carrier's word with dots, such as `call.answered`. */
  eventType: string;
  /** The newest client state, from the dial or a later command. */
  clientState: string | null;
  connectionId: string | null;
  direction: 'inbound' | 'outbound' | null;
  from: string | null;
  to: string | null;
  /** For `streaming.*`: the stream that is meant, even if the client state is newer. */
  streamUrl: string | null;
  /**
   * Null if no call acts on it. `generationOf` reads the generation of a stream from its URL.
   */
  what: CarrierNews | null;
}

/** Reads a webhook and accepts unknown fields and event types. Null if it is not an event. Never throws. */
export type ReadCarrierMessage = (
  raw: Uint8Array,
  generationOf?: (streamUrl: string) => number | null,
) => CarrierMessage | null;

/** Verifies and reads the webhooks of a carrier. */
export interface CarrierWebhook {
  verify: VerifyWebhook;
  read: ReadCarrierMessage;
}

/** By provider. */
export type CarrierWebhooks = ReadonlyMap<string, CarrierWebhook>;

/** Everything that the service needs of one carrier; registry.ts lists them. */
export interface CarrierAdapter {
  /** `baseUrl`: the URL of an emulator, whose calls are simulated; undefined for the carrier itself. */
  accounts: (options: { baseUrl: string | undefined }) => (credentials: Credentials) => CarrierPort;
  webhooks: CarrierWebhook;
}

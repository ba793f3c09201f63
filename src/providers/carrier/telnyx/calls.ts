import type { CallDialParams } from 'telnyx/resources/calls/calls';
import { z } from 'zod';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import { encodeClientState } from './client-state.ts';
import { ControlId, LegId } from './fields.ts';
import { errorsInSuccess, unreadableAnswer } from './failures.ts';
import type {
  CarrierPort,
  DialedLeg,
  DialRequest,
  LegResult,
  PlaybackRequest,
  StreamTarget,
} from '../port.ts';
import { createSend, type Send } from './send.ts';
import { telnyxAccount } from './account.ts';
import { findLeg, legStatus } from './legs.ts';

export interface TelnyxOptions {
  /** Absent for the carrier itself. */
  baseUrl?: string | undefined;
  /** True if an emulator answers at `baseUrl`. */
  simulated: boolean;
  /** Timeout of one command, including its answer. */
  timeoutMs?: number;
}

/** Commands take tens of milliseconds; after seconds the caller looks for the outcome instead of waiting. */
const defaultTimeoutMs = 4_000;

/**
 * When the carrier retries an event that it could not deliver, in ms (its limits are five retries and 60 s in
 * total). Its default is seconds, and a call without its answer and its end would only get the retry class
 * `provider`. So these two events are retried until an API has had time to restart.
 */
// guarantee: answer-and-hangup-retried-50-s
const noticePolicies: NonNullable<CallDialParams['webhook_retries_policies']> = Object.fromEntries(
  ['call.answered', 'call.hangup'].map((eventType) => [
    eventType,
    { retries_ms: [1_000, 3_000, 8_000, 13_000, 25_000] },
  ]),
);

/**
 * Maximum number of cached clients. They share connections and are small; an organization usually has one.
 */
const maxClients = 500;

/** CarrierPort over Telnyx Call Control, with a cache of one client per key (least recently used). */
export function createTelnyxAccounts(options: TelnyxOptions): (apiKey: string) => CarrierPort {
  const cache = new Map<string, CarrierPort>();
  return (apiKey) => {
    const carrier = cache.get(apiKey) ?? createTelnyxCarrier(apiKey, options);
    cache.delete(apiKey);
    cache.set(apiKey, carrier);
    const [oldest] = cache.keys();
    if (cache.size > maxClients && oldest !== undefined) cache.delete(oldest);
    return carrier;
  };
}

function createTelnyxCarrier(
  apiKey: string,
  { baseUrl, simulated, timeoutMs = defaultTimeoutMs }: TelnyxOptions,
): CarrierPort {
  const send = createSend({ apiKey, baseUrl, timeoutMs });
  return {
    simulated,
    provider: 'telnyx',
    ...legCommands(send),
    ...conferenceCommands(send),
    ...telnyxAccount(send),
  };
}

type LegPart = Pick<
  CarrierPort,
  | 'dial'
  | 'answer'
  | 'reject'
  | 'hangUp'
  | 'startStreaming'
  | 'stopStreaming'
  | 'speak'
  | 'startPlayback'
  | 'stopPlayback'
  | 'sendDtmf'
  | 'status'
  | 'findLeg'
>;

function legCommands(send: Send): LegPart {
  const toLeg = (request: Parameters<Send>[0]) => unlessOver(send(request, { isLeg: true }));
  return {
    dial: (request) => dial(send, request),
    answer: ({ callControlId, commandId, clientState, stream, webhookUrl, sendSilenceWhenIdle }) => {
      // Unlike `dial`, `answer` has no field for the sampling rate; PCMU is 8 kHz anyway.
      const { stream_bidirectional_sampling_rate: _, ...streamed } = streamFields(stream);
      const body = {
        command_id: commandId,
        client_state: encodeClientState(clientState),
        ...streamed,
        webhook_url: webhookUrl,
        webhook_url_method: 'POST' as const,
        webhook_retries_policies: noticePolicies,
        send_silence_when_idle: sendSilenceWhenIdle,
      };
      return toLeg((client, options) => client.calls.actions.answer(callControlId, body, options));
    },
    reject: ({ callControlId, commandId, cause }) =>
      toLeg((client, options) =>
        client.calls.actions.reject(
          callControlId,
          { cause: cause === 'busy' ? 'USER_BUSY' : 'CALL_REJECTED', command_id: commandId },
          options,
        ),
      ),
    hangUp: ({ callControlId, commandId }) =>
      toLeg((client, options) =>
        client.calls.actions.hangup(callControlId, { command_id: commandId }, options),
      ),
    startStreaming: async ({ callControlId, commandId, clientState, stream }) => {
      const body = {
        command_id: commandId,
        client_state: encodeClientState(clientState),
        ...streamFields(stream),
      };
      return await readStart(
        toLeg((client, options) => client.calls.actions.startStreaming(callControlId, body, options)),
      );
    },
    stopStreaming: async ({ callControlId, commandId }) =>
      await unlessNotStreaming(
        toLeg((client, options) =>
          client.calls.actions.stopStreaming(callControlId, { command_id: commandId }, options),
        ),
      ),
    speak: ({ callControlId, commandId, text, voice = 'AWS.Polly.Joanna-Neural' }) =>
      toLeg((client, options) =>
        client.calls.actions.speak(callControlId, { payload: text, voice, command_id: commandId }, options),
      ),
    startPlayback: (request) =>
      toLeg((client, options) =>
        client.calls.actions.startPlayback(request.callControlId, playbackFields(request), options),
      ),
    stopPlayback: ({ callControlId, commandId }) =>
      toLeg((client, options) =>
        client.calls.actions.stopPlayback(callControlId, { stop: 'all', command_id: commandId }, options),
      ),
    sendDtmf: ({ callControlId, commandId, digits }) =>
      toLeg((client, options) =>
        client.calls.actions.sendDtmf(callControlId, { digits, command_id: commandId }, options),
      ),
    status: (callControlId) => legStatus(send, callControlId),
    findLeg: (request) => findLeg(send, request),
  };
}

const DialAnswer = z.object({
  data: z.object({
    call_control_id: ControlId,
    call_leg_id: LegId,
    call_session_id: LegId,
  }),
});

async function dial(send: Send, request: DialRequest): Promise<DialedLeg> {
  const body: CallDialParams = {
    connection_id: request.connectionId,
    from: request.from,
    to: request.to,
    client_state: encodeClientState(request.clientState),
    command_id: request.commandId,
    webhook_url: request.webhookUrl,
    webhook_url_method: 'POST',
    webhook_retries_policies: noticePolicies,
    timeout_secs: request.ringTimeoutSeconds,
    time_limit_secs: request.timeLimitSeconds,
    answering_machine_detection: request.answeringMachineDetection,
    ...(request.stream === null
      ? {}
      : { ...streamFields(request.stream), send_silence_when_idle: request.sendSilenceWhenIdle }),
  };
  const answer: unknown = await send((client, options) => client.calls.dial(body, options));
  const refusal = errorsInSuccess(answer);
  if (refusal !== null) throw refusal;
  const parsed = DialAnswer.safeParse(answer);
  if (!parsed.success) throw unreadableAnswer();
  const { call_control_id: callControlId, call_leg_id: legId, call_session_id: sessionId } = parsed.data.data;
  return { callControlId, legId, sessionId };
}

/** The stream brings only the caller's voice, and takes our plain PCMU frames (contract 12.4). */
function streamFields({ url }: StreamTarget) {
  return {
    stream_url: url,
    stream_track: 'inbound_track',
    stream_bidirectional_mode: 'rtp',
    stream_bidirectional_codec: 'PCMU',
    stream_bidirectional_sampling_rate: 8000,
  } as const;
}

function playbackFields({ audio, isEndless, commandId }: PlaybackRequest) {
  const source =
    audio.kind === 'url'
      ? { audio_url: audio.url }
      : { playback_content: audio.base64, audio_type: audio.type };
  return { ...source, command_id: commandId, ...(isEndless ? { loop: 'infinity' } : {}) };
}

type ConferencePart = Pick<CarrierPort, 'createConference' | 'joinConference'>;

const ConferenceAnswer = z.object({ data: z.object({ id: ControlId }) });

function conferenceCommands(send: Send): ConferencePart {
  return {
    createConference: async ({ callControlId, commandId, name }) => {
      const answer = await send(
        (client, options) =>
          client.conferences.create(
            {
              call_control_id: callControlId,
              name,
              command_id: commandId,
              start_conference_on_create: true,
              beep_enabled: 'never',
            },
            options,
          ),
        { isLeg: true },
      );
      const parsed = ConferenceAnswer.safeParse(answer);
      if (!parsed.success) throw unreadableAnswer();
      return { conferenceId: parsed.data.data.id };
    },
    joinConference: ({ conferenceId, callControlId, commandId, endsConference }) =>
      unlessOver(
        send(
          (client, options) =>
            client.conferences.actions.join(
              conferenceId,
              {
                call_control_id: callControlId,
                command_id: commandId,
                end_conference_on_exit: endsConference,
                beep_enabled: 'never',
              },
              options,
            ),
          { isLeg: true },
        ),
      ),
  };
}

/** Answers `over` for 90018, which means that the leg has ended. */
async function unlessOver(command: Promise<unknown>): Promise<LegResult> {
  try {
    await command;
    return 'done';
  } catch (error) {
    if (error instanceof CarrierError && error.outcome === 'ended') return 'over';
    throw error;
  }
}

async function readStart(command: Promise<LegResult>): Promise<'started' | 'busy' | 'over'> {
  try {
    return (await command) === 'over' ? 'over' : 'started';
  } catch (error) {
    if (error instanceof CarrierError && error.outcome === 'stream_busy') return 'busy';
    throw error;
  }
}

async function unlessNotStreaming(command: Promise<LegResult>): Promise<LegResult> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof CarrierError && error.outcome === 'not_streaming') return 'done';
    throw error;
  }
}

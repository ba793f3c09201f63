import type { z } from 'zod';
import { resample } from '../../src/domain/audio/resample.ts';
import { readWav, toMono } from '../../src/domain/audio/wav.ts';
import {
  AnswerBody,
  ConferenceBody,
  HangupBody,
  JoinBody,
  PlaybackStartBody,
  PlaybackStopBody,
  RejectBody,
  SendDtmfBody,
  SpeakBody,
  StreamingStartBody,
  StreamingStopBody,
  readBody,
} from './bodies.ts';
import type { Leg } from './leg.ts';
import { Problem } from './problems.ts';
import { spoken } from './sounds.ts';
import type { World } from './world.ts';

type LegAction =
  | 'answer'
  | 'reject'
  | 'hangup'
  | 'streaming_start'
  | 'streaming_stop'
  | 'speak'
  | 'playback_start'
  | 'playback_stop'
  | 'send_dtmf';

/** Checks body and state before the action, so that a refused command has no effect. */
function action<Body extends { client_state?: string | undefined }>(
  schema: z.ZodType<Body>,
  run: (leg: Leg, body: Body, world: World) => void,
) {
  return (leg: Leg, rawBody: unknown, world: World): void => {
    const body = readBody(schema, rawBody);
    run(leg, body, world);
    if (body.client_state !== undefined) leg.clientState = body.client_state;
  };
}

function answered(leg: Leg): Leg {
  if (leg.state === 'ringing') throw new Problem('90034');
  return leg;
}

function incoming(leg: Leg): Leg {
  if (leg.request.direction !== 'incoming' || leg.state !== 'ringing')
    throw new Problem('10015', { detail: 'Only a ringing incoming call can be answered or rejected' });
  return leg;
}

export const legActions: Record<LegAction, (leg: Leg, body: unknown, world: World) => void> = {
  answer: action(AnswerBody, (leg, body) => {
    incoming(leg);
    // The answer's events already contain the new state and go to the new address.
    if (body.client_state !== undefined) leg.clientState = body.client_state;
    if (body.webhook_url !== undefined) leg.webhookUrl = body.webhook_url;
    if (body.webhook_retries_policies !== undefined) leg.webhookRetries = body.webhook_retries_policies;
    if (body.stream_url !== undefined)
      leg.stream({
        url: body.stream_url,
        hostCodec: body.stream_bidirectional_codec ?? 'PCMU',
        customParameters: {},
      });
    leg.answer();
  }),
  reject: action(RejectBody, (leg, { cause }) =>
    incoming(leg).end(cause === 'USER_BUSY' ? 'user_busy' : 'call_rejected', 'callee'),
  ),
  hangup: action(HangupBody, (leg) => leg.hangUp()),
  streaming_start: action(StreamingStartBody, (leg, body) => {
    const customParameters = Object.fromEntries(
      (body.custom_parameters ?? []).map(({ name, value }) => [name, value]),
    );
    answered(leg).media.mustBeFree();
    // The `start` of the new stream already contains the new state.
    if (body.client_state !== undefined) leg.clientState = body.client_state;
    leg.stream({
      url: body.stream_url,
      hostCodec: body.stream_bidirectional_codec ?? 'PCMU',
      customParameters,
    });
  }),
  streaming_stop: action(StreamingStopBody, (leg) => answered(leg).media.stop()),
  speak: action(SpeakBody, (leg, { payload, loop, stop }) => {
    if (stop !== undefined) leg.carrierAudio.stop(stop, 'cancelled');
    answered(leg).play({
      kind: 'speak',
      samples: spoken(payload),
      isEndless: loop === 'infinity',
      fields: {},
    });
  }),
  playback_start: action(PlaybackStartBody, (leg, body) => {
    answered(leg);
    if (body.stop !== undefined) leg.carrierAudio.stop(body.stop, 'cancelled');
    const isEndless = body.loop === 'infinity';
    const { audio_url: url } = body;
    if (url !== undefined)
      void fetchSound(url).then((samples) =>
        playFile(leg, samples, { isEndless, fields: { media_url: url } }),
      );
    else
      playFile(leg, readSound(Buffer.from(body.playback_content ?? '', 'base64')), { isEndless, fields: {} });
  }),
  playback_stop: action(PlaybackStopBody, (leg, { stop = 'current' }) =>
    answered(leg).carrierAudio.stop(stop, 'cancelled'),
  ),
  send_dtmf: action(SendDtmfBody, (leg, { digits }, { log }) =>
    log.add('dtmf_heard', { legId: answered(leg).id, digits }),
  ),
};

export function isLegAction(name: string): name is LegAction {
  return Object.hasOwn(legActions, name);
}

function playFile(
  leg: Leg,
  samples: Int16Array | null,
  { isEndless, fields }: { isEndless: boolean; fields: Record<string, unknown> },
): void {
  if (leg.state === 'ended') return;
  if (samples !== null)
    return leg.play({ kind: 'playback', samples, isEndless, fields: { overlay: false, ...fields } });
  leg.sendEvent('call.playback.started', { overlay: false, ...fields });
  leg.sendEvent('call.playback.ended', {
    overlay: false,
    ...fields,
    status: 'failed',
    status_detail: 'the emulator plays WAV only',
  });
}

/** The audio of a WAV file at the quality of a phone call; null for any other file. */
function readSound(file: Buffer): Int16Array | null {
  const audio = readWav(file);
  return audio === null ? null : resample(toMono(audio), { from: audio.sampleRate, to: 8000 });
}

async function fetchSound(url: string): Promise<Int16Array | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? readSound(Buffer.from(await response.arrayBuffer())) : null;
  } catch {
    return null;
  }
}

export function createConference(
  { legs, conferences }: World,
  accountKey: string,
  rawBody: unknown,
): Record<string, unknown> {
  const body = readBody(ConferenceBody, rawBody);
  const leg = answered(legs.commanded(body.call_control_id, accountKey));
  const conference = conferences.create(leg, body.name);
  if (body.client_state !== undefined) leg.clientState = body.client_state;
  conference.join(leg, false);
  const now = new Date().toISOString();
  return {
    data: {
      record_type: 'conference',
      id: conference.id,
      name: conference.name,
      status: 'in_progress',
      created_at: now,
      updated_at: now,
      expires_at: now,
    },
  };
}

export function joinConference(
  { legs, conferences }: World,
  accountKey: string,
  { conferenceId, body: rawBody }: { conferenceId: string; body: unknown },
): void {
  const body = readBody(JoinBody, rawBody);
  const conference = conferences.find(conferenceId, accountKey);
  const leg = answered(legs.commanded(body.call_control_id, accountKey));
  if (leg.conference !== null) throw new Problem('10015', { detail: 'The call is already in a conference' });
  if (body.client_state !== undefined) leg.clientState = body.client_state;
  conference.join(leg, body.end_conference_on_exit ?? false);
}

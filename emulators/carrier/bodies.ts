import { z } from 'zod';
import { Problem, type ProblemCode } from './problems.ts';

/**
 * The fields of the carrier's API that the emulator supports. Any other field is refused, even if the real
 * carrier has it.
 */
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);
const url = z.url({ protocol: /^https?$/ }).max(2_000);
const streamUrl = z.url({ protocol: /^wss?$/ }).max(2_000);

const command = { client_state: base64.optional(), command_id: z.string().min(1).max(255).optional() };

const stream = {
  stream_url: streamUrl.optional(),
  stream_track: z.literal('inbound_track').optional(),
  stream_bidirectional_mode: z.literal('rtp').optional(),
  stream_bidirectional_codec: z.enum(['PCMU', 'PCMA']).optional(),
};
const samplingRate = { stream_bidirectional_sampling_rate: z.literal(8000).optional() };

const maxRetriesMs = 60_000;
const retriesMs = z
  .array(z.number().int().min(0))
  .max(5)
  .refine(
    (each) => each.reduce((sum, ms) => sum + ms, 0) <= maxRetriesMs,
    `at most ${maxRetriesMs} ms together`,
  );
const webhook = {
  webhook_url: url.optional(),
  webhook_url_method: z.enum(['POST']).optional(),
  webhook_retries_policies: z.record(z.string(), z.strictObject({ retries_ms: retriesMs })).optional(),
};

export const DialBody = z.strictObject({
  connection_id: z.string().min(1),
  from: e164,
  to: z.union([e164, z.string().regex(/^sip:\S+@\S+$/)]),
  ...command,
  ...stream,
  ...samplingRate,
  ...webhook,
  timeout_secs: z.number().int().min(5).max(600).default(30),
  time_limit_secs: z.number().int().min(60).max(14_400).default(14_400),
  answering_machine_detection: z
    .enum(['premium', 'detect', 'detect_beep', 'detect_words', 'greeting_end', 'disabled'])
    .default('disabled'),
  send_silence_when_idle: z.boolean().optional(),
  link_to: z.string().optional(),
});

/** Unlike `dial`, without a sampling rate and a time limit. */
export const AnswerBody = z.strictObject({
  ...command,
  ...stream,
  ...webhook,
  send_silence_when_idle: z.boolean().optional(),
});

export const RejectBody = z.strictObject({ ...command, cause: z.enum(['CALL_REJECTED', 'USER_BUSY']) });
export const HangupBody = z.strictObject(command);

export const StreamingStartBody = z.strictObject({
  ...command,
  ...stream,
  ...samplingRate,
  stream_url: streamUrl,
  custom_parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
});
export const StreamingStopBody = z.strictObject({ ...command, stream_id: z.string().optional() });

const loop = z.union([z.literal('infinity'), z.number().int().min(1).max(100)]).optional();

export const SpeakBody = z.strictObject({
  ...command,
  payload: z.string().min(1).max(3_000),
  voice: z.string().min(1),
  payload_type: z.enum(['text']).optional(),
  language: z.string().optional(),
  loop,
  stop: z.enum(['current', 'all']).optional(),
});

export const PlaybackStartBody = z
  .strictObject({
    ...command,
    audio_url: url.optional(),
    playback_content: base64.optional(),
    audio_type: z.enum(['wav', 'mp3']).optional(),
    loop,
    stop: z.enum(['current', 'all']).optional(),
  })
  .refine(
    (body) => (body.audio_url === undefined) !== (body.playback_content === undefined),
    'one of audio_url and playback_content',
  );

export const PlaybackStopBody = z.strictObject({ ...command, stop: z.enum(['current', 'all']).optional() });
export const SendDtmfBody = z.strictObject({
  ...command,
  digits: z.string().regex(/^[0-9A-D*#wW]+$/),
  duration_millis: z.number().int().min(100).max(500).optional(),
});

export const ConferenceBody = z.strictObject({
  ...command,
  call_control_id: z.string(),
  name: z.string().min(1),
  start_conference_on_create: z.boolean().optional(),
  beep_enabled: z.enum(['always', 'never', 'on_enter', 'on_exit']).optional(),
});
export const JoinBody = z.strictObject({
  ...command,
  call_control_id: z.string(),
  end_conference_on_exit: z.boolean().optional(),
  beep_enabled: z.enum(['always', 'never', 'on_enter', 'on_exit']).optional(),
});

const application = {
  application_name: z.string().min(1),
  webhook_event_url: url,
  webhook_event_failover_url: url.nullable().optional(),
  webhook_api_version: z.enum(['1', '2']).optional(),
  active: z.boolean().optional(),
  outbound: z
    .strictObject({
      outbound_voice_profile_id: z.string().nullable().optional(),
      channel_limit: z.number().int().nullable().optional(),
    })
    .optional(),
};
export const ApplicationBody = z.strictObject(application);

/** Fields whose errors have a code of their own. */
const codeByField: Readonly<Record<string, ProblemCode>> = {
  client_state: '90017',
  time_limit_secs: '90029',
  from: '10016',
  to: '10016',
};

/** The body, or the carrier's refusal of it. */
export function readBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? '');
  const isMissing =
    field !== '' && typeof body === 'object' && body !== null && Reflect.get(body, field) === undefined;
  throw new Problem(isMissing ? '10004' : (codeByField[field] ?? '10015'), {
    detail: `${field === '' ? 'The body' : field}: ${issue?.message ?? 'not accepted'}`,
    pointer: `/${field}`,
  });
}

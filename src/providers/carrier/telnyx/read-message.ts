import { z } from 'zod';
import type { CarrierNews } from '../../../domain/telephony/carrier-event.ts';
import { decodeClientState } from './client-state.ts';
import type { CarrierMessage, ReadCarrierMessage } from '../port.ts';
import { causeOf, resultOf } from './words.ts';

const text = z.string().nullish().catch(null);

const Payload = z.looseObject({
  call_control_id: z.string().min(1),
  call_leg_id: text,
  call_session_id: text,
  client_state: text,
  connection_id: z.coerce.string().nullish().catch(null),
  direction: text,
  from: text,
  to: text,
  hangup_cause: text,
  hangup_source: text,
  result: text,
  digit: text,
  stream_url: text,
  stream_params: z.looseObject({ stream_url: text }).nullish().catch(null),
  failure_reason: text,
});

type Payload = z.infer<typeof Payload>;

const Envelope = z.looseObject({
  data: z.looseObject({
    event_type: z.string().min(1),
    id: z.string().min(1),
    occurred_at: z.string().min(1),
    payload: Payload,
  }),
});

/**
 * Reads one event of Telnyx. Event types may contain dots or underscores, and fields may be missing or
 * undocumented.
 */
export const readCarrierMessage: ReadCarrierMessage = (raw, generationOf = () => null) => {
  const envelope = Envelope.safeParse(parse(raw));
  if (!envelope.success) return null;
  const { event_type: type, id, occurred_at: occurredAt, payload } = envelope.data.data;
  const at = new Date(occurredAt);
  if (Number.isNaN(at.getTime())) return null;
  const eventType = type.replaceAll('_', '.');
  const streamUrl = eventType.startsWith('streaming.')
    ? (payload.stream_url ?? payload.stream_params?.stream_url ?? null)
    : null;
  return {
    eventId: id,
    eventType,
    occurredAt: at.toISOString(),
    leg: {
      callControlId: payload.call_control_id,
      legId: payload.call_leg_id ?? null,
      sessionId: payload.call_session_id ?? null,
    },
    clientState: decodeClientState(payload.client_state),
    connectionId: payload.connection_id ?? null,
    direction: directionOf(payload.direction),
    from: payload.from ?? null,
    to: payload.to ?? null,
    streamUrl,
    what: newsOf(eventType, payload, streamUrl === null ? null : generationOf(streamUrl)),
  };
};

/** The event types that a call acts on, by their names with dots. */
const newsByType: Readonly<Record<string, (payload: Payload, generation: number | null) => CarrierNews>> = {
  'call.initiated': () => ({ kind: 'initiated' }),
  'call.ringing': () => ({ kind: 'ringing' }),
  'call.answered': () => ({ kind: 'answered' }),
  'call.bridged': () => ({ kind: 'bridged' }),
  'call.hangup': ({ hangup_cause: cause, hangup_source: source }) => ({
    kind: 'hangup',
    cause: causeOf(cause ?? 'unspecified'),
    source: source === 'caller' || source === 'callee' ? source : 'unknown',
  }),
  'call.machine.detection.ended': ({ result }) => ({
    kind: 'detection',
    result: resultOf(result ?? 'not_sure'),
  }),
  'call.machine.premium.detection.ended': ({ result }) => ({
    kind: 'detection',
    result: resultOf(result ?? 'not_sure'),
  }),
  'call.machine.greeting.ended': ({ result }) => ({
    kind: 'machine_greeting_ended',
    result: result ?? 'not_sure',
  }),
  'call.machine.premium.greeting.ended': ({ result }) => ({
    kind: 'machine_greeting_ended',
    result: result ?? 'no_beep_detected',
  }),
  'streaming.started': (_, generation) => ({ kind: 'stream_started', generation }),
  'streaming.stopped': (_, generation) => ({ kind: 'stream_stopped', generation }),
  'streaming.failed': ({ failure_reason: reason }, generation) => ({
    kind: 'stream_failed',
    generation,
    reason: reason ?? 'unknown',
  }),
  'call.speak.ended': () => ({ kind: 'speak_ended' }),
  'call.playback.ended': () => ({ kind: 'playback_ended' }),
};

function newsOf(eventType: string, payload: Payload, generation: number | null): CarrierMessage['what'] {
  if (eventType === 'call.dtmf.received')
    return payload.digit === null || payload.digit === undefined
      ? null
      : { kind: 'dtmf', digit: payload.digit };
  return Object.hasOwn(newsByType, eventType) ? (newsByType[eventType]?.(payload, generation) ?? null) : null;
}

function directionOf(word: string | null | undefined): CarrierMessage['direction'] {
  if (word === 'incoming') return 'inbound';
  return word === 'outgoing' ? 'outbound' : null;
}

function parse(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    return null;
  }
}

import { z } from 'zod';
import type { CarrierNews } from '../../../domain/telephony/carrier-event.ts';
import { decodeClientState } from './client-state.ts';
import type { CarrierMessage, ReadCarrierMessage } from '../port.ts';
import { ControlId, EventId, EventType, LegId, word } from './fields.ts';
import { causeOf, resultOf } from './words.ts';

/** A field that may be missing, and counts as missing when it is too long or not what it should be. */
const optional = (form: z.ZodType<string>) => form.nullish().catch(null);
const text = optional(z.string().max(2048));
const name = optional(word(64));

const Payload = z.looseObject({
  call_control_id: ControlId,
  call_leg_id: optional(LegId),
  call_session_id: optional(LegId),
  client_state: text,
  connection_id: optional(z.coerce.string().pipe(word(64))),
  direction: name,
  from: optional(z.string().max(255)),
  to: optional(z.string().max(255)),
  hangup_cause: name,
  hangup_source: name,
  sip_hangup_cause: optional(z.coerce.string().pipe(word(64))),
  result: name,
  digit: optional(z.string().regex(/^[0-9A-Da-d*#]$/)),
  stream_url: text,
  stream_params: z.looseObject({ stream_url: text }).nullish().catch(null),
  failure_reason: text,
});

type Payload = z.infer<typeof Payload>;

const Envelope = z.looseObject({
  data: z.looseObject({
    event_type: EventType,
    id: EventId,
    occurred_at: z.string().min(1).max(64),
    payload: Payload,
  }),
});

/**
 * Reads one event of Telnyx. Event types may contain dots or underscores, and fields may be missing or
 * undocumented.
 */
export const readCarrierMessage: ReadCarrierMessage = (raw, generationOf = () => null) => {
  const body = parse(raw);
  // guarantee: long-carrier-event-refused
  const envelope = Envelope.safeParse(isWithin(body, maxLevels) ? body : null);
  if (!envelope.success) return null;
  const { event_type: type, id, occurred_at: occurredAt, payload } = envelope.data.data;
  const at = new Date(occurredAt);
  if (!(at.getTime() >= earliest && at.getTime() < latest)) return null;
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
  'call.hangup': ({ hangup_cause: cause, hangup_source: source, sip_hangup_cause: sipCause }) => ({
    kind: 'hangup',
    cause: causeOf(cause ?? 'unspecified'),
    source: source === 'caller' || source === 'callee' ? source : 'unknown',
    // SIP's "OK" is the answer of the callee; a leg that nobody answered ends with another status.
    ...(sipCause === '200' ? { wasAnswered: true } : {}),
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

/** Times that a column of dates holds. */
const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(9999, 0, 1);

/** An event is stored as it came. Writing a document that is nested much deeper would exhaust the stack. */
const maxLevels = 100;

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isWithin(each, levels - 1));
}

function parse(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    return null;
  }
}

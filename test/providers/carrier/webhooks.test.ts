import { describe, expect, test } from '@jest/globals';
import { createSigningKey } from '../../../emulators/carrier/signing-key.ts';
import { readCarrierMessage } from '../../../src/providers/carrier/telnyx/read-message.ts';
import { isWebhookKey, verifyWebhook } from '../../../src/providers/carrier/telnyx/verify-webhook.ts';

const key = createSigningKey('test');
const now = new Date('2026-11-22T10:00:00.400Z');
const seconds = Math.floor(now.getTime() / 1000);
const body = Buffer.from('{"data":{"event_type":"call.answered"}} \u00e9', 'utf8');

function signed({ raw = body, at = seconds, signer = key } = {}) {
  const timestamp = String(at);
  return {
    raw,
    headers: {
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signer.sign(timestamp, raw.toString('utf8')),
    },
    publicKey: key.publicKey,
    now,
  };
}

describe('a webhook', () => {
  test('is verified if the account signed exactly these bytes, up to five minutes off in either direction', () => {
    expect(verifyWebhook(signed())).toBeNull();
    expect(verifyWebhook(signed({ at: seconds - 299 }))).toBeNull();
    expect(verifyWebhook(signed({ at: seconds + 299 }))).toBeNull();
  });

  test('is refused if one byte differs, another account signed it, or the timestamp is not the signed one', () => {
    const altered = Buffer.from(body);
    altered[10] = 0x21;
    expect(verifyWebhook({ ...signed(), raw: altered })).toBe('forged');
    expect(verifyWebhook(signed({ signer: createSigningKey('another account') }))).toBe('forged');
    const request = signed();
    expect(
      verifyWebhook({ ...request, headers: { ...request.headers, 'telnyx-timestamp': String(seconds - 1) } }),
    ).toBe('forged');
  });

  test('is refused if it is too old or from the future', () => {
    expect(verifyWebhook(signed({ at: seconds - 302 }))).toBe('stale');
    expect(verifyWebhook(signed({ at: seconds + 302 }))).toBe('stale');
  });

  test.each([
    { what: 'no signature', headers: { 'telnyx-timestamp': String(seconds) }, flaw: 'no_signature' },
    { what: 'no timestamp', headers: { 'telnyx-signature-ed25519': 'AAAA' }, flaw: 'no_signature' },
    {
      what: 'two signatures',
      headers: { 'telnyx-timestamp': String(seconds), 'telnyx-signature-ed25519': ['a', 'b'] },
      flaw: 'no_signature',
    },
    {
      what: 'a timestamp that is not a number',
      headers: { ...signed().headers, 'telnyx-timestamp': 'now' },
      flaw: 'no_signature',
    },
    {
      what: 'a signature that is not base64',
      headers: { ...signed().headers, 'telnyx-signature-ed25519': '!!' },
      flaw: 'forged',
    },
    {
      what: 'a signature of another length',
      headers: { ...signed().headers, 'telnyx-signature-ed25519': Buffer.alloc(63).toString('base64') },
      flaw: 'forged',
    },
  ])('is refused with $what', ({ headers, flaw }) => {
    expect(verifyWebhook({ ...signed(), headers })).toBe(flaw);
  });

  test.each([
    { publicKey: '' },
    { publicKey: 'no key' },
    { publicKey: Buffer.alloc(31).toString('base64') },
    { publicKey: `${key.publicKey}=` },
  ])('is never verified by the key «$publicKey»', ({ publicKey }) => {
    expect(verifyWebhook({ ...signed(), publicKey })).toBe('bad_key');
    expect(isWebhookKey(publicKey)).toBe(false);
  });

  test('is verified by its bytes even if they are not UTF-8', () => {
    const raw = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    expect(verifyWebhook({ ...signed(), raw })).toBe('forged');
  });
});

const leg = { call_control_id: 'v3:a', call_leg_id: 'l', call_session_id: 's' };

function read(eventType: string, payload: Record<string, unknown>, extra: Record<string, unknown> = {}) {
  const event = {
    data: {
      record_type: 'event',
      event_type: eventType,
      id: 'e1',
      occurred_at: '2026-11-22T10:00:00.123456Z',
      payload: { ...leg, ...payload },
      ...extra,
    },
    meta: { attempt: 1 },
  };
  return readCarrierMessage(
    Buffer.from(JSON.stringify(event)),
    (url) => Number(/generation-(\d+)/.exec(url)?.[1] ?? Number.NaN) || null,
  );
}

describe('an event', () => {
  test("is read with the leg's ids and our own reference", () => {
    const clientState = Buffer.from('call 7 · 2').toString('base64');
    expect(
      read('call.initiated', {
        client_state: clientState,
        connection_id: 1684641123236054244n.toString(),
        direction: 'incoming',
        from: '+15550001',
        to: '+15550002',
        state: 'parked',
        tags: ['x'],
        shaken_stir_validated: true,
      }),
    ).toEqual({
      eventId: 'e1',
      eventType: 'call.initiated',
      occurredAt: '2026-11-22T10:00:00.123Z',
      leg: { callControlId: 'v3:a', legId: 'l', sessionId: 's' },
      clientState: 'call 7 · 2',
      connectionId: '1684641123236054244',
      direction: 'inbound',
      from: '+15550001',
      to: '+15550002',
      streamUrl: null,
      what: { kind: 'initiated' },
    });
  });

  test.each([
    ['call.initiated', {}, { kind: 'initiated' }],
    ['call.ringing', {}, { kind: 'ringing' }],
    ['call.answered', {}, { kind: 'answered' }],
    ['call_answered', {}, { kind: 'answered' }],
    ['call.bridged', {}, { kind: 'bridged' }],
    [
      'call.hangup',
      { hangup_cause: 'user_busy', hangup_source: 'callee' },
      { kind: 'hangup', cause: 'user_busy', source: 'callee' },
    ],
    ['call_hangup', {}, { kind: 'hangup', cause: 'unspecified', source: 'unknown' }],
    ['call.machine.detection.ended', { result: 'machine' }, { kind: 'detection', result: 'machine' }],
    [
      'call.machine.premium.detection.ended',
      { result: 'fax_detected' },
      { kind: 'detection', result: 'fax_detected' },
    ],
    ['call_machine_premium_detection_ended', {}, { kind: 'detection', result: 'not_sure' }],
    ['call.machine.greeting.ended', { result: 'ended' }, { kind: 'machine_greeting_ended', result: 'ended' }],
    [
      'call.machine.premium.greeting.ended',
      { result: 'beep_detected' },
      { kind: 'machine_greeting_ended', result: 'beep_detected' },
    ],
    ['streaming.started', { stream_url: 'wss://h/generation-3' }, { kind: 'stream_started', generation: 3 }],
    ['streaming.stopped', { stream_url: 'wss://h/generation-2' }, { kind: 'stream_stopped', generation: 2 }],
    ['streaming.stopped', {}, { kind: 'stream_stopped', generation: null }],
    [
      'streaming.failed',
      { failure_reason: 'connection_failed', stream_params: { stream_url: 'wss://h/generation-4' } },
      { kind: 'stream_failed', generation: 4, reason: 'connection_failed' },
    ],
    ['call.speak.ended', { status: 'completed' }, { kind: 'speak_ended' }],
    ['call.playback.ended', { status: 'completed' }, { kind: 'playback_ended' }],
    ['call.dtmf.received', { digit: '#' }, { kind: 'dtmf', digit: '#' }],
    ['call.dtmf.received', {}, null],
    ['call.cost', { total: 1 }, null],
    ['conference.created', {}, null],
    ['constructor', {}, null],
  ] as const)('%s %j is read', (eventType, payload, what) => {
    expect(read(eventType, payload)?.what).toEqual(what);
  });

  test('is read even if fields have undocumented types, if it names a leg', () => {
    expect(
      read('call.answered', { client_state: 7, from: { a: 1 }, call_leg_id: 9, direction: ['x'] }),
    ).toMatchObject({
      clientState: null,
      from: null,
      direction: null,
      leg: { callControlId: 'v3:a', legId: null },
    });
    expect(read('call.answered', { client_state: 'not base64!' })?.clientState).toBeNull();
  });

  test.each([
    ['no JSON', Buffer.from('{')],
    ['no UTF-8', Buffer.from([0xff, 0xfe])],
    ['another JSON', Buffer.from('[1]')],
    [
      'no leg',
      Buffer.from(
        '{"data":{"event_type":"call.answered","id":"1","occurred_at":"2026-11-22T10:00:00Z","payload":{}}}',
      ),
    ],
    [
      'no time',
      Buffer.from(
        '{"data":{"event_type":"call.answered","id":"1","occurred_at":"soon","payload":{"call_control_id":"a"}}}',
      ),
    ],
  ])('is not read from %s', (_, raw) => {
    expect(readCarrierMessage(raw)).toBeNull();
  });
});

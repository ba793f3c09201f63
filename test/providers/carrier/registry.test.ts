import { describe, expect, test } from '@jest/globals';
import type { Router } from 'express';
import { outboundBlock } from '../../../src/domain/telephony/readiness.ts';
import type { CarrierAdapter, CarrierMessage } from '../../../src/providers/carrier/port.ts';
import { carrierAdapters, createCarrierRegistry } from '../../../src/providers/carrier/registry.ts';
import { carrierRoutes } from '../../../src/api/routes/carrier-webhooks.ts';
import { createFakeCarrierPort } from '../../support/fake-carrier.ts';

const port = { ...createFakeCarrierPort(), provider: 'twilio' };
const message: CarrierMessage = {
  eventId: 'e1',
  eventType: 'answered',
  occurredAt: '2026-01-01T00:00:00.000Z',
  leg: { callControlId: 'CA1', legId: null, sessionId: null },
  clientState: null,
  connectionId: null,
  direction: 'outbound',
  from: null,
  to: null,
  streamUrl: null,
  what: { kind: 'answered' },
};

/** A second carrier, whose key is in a header. It records its URLs. */
const twilio: CarrierAdapter = {
  accounts:
    ({ baseUrl }) =>
    () => ({ ...port, simulated: baseUrl !== undefined }),
  webhooks: {
    verify: ({ headers, credentials }) =>
      headers['x-signature'] === credentials['auth_token'] ? null : 'forged',
    read: (raw) => (Buffer.from(raw).toString() === 'answered' ? message : null),
  },
};
const registry = createCarrierRegistry({ ...carrierAdapters, twilio });
const ofTwilio = { account_sid: 'AC1', auth_token: 'secret' };
const webhook = (signature: string) => ({
  raw: Buffer.from('answered'),
  headers: { 'x-signature': signature },
  credentials: ofTwilio,
  now: new Date(),
});

describe('a second carrier in the registry', () => {
  test('makes a connection ready once it has its own credentials and a number', () => {
    const canDial = (provider: string) => registry.providers.includes(provider);
    const ready = { provider: 'twilio', credentials: ofTwilio, isInactive: false, activeNumbers: 1 };
    expect([
      outboundBlock(ready, canDial),
      outboundBlock({ ...ready, credentials: { account_sid: 'AC1' } }, canDial),
      outboundBlock({ ...ready, activeNumbers: 0 }, canDial),
      outboundBlock(ready, (provider) => createCarrierRegistry().providers.includes(provider)),
    ]).toEqual([
      null,
      'its credentials are not complete',
      'it has no active phone number',
      'this installation cannot dial with twilio',
    ]);
  });

  test("opens the account of the connection's provider, at its configured URL", () => {
    const accounts = registry.accounts({ twilio: 'http://127.0.0.1:1' });
    expect([
      accounts({ provider: 'twilio', credentials: ofTwilio }),
      accounts({ provider: 'telnyx', credentials: { api_key: 'KEY' } }),
    ]).toMatchObject([
      { provider: 'twilio', simulated: true },
      { provider: 'telnyx', simulated: false },
    ]);
    expect(() => accounts({ provider: 'plivo', credentials: {} })).toThrow('does not support plivo');
  });

  test('verifies and reads webhooks in its own way', () => {
    const carrier = registry.webhooks.get('twilio');
    expect([
      carrier?.verify(webhook('secret')),
      carrier?.verify(webhook('other')),
      carrier?.read(Buffer.from('answered'))?.what,
      carrier?.read(Buffer.from('{}')),
      registry.webhooks.get('telnyx')?.verify(webhook('secret')),
    ]).toEqual([null, 'forged', { kind: 'answered' }, null, 'no_key']);
  });

  test('has its own two URLs for events, and shares those of incoming calls', () => {
    const { stack }: Router = Reflect.apply(carrierRoutes, null, [{ webhooks: registry.webhooks }]);
    expect(stack.map(({ route }) => route?.path)).toEqual([
      '/api/v1/telephony/telnyx/events/:run_id',
      '/api/v1/telephony/telnyx/transfer-result/:transfer_id',
      '/api/v1/telephony/twilio/events/:run_id',
      '/api/v1/telephony/twilio/transfer-result/:transfer_id',
      '/api/v1/telephony/inbound/run',
      '/api/v1/telephony/inbound/fallback',
      '/api/v1/telephony/inbound/:workflow_id',
    ]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from '../../../src/providers/http/webhook-signer.ts';

const first = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const second = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const message = { id: '7e0a3c62-0f2e-4d64-9d3e-000000000001', body: '{"name":"Zoë 🙂"}' };

function headersOf(at: Date, secrets: string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signWebhook({ ...message, at, secrets }),
  };
}

describe('the signature', () => {
  test('equals that of the published example', () => {
    // The example of the Standard Webhooks reference libraries.
    const signature = signWebhook({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('is verified by each live secret and by no other', () => {
    const headers = headersOf(new Date(), [first, second]);
    expect(new Webhook(first).verify(message.body, headers)).toEqual({ name: 'Zoë 🙂' });
    expect(new Webhook(second).verify(message.body, headers)).toEqual({ name: 'Zoë 🙂' });
    expect(() =>
      new Webhook(`whsec_${Buffer.alloc(32, 3).toString('base64')}`).verify(message.body, headers),
    ).toThrow('No matching signature');
  });

  test('covers every byte of the body and the timestamp', () => {
    const headers = headersOf(new Date(), [first]);
    expect(() => new Webhook(first).verify(`${message.body} `, headers)).toThrow('No matching signature');
    expect(() =>
      new Webhook(first).verify(message.body, headersOf(new Date(Date.now() - 600_000), [first])),
    ).toThrow('too old');
  });

  test('is empty without a secret', () => {
    expect(signWebhook({ ...message, at: new Date(), secrets: [] })).toBe('');
  });
});

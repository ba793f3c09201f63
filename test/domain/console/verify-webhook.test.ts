import { expect, test } from '@jest/globals';
import { readHeaders, verify } from '../../../console/src/screens/webhooks/verify.ts';
import { signWebhook } from '../../../src/providers/http/webhook-signer.ts';

const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const at = new Date('2026-11-23T12:00:00Z');
const body = '{"name":"Zoë 🙂"}';
const message = { id: 'd-1', at, body };
const sent = (signature: string) =>
  readHeaders(
    `webhook-id: d-1\nWebhook-Timestamp: ${at.getTime() / 1000}\nwebhook-signature: ${signature}\nHost: a:1`,
  );
const judged = async (changes: Partial<Parameters<typeof verify>[0]>) =>
  await verify({
    headers: sent(signWebhook({ ...message, secrets })),
    body,
    secrets,
    now: new Date('2026-11-23T12:01:00Z'),
    ...changes,
  });

test('a request is genuine when one of its signatures is made with a secret of today, and the secret is named', async () => {
  expect(await judged({})).toEqual({ kind: 'genuine', secret: 0, secondsOff: 60, isTooOld: false });
  expect(await judged({ secrets: secrets.slice(1) })).toMatchObject({ kind: 'genuine', secret: 0 });
  expect(await judged({ body: `${body}\n` })).toMatchObject({ kind: 'genuine' });
});

test('an old request is genuine, and a receiver would refuse it', async () => {
  expect(await judged({ now: new Date('2026-11-23T12:06:00Z') })).toMatchObject({
    kind: 'genuine',
    isTooOld: true,
  });
});

test('another body, another secret or another timestamp matches nothing', async () => {
  const other = [`whsec_${Buffer.alloc(32, 3).toString('base64')}`];
  expect(await judged({ body: '{ "name": "Zoë 🙂" }' })).toEqual({ kind: 'no-match', signatures: 2 });
  expect(await judged({ secrets: other })).toEqual({ kind: 'no-match', signatures: 2 });
  expect(
    await judged({ headers: sent(signWebhook({ ...message, at: new Date(at.getTime() + 1000), secrets })) }),
  ).toEqual({ kind: 'no-match', signatures: 2 });
});

test('it says what is missing', async () => {
  expect(await judged({ headers: readHeaders('webhook-id: d-1') })).toEqual({
    kind: 'incomplete',
    missing: ['webhook-timestamp', 'webhook-signature'],
  });
  const headers = readHeaders('webhook-id: 1\nwebhook-timestamp: now\nwebhook-signature: v1,x');
  expect(await judged({ headers })).toEqual({ kind: 'bad-timestamp' });
});

test.each([
  ['lines', 'webhook-id: d-1\r\nwebhook-signature: v1,a+b/c= v1,d='],
  ['curl', `-H 'webhook-id: d-1' \\\n  -H "webhook-signature: v1,a+b/c= v1,d="`],
  ['JSON', '{"Webhook-Id":"d-1","webhook-signature":"v1,a+b/c= v1,d="}'],
])('headers are read from %s', (_form, text) => {
  expect(Object.fromEntries(readHeaders(text))).toEqual({
    'webhook-id': 'd-1',
    'webhook-signature': 'v1,a+b/c= v1,d=',
  });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiBases, mediaBases } from '../support/fuzz/bases.ts';
import { attack } from '../support/fuzz/under-attack.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { freePort } from '../support/whole-service.ts';

let service: PhoneService;

beforeAll(async () => {
  service = await startPhoneService();
});
afterAll(async () => await service?.stop());

/** MySQL is asked before most packets are answered. */
const patienceMs = 1500;

test('no mutated packet ends the API process or fills its memory, and requests are answered afterwards', async () => {
  await attack({
    title: 'the API process',
    running: service.api,
    port: Number(new URL(service.apiUrl).port),
    bases: apiBases,
    count: { usual: 200, all: 5000 },
    patienceMs,
  });
  const answer = await fetch(`${service.apiUrl}/api/v1/auth/me`, {
    headers: { 'x-api-key': service.apiKey },
  });
  expect(answer.status).toBe(200);
});

test('no mutated packet ends a media host or fills its memory', async () => {
  const port = await freePort();
  const host = await service.startMedia({
    PARLANCE_MEDIA_PORT: String(port),
    PARLANCE_MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`,
  });
  await attack({
    title: 'the media host process',
    running: host,
    port,
    bases: mediaBases('aa'),
    count: { usual: 200, all: 20_000 },
    patienceMs,
  });
  expect((await fetch(`${host.healthUrl}/readyz`)).status).toBe(200);
});

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { startOwnTemporal } from '../support/own-servers.ts';

/** What a web page of another origin can do to the Temporal server of `npm start`. */
describe('the Temporal server of development', () => {
  let server: Awaited<ReturnType<typeof startOwnTemporal>>;
  const { namespace } = readTemporalPlan();
  const path = `/api/v1/namespaces/${namespace.name}`;
  const foreign = { origin: 'https://thief.example', 'content-type': 'text/plain' };

  beforeAll(async () => {
    server = await startOwnTemporal();
  });
  afterAll(async () => await server.stop());

  test('lets no page of another origin read through its UI', async () => {
    const answer = await fetch(`${server.uiUrl}${path}`, { headers: foreign });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('lets no page of another origin change anything through its UI', async () => {
    const answer = await fetch(`${server.uiUrl}${path}/workflows/any/terminate`, {
      method: 'POST',
      headers: foreign,
      body: '{"reason":"stolen"}',
    });
    expect({ status: answer.status, body: await answer.text() }).toEqual({
      status: 400,
      body: expect.stringContaining('csrf'),
    });
  });

  // guarantee: no-page-posts-to-development-temporal
  test.each(['own', 'another'])('has no HTTP API beside the UI, asked under its %s name', async (name) => {
    const url = new URL(`${server.httpUrl}${path}/workflows/any/terminate`);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(url, {
        method: 'POST',
        headers: { ...foreign, host: name === 'own' ? url.host : 'thief.example' },
      });
      asked.once('error', reject);
      asked.once('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.end('{"reason":"stolen"}');
    });
    expect(status).toBe(403);
  });
});

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../src/contract/route.ts';
import { fullPath } from '../../src/contract/paths.ts';
import { routes } from '../../src/contract/routes.ts';
import { createEchoApp, serveApp, type ServedApp } from '../support/api-server.ts';

const page = 'https://console.example.com';
const stranger = 'https://console.example.com.evil.test';

/** Sends a request as a browser does. `fetch` does not allow programs to set `Origin`. */
function ask(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asking.on('error', reject).end();
  });
}

describe('pages of other origins', () => {
  let open: ServedApp;
  let closed: ServedApp;
  beforeAll(async () => {
    open = await serveApp(createEchoApp({ corsOrigins: [page] }));
    closed = await serveApp(createEchoApp());
  });
  afterAll(async () => {
    await Promise.all([open.close(), closed.close()]);
  });

  const preflight = (url: string, origin: string, method = 'PUT') =>
    ask(url, 'OPTIONS', {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,if-match',
    });
  const crossOriginHeaders = (headers: NodeJS.Dict<unknown>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'));

  test('may call every route if their origin is listed', async () => {
    for (const route of Object.values<Route>(routes)) {
      const method = route.method.toUpperCase();
      const path = fullPath(route).replaceAll(/\{\w+\}/g, '7');
      const { status, text, headers } = await preflight(`${open.url}${path}`, page, method);
      const listed = (name: string) => String(headers[name]).split(', ');
      expect({ id: route.id, status, text, headers }).toMatchObject({
        id: route.id,
        status: 204,
        text: '',
        headers: { 'access-control-allow-origin': page, 'access-control-max-age': '600', vary: 'Origin' },
      });
      expect(listed('access-control-allow-methods')).toContain(method);
      expect(listed('access-control-allow-headers')).toEqual(
        expect.arrayContaining([
          'Authorization',
          'Content-Type',
          'Idempotency-Key',
          'X-API-Key',
          'X-Request-Id',
        ]),
      );
    }
  });

  test('answers, including errors, allow the page to read them and their headers', async () => {
    for (const [key, status] of [
      ['good', 200],
      ['bad', 401],
    ] as const) {
      const answer = await ask(`${open.url}/api/v1/folder/`, 'GET', { origin: page, 'x-api-key': key });
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-expose-headers': expect.stringMatching(
          /X-Request-Id.*RateLimit.*Idempotent-Replayed/,
        ),
        vary: 'Origin',
      });
    }
  });

  test.each([
    stranger,
    'http://console.example.com',
    'https://console.example.com:8443',
    'null',
    'https://CONSOLE.example.com',
  ])('a page of %s gets no cross-origin headers', async (origin) => {
    const [before, after] = [
      await preflight(`${open.url}/api/v1/folder/`, origin),
      await ask(`${open.url}/api/v1/folder/`, 'GET', { origin, 'x-api-key': 'good' }),
    ];
    expect([crossOriginHeaders(before.headers), crossOriginHeaders(after.headers)]).toEqual([[], []]);
    expect([before.headers['vary'], after.headers['vary']]).toEqual(['Origin', 'Origin']);
  });

  test('cookies are never allowed or set', async () => {
    for (const answer of [
      await preflight(`${open.url}/api/v1/folder/`, page),
      await ask(`${open.url}/api/v1/folder/`, 'GET', { origin: page, 'x-api-key': 'good' }),
    ]) {
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  test('without a list no page of another origin is allowed', async () => {
    const [before, after] = [
      await preflight(`${closed.url}/api/v1/folder/`, page),
      await ask(`${closed.url}/api/v1/folder/`, 'GET', { origin: page, 'x-api-key': 'good' }),
    ];
    expect([crossOriginHeaders(before.headers), crossOriginHeaders(after.headers)]).toEqual([[], []]);
    expect(before).toMatchObject({ status: 204, headers: { allow: 'GET, POST' } });
  });

  test('OPTIONS that is not a preflight returns the verbs', async () => {
    expect(await ask(`${open.url}/api/v1/folder/`, 'OPTIONS', { origin: page })).toMatchObject({
      status: 204,
      headers: { allow: 'GET, POST', 'access-control-allow-origin': page },
    });
  });

  test('answers forbid browsers to load, frame, sniff, cache and send referrers', async () => {
    const { headers } = await ask(`${open.url}/api/v1/folder/`, 'GET', { 'x-api-key': 'good' });
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

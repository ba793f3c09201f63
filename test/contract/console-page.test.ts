import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { consoleRoutes, type ConsoleOptions } from '../../src/api/console/routes.ts';
import { createEchoApp, serveApp, type ServedApp } from '../support/api-server.ts';

const built = mkdtempSync(join(tmpdir(), 'parlance-console-'));
const empty = mkdtempSync(join(tmpdir(), 'parlance-console-'));
const servers: ServedApp[] = [];

beforeAll(() => {
  mkdirSync(join(built, 'assets'));
  writeFileSync(
    join(built, 'index.html'),
    '<html data-root=""><meta property="csp-nonce" nonce="PARLANCE_NONCE"><script src="./assets/a.js"></script></html>',
  );
  writeFileSync(join(built, 'assets', 'a.js'), 'plain');
  writeFileSync(join(built, 'assets', 'a.js.br'), 'compressed');
});
afterAll(async () => {
  await Promise.all(servers.map((each) => each.close()));
  for (const folder of [built, empty]) rmSync(folder, { recursive: true });
});

async function serve(options: Partial<ConsoleOptions> = {}): Promise<string> {
  const served = await serveApp(
    createEchoApp({
      console: consoleRoutes({
        folder: built,
        publicUrl: 'https://calls.example.com',
        streams: () => Promise.resolve(['wss://media.example.com']),
        ...options,
      }),
    }),
  );
  servers.push(served);
  return served.url;
}

const page = async (url: string) => await fetch(url, { headers: { accept: 'text/html' } });

describe('the page of the console', () => {
  // guarantee: console-loads-no-other-host
  test('its policy forbids other hosts, inline scripts, eval and framing', async () => {
    const answer = await page(`${await serve({ bucket: 'https://files.example.com' })}/`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy.replace(/'nonce-[^']+'/, "'nonce'")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob: https://files.example.com; connect-src 'self' https://files.example.com wss://media.example.com; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
  });

  test('has a new nonce in each answer, the same in the page as in its policy', async () => {
    const url = await serve();
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await page(`${url}/agents/5`);
        const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];
        expect(await answer.text()).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test('is served below the path that a proxy adds', async () => {
    const answer = await page(`${await serve({ publicUrl: 'https://example.com/voice' })}/`);
    const html = await answer.text();
    expect(html).toContain('data-root="/voice"');
    expect(html).toContain('src="/voice/assets/a.js"');
  });

  test('says how to build it where it is not built', async () => {
    const answer = await page(`${await serve({ folder: empty })}/`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('npm run console:build'),
    ]);
  });

  test('lets each of the pages that are asked for at once call the media hosts, also the first ones', async () => {
    const asked = Promise.withResolvers<readonly string[]>();
    const url = await serve({ streams: () => asked.promise });
    const pages = [page(`${url}/`), page(`${url}/`), page(`${url}/`)];
    await Promise.race([...pages, new Promise((resolve) => setTimeout(resolve, 300))]);
    asked.resolve(['wss://media.example.com']);
    for (const each of pages)
      expect((await each).headers.get('content-security-policy')).toContain('wss://media.example.com');
  });

  test('appears without the origins of media hosts while they cannot be asked', async () => {
    const answer = await page(`${await serve({ streams: () => Promise.reject(new Error('away')) })}/`);
    expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self';");
  });
});

test('files of the console are immutable, and compressed where the browser can read it', async () => {
  const url = await serve();
  const file = await fetch(`${url}/assets/a.js`, { headers: { 'accept-encoding': 'br' } });
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(file.headers.get('content-encoding')).toBe('br');
  expect((await fetch(`${url}/assets/unknown.js`)).status).toBe(404);
});

test.each([
  ['/api/v1/unknown', 'text/html'],
  ['/public/unknown', 'text/html'],
  ['/agents', 'application/json'],
])('the console does not answer %s for %s', async (path, accept) => {
  expect((await fetch(`${await serve()}${path}`, { headers: { accept } })).status).toBe(404);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { referenceHandlers } from '../../src/api/routes/reference.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';

const serve = (publicUrl: string) =>
  serveApp(createEchoApp({ handlers: { ...echoHandlers(), ...referenceHandlers({ publicUrl }) } }));

let server: ServedApp;
let html: string;
let policy: string;

beforeAll(async () => {
  server = await serve('http://api.example.test');
  const page = await fetch(`${server.url}/api/v1/docs`);
  [html, policy] = [await page.text(), page.headers.get('content-security-policy') ?? ''];
});
afterAll(() => server.close());

const referenced = (page: string): string[] =>
  [...page.matchAll(/(?:src|href|data-description)="([^"]+)"/g)].map(([, address]) => address ?? '');
const endingOf = (address: string): string => address.replace(/\?.*/, '').split('.').at(-1) ?? '';
const assetsOf = (page: string) => referenced(page).filter((address) => address.includes('/docs/'));

describe('the page of the API reference', () => {
  test('is HTML', async () => {
    const { headers } = await fetch(`${server.url}/api/v1/docs`);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('all files that it refers to are on the same server', async () => {
    expect(referenced(html).length).toBeGreaterThan(5);
    for (const address of referenced(html)) {
      expect(address).toMatch(/^\/api\/v1\//);
      expect({ address, status: (await fetch(`${server.url}${address}`)).status }).toEqual({
        address,
        status: 200,
      });
    }
  });

  test('scripts, styles and the icon have their media types and may be cached forever, because their URLs change with the content', async () => {
    const types: Record<string, string> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      png: 'image/png',
    };
    expect(new Set(assetsOf(html).map(endingOf))).toEqual(new Set(Object.keys(types)));
    for (const address of assetsOf(html)) {
      const { headers } = await fetch(`${server.url}${address}`);
      expect(headers.get('content-type')).toBe(types[endingOf(address)]);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(address).toMatch(/\?v=[0-9a-f]{16}$/);
    }
  });

  // guarantee: reference-page-loads-no-other-host
  test('its policy forbids other hosts, inline scripts, eval and framing', () => {
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(
      policy
        .split(/[; ]+/)
        .filter((word) => word.includes('.') || word.includes('//') || word === '*' || word === 'https:'),
    ).toEqual([]);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|javascript:/);
  });

  test('other files in its folders are not served', async () => {
    for (const file of [
      'index.html',
      'assets.ts',
      '..%2f..%2fpackage.json',
      'swagger-ui-bundle.js.map',
      'constructor',
    ])
      expect((await fetch(`${server.url}/api/v1/docs/${file}`)).status).toBe(404);
  });

  test('its URLs contain the path that a proxy adds', async () => {
    const behind = await serve('https://voice.example.test/parlance/');
    const page = await (await fetch(`${behind.url}/api/v1/docs`)).text();
    await behind.close();
    expect(referenced(page).filter((address) => !address.startsWith('/parlance/api/v1/'))).toEqual([]);
    expect(page).toContain('data-root="/parlance"');
  });
});

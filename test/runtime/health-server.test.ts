import { afterEach, describe, expect, test } from '@jest/globals';
import {
  readReadiness,
  startHealthServer,
  type HealthCheck,
  type HealthServer,
} from '../../src/runtime/health-server.ts';

const log = { info: () => undefined, error: () => undefined };
const fine: HealthCheck = () => Promise.resolve();
const broken: HealthCheck = () => Promise.reject(new Error('connection refused'));
const stuck: HealthCheck = () => new Promise(() => undefined);

let server: HealthServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function get(path: string, checks: Record<string, HealthCheck>) {
  server = await startHealthServer({ port: 0, host: '127.0.0.1', checks, log, timeoutMs: 50 });
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: answer.status, body: await answer.json() };
}

describe('readiness', () => {
  test('is true when every dependency is usable', async () => {
    expect(await readReadiness({ mysql: fine, temporal: fine })).toEqual({
      ready: true,
      checks: { mysql: 'ok', temporal: 'ok' },
    });
  });

  test('names each broken dependency without its error text', async () => {
    expect(await readReadiness({ mysql: broken, temporal: fine })).toEqual({
      ready: false,
      checks: { mysql: 'failed', temporal: 'ok' },
    });
  });

  test('does not wait for a dependency that never answers', async () => {
    expect(await readReadiness({ mysql: stuck }, 20)).toEqual({ ready: false, checks: { mysql: 'timeout' } });
  });

  test('survives a check that throws before it returns a promise', async () => {
    const throws: HealthCheck = () => {
      throw new Error('not connected');
    };
    expect(await readReadiness({ temporal: throws })).toEqual({
      ready: false,
      checks: { temporal: 'failed' },
    });
  });
});

describe('the health server', () => {
  test('closes a connection whose answer fails, and answers the others', async () => {
    const fault = (): never => {
      throw new Error('a fault in a listener');
    };
    server = await startHealthServer({
      port: 0,
      host: '127.0.0.1',
      checks: {},
      log: { ...log, error: fault },
      scrape: () => Promise.reject(new Error('no metrics')),
    });
    const url = `http://127.0.0.1:${server.port}`;
    await expect(fetch(`${url}/metrics`)).rejects.toThrow('fetch failed');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('is alive although a dependency is broken', async () => {
    expect(await get('/healthz', { mysql: broken })).toEqual({ status: 200, body: { alive: true } });
  });

  test('answers 503 with the broken dependency named', async () => {
    expect(await get('/readyz', { mysql: broken, temporal: stuck })).toEqual({
      status: 503,
      body: { ready: false, checks: { mysql: 'failed', temporal: 'timeout' } },
    });
  });

  test('answers 200 when ready, also with a query', async () => {
    expect(await get('/readyz?verbose', { mysql: fine })).toEqual({
      status: 200,
      body: { ready: true, checks: { mysql: 'ok' } },
    });
  });

  test('knows no other path', async () => {
    expect((await get('/metrics', {})).status).toBe(404);
  });

  test('serves the metrics of the process, and survives a failure to read them', async () => {
    server = await startHealthServer({
      port: 0,
      host: '127.0.0.1',
      checks: {},
      log,
      scrape: () => Promise.resolve({ contentType: 'text/plain', text: 'up 1\n' }),
    });
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    expect({ type: answer.headers.get('content-type'), text: await answer.text() }).toEqual({
      type: 'text/plain',
      text: 'up 1\n',
    });
    await server.close();
    server = await startHealthServer({
      port: 0,
      host: '127.0.0.1',
      checks: {},
      log,
      scrape: () => Promise.reject(new Error('broken')),
    });
    expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(500);
  });

  test('reports a busy port when it starts', async () => {
    await get('/healthz', {});
    await expect(
      startHealthServer({ port: server?.port ?? 0, host: '127.0.0.1', checks: {}, log }),
    ).rejects.toThrow(/EADDRINUSE/);
  });
});

import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { startHealthServer } from '../../src/runtime/health-server.ts';
import { ownUrl, readIdentity } from '../../src/runtime/identity.ts';

const log = { info: () => undefined, error: () => undefined };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(id?: string): Promise<string> {
  const server = await startHealthServer({
    port: 0,
    host: '127.0.0.1',
    checks: {},
    log,
    ...(id === undefined ? {} : { id }),
  });
  closing.push(() => server.close());
  return ownUrl('127.0.0.1', server.port);
}

/** Like a stopped process: its connections are accepted and get no answer. */
async function listenInSilence(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return ownUrl('127.0.0.1', typeof address === 'object' && address !== null ? address.port : 0);
}

test('a process answers with its own id, and with none if it has none', async () => {
  expect(await readIdentity(await serve('host-1'))).toEqual({ kind: 'answered', id: 'host-1' });
  expect(await readIdentity(await serve())).toEqual({ kind: 'answered', id: '' });
});

test('an ended process refuses, and a stopped one is silent', async () => {
  const url = await serve('host-1');
  await closing.pop()?.();
  expect(await readIdentity(url)).toEqual({ kind: 'refused' });
  expect(await readIdentity(await listenInSilence(), 100)).toEqual({ kind: 'silent' });
});

test('a process that had no processor time itself learns nothing from silence', async () => {
  const url = await listenInSilence();
  const asked = readIdentity(url, 50);
  for (const untilMs = performance.now() + 400; performance.now() < untilMs;);
  expect(await asked).toEqual({ kind: 'unknown' });
});

test('the address of a process is the one it listens on, or one that other machines can reach', () => {
  expect(ownUrl('10.0.0.7', 8008)).toBe('http://10.0.0.7:8008');
  expect(ownUrl('::1', 8008)).toBe('http://[::1]:8008');
  expect(ownUrl('0.0.0.0', 8008)).toMatch(/^http:\/\/(?!0\.0\.0\.0)[\d.]+:8008$/);
});

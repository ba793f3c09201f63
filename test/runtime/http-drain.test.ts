import { expect, test } from '@jest/globals';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createHttpDrain } from '../../src/runtime/http-drain.ts';
import { closeServer, portOf } from '../support/receiver.ts';

test('a stopping server answers current requests, refuses new connections, and ends although clients keep theirs open', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    if (req.url === '/slow') waiting.push(res);
    else res.end('fast');
  });
  const drain = createHttpDrain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  expect(await (await fetch(`${url}/fast`)).text()).toBe('fast'); // the client keeps its connection
  const arrived = once(server, 'request');
  const slow = fetch(`${url}/slow`);
  await arrived;
  const stopped = drain.stop();
  await expect(fetch(`${url}/fast`, { headers: { connection: 'close' } })).rejects.toThrow('fetch failed');
  waiting[0]?.end('at last');
  const answer = await slow;
  expect([answer.headers.get('connection'), await answer.text()]).toEqual(['close', 'at last']);
  await stopped;
});

test('a fault when a request is noted closes its connection, and the others are answered', async () => {
  const server = createServer((_req, res) => res.end('fast'));
  createHttpDrain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  try {
    let faults = 0;
    Object.defineProperty(server, 'listening', {
      get() {
        faults += 1;
        if (faults === 1) throw new Error('a fault in a listener');
        return true;
      },
    });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(await (await fetch(url)).text()).toBe('fast');
    expect(faults).toBe(2);
  } finally {
    await closeServer(server);
  }
});

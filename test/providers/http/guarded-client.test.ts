import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  createGuardedClient,
  type GuardedClient,
  type GuardedClientOptions,
} from '../../../src/providers/http/guarded-client.ts';
import {
  connectPinned,
  type ConnectTo,
  type Resolver,
} from '../../../src/providers/http/guarded-connector.ts';
import type { CustomerRequest } from '../../../src/providers/http/port.ts';
import { closeServer, portOf } from '../../support/receiver.ts';
import { certificate, certificateKey } from '../../support/tls-certificate.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function serve(listener: RequestListener, { address = '127.0.0.1', port = 0 } = {}): Promise<number> {
  return listen(createHttpServer(listener), { address, port });
}

async function listen(server: Server, { address = '127.0.0.1', port = 0 } = {}): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
  closers.push(() => closeServer(server));
  return portOf(server);
}

async function serveTcp(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // the client closes the connection early, on purpose
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return portOf(server);
}

function client(options: GuardedClientOptions): GuardedClient {
  const made = createGuardedClient({ allowHttp: true, ...options });
  closers.push(() => made.close());
  return made;
}

/** Plays the host of a pretended public address. */
function standIn(port: number, callback: (...args: [null, Socket] | [Error, null]) => void): void {
  const socket = connectTcp(port, '127.0.0.1', () => callback(null, socket));
}

function servernameOf(socket: Socket): string {
  return socket instanceof TLSSocket && 'servername' in socket ? String(socket.servername) : '';
}

function post(url: string, changes: Partial<CustomerRequest> = {}): CustomerRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    timeoutMs: 60_000,
    maxResponseBytes: 8192,
    ...changes,
  };
}

/** Answers the lists in turn and repeats the last one; counts the look-ups. */
function resolverOf(...answers: string[][]): { resolve: Resolver; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: (hostname) => {
      asked.push(hostname);
      const addresses = answers[Math.min(asked.length, answers.length) - 1] ?? [];
      return Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}

describe('the target of a request', () => {
  test('answers any status as a value with headers and body', async () => {
    let seen = '';
    const port = await serve((req, res) => {
      req.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      req.on('end', () => res.writeHead(418, { 'x-kind': 'teapot' }).end('short and stout'));
    });
    const outcome = await client({ allowedPrivateHosts: [`127.0.0.1:${port}`] }).request(
      post(`http://127.0.0.1:${port}/pot?x=1`),
    );
    expect(outcome).toMatchObject({
      kind: 'answered',
      statusCode: 418,
      bodyText: 'short and stout',
      truncated: false,
      headers: { 'x-kind': 'teapot' },
    });
    expect(seen).toBe('{"a":1}');
  });

  test('refuses a host that resolves to a private address, without connecting', async () => {
    let connections = 0;
    const port = await serve(() => (connections += 1));
    const { resolve } = resolverOf(['127.0.0.1']);
    expect(await client({ resolve }).request(post('http://hooks.example.com:8443/'))).toEqual({
      kind: 'refused',
      reason: 'address_not_allowed',
      message: 'hooks.example.com is not a public address',
    });
    expect(await client({}).request(post(`http://localhost:${port}/`))).toMatchObject({
      kind: 'refused',
      reason: 'port_not_allowed',
    });
    expect(await client({}).request(post('http://localhost/'))).toMatchObject({
      kind: 'refused',
      reason: 'address_not_allowed',
    });
    expect(connections).toBe(0);
  });

  test('refuses a host with one private address among public ones', async () => {
    for (const mixed of [
      ['93.184.215.14', '10.0.0.1'],
      ['2606:2800:21f::1', '::1'],
      ['93.184.215.14', '::ffff:10.0.0.1'],
    ]) {
      const { resolve } = resolverOf(mixed);
      expect(await client({ resolve }).request(post('https://hooks.example.com/'))).toMatchObject({
        kind: 'refused',
        reason: 'address_not_allowed',
      });
    }
  });

  test('connects to the judged DNS answer, and judges a changed answer again', async () => {
    const port = await serve((_req, res) => res.writeHead(200, { connection: 'close' }).end());
    const connected: string[] = [];
    const { resolve, asked } = resolverOf(['93.184.215.14', '93.184.215.15'], ['127.0.0.1']);
    const connectTo: ConnectTo = (addresses) => {
      connected.push(...addresses.map(({ address }) => address));
      return (_target, callback) => standIn(port, callback);
    };
    const rebound = client({ resolve, connectTo });
    expect(await rebound.request(post('http://hooks.example.com:8443/'))).toMatchObject({
      kind: 'answered',
      statusCode: 200,
    });
    expect(connected).toEqual(['93.184.215.14', '93.184.215.15']);
    expect(asked).toEqual(['hooks.example.com']);
    expect(await rebound.request(post('http://hooks.example.com:8443/'))).toMatchObject({
      kind: 'refused',
      reason: 'address_not_allowed',
    });
    expect(connected).toHaveLength(2);
  });

  test('connects only to the judged address, and keeps the name of the URL in Host', async () => {
    const hosts: string[] = [];
    const port = await serve((req, res) => {
      hosts.push(`first ${req.headers.host}`);
      res.end();
    });
    await serve(
      (req, res) => {
        hosts.push(`second ${req.headers.host}`);
        res.end();
      },
      { address: '127.0.0.2', port },
    );
    const { resolve, asked } = resolverOf(['127.0.0.1'], ['127.0.0.2']);
    const pinned = client({ resolve, allowedPrivateHosts: [`hooks.example.com:${port}`] });
    await pinned.request(post(`http://hooks.example.com:${port}/`));
    expect(hosts).toEqual([`first hooks.example.com:${port}`]);
    expect(asked).toEqual(['hooks.example.com']);
  });

  test('refuses an allowed private address under a name that is not on the list', async () => {
    const port = await serve((_req, res) => res.end());
    const { resolve } = resolverOf(['127.0.0.1']);
    const outcome = await client({
      resolve,
      allowedPrivateHosts: [`127.0.0.1:${port}`, '127.0.0.1:*'],
    }).request(post('http://hooks.example.com:8443/'));
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'address_not_allowed' });
  });

  test('uses the host of the URL, not the address, for TLS', async () => {
    const seen: string[] = [];
    const port = await listen(
      createTlsServer({ cert: certificate, key: certificateKey }, (req, res) => {
        seen.push(`${servernameOf(req.socket)} ${req.headers.host}`);
        res.end();
      }),
    );
    const { resolve } = resolverOf(['127.0.0.1']);
    const allowedPrivateHosts = ['hooks.example.com:*', 'other.example.com:*'];
    const trusting = client({ resolve, allowedPrivateHosts, connectTo: connectPinned([certificate]) });
    expect(await trusting.request(post(`https://hooks.example.com:${port}/`))).toMatchObject({
      kind: 'answered',
      statusCode: 200,
    });
    expect(seen).toEqual([`hooks.example.com hooks.example.com:${port}`]);
    expect(await trusting.request(post(`https://other.example.com:${port}/`))).toMatchObject({
      kind: 'failed',
      reason: 'tls',
    });
    expect(
      await client({ resolve, allowedPrivateHosts }).request(post(`https://hooks.example.com:${port}/`)),
    ).toMatchObject({ kind: 'failed', reason: 'tls' });
    expect(seen).toHaveLength(1);
  });

  test('answers a redirect and does not follow it', async () => {
    let followed = 0;
    const target = await serve((_req, res) => {
      followed += 1;
      res.end();
    });
    const port = await serve((_req, res) =>
      res.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    expect(
      await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(post(`http://127.0.0.1:${port}/`)),
    ).toMatchObject({ kind: 'answered', statusCode: 307 });
    expect(followed).toBe(0);
  });

  test('reuses the connection for the next request', async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((req, res) => {
      ports.add(req.socket.remotePort);
      res.end('ok');
    });
    const one = client({ allowedPrivateHosts: ['127.0.0.1:*'] });
    await one.request(post(`http://127.0.0.1:${port}/`));
    await new Promise((resolve) => setTimeout(resolve, 20)); // a connection is free again one event loop later
    await one.request(post(`http://127.0.0.1:${port}/`));
    expect(ports.size).toBe(1);
  });
});

describe('the content of a request', () => {
  test.each([
    ['a line break in a value', { 'x-a': 'b\r\nx-injected: 1' }],
    ['a bare line feed in a value', { 'x-a': 'b\nc' }],
    ['a NUL in a value', { 'x-a': 'b\0' }],
    ['a letter outside Latin-1 in a value', { 'x-a': '…' }],
    ['a line break in a name', { 'x-a: 1\r\nx-b': '2' }],
    ['an empty name', { '': '2' }],
    ['Host', { Host: 'internal.example' }],
    ['Content-Length', { 'Content-Length': '0' }],
    ['Transfer-Encoding', { 'Transfer-Encoding': 'chunked' }],
    ['Connection', { connection: 'upgrade' }],
    ['Upgrade', { Upgrade: 'websocket' }],
    ['Expect', { Expect: '100-continue' }],
    ['Proxy-Authorization', { 'Proxy-Authorization': 'Basic eA==' }],
    ['TE', { te: 'trailers' }],
    ['more than 16 kB', { 'x-a': 'a'.repeat(16_384) }],
    [
      'more than 100 headers',
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, '1'])),
    ],
  ])('must not contain %s, and is refused before anything is sent', async (_what, headers) => {
    let connections = 0;
    const port = await serve(() => (connections += 1));
    const outcome = await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(
      post(`http://127.0.0.1:${port}/`, { headers }),
    );
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'header_not_allowed' });
    expect(connections).toBe(0);
  });

  test('is not repeated in the refusal of a value', async () => {
    const outcome = await client({}).request(
      post('https://example.com/', { headers: { authorization: 'Bearer top\nsecret' } }),
    );
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test('has one of the five methods of the contract', async () => {
    for (const method of ['CONNECT', 'TRACE', 'get', 'GET / HTTP/1.1\r\n']) {
      expect(await client({}).request(post('https://example.com/', { method }))).toMatchObject({
        kind: 'refused',
        reason: 'method_not_allowed',
      });
    }
  });

  test('gets no header of ours except Accept-Encoding', async () => {
    let names: string[] = [];
    const port = await serve((req, res) => {
      names = Object.keys(req.headers).toSorted();
      res.end();
    });
    await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(
      post(`http://127.0.0.1:${port}/`, { method: 'GET', body: null, headers: {} }),
    );
    expect(names).toEqual(['accept-encoding', 'connection', 'host']);
  });
});

describe('the limits of time and length', () => {
  test('cut an endless answer at the maximum and close its connection', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const port = await serve((_req, res) => {
      closed = new Promise((resolve) => res.once('close', resolve));
      const timer = setInterval(() => res.write('x'.repeat(65_536)), 1);
      res.once('close', () => clearInterval(timer));
    });
    const outcome = await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(
      post(`http://127.0.0.1:${port}/`),
    );
    expect(outcome).toEqual(
      expect.objectContaining({
        kind: 'answered',
        statusCode: 200,
        bodyText: 'x'.repeat(8192),
        truncated: true,
      }),
    );
    await closed;
  });

  test('allow a body of exactly the maximum and no byte more', async () => {
    const port = await serve((req, res) => res.end('x'.repeat(req.url === '/fits' ? 8192 : 8193)));
    const one = client({ allowedPrivateHosts: ['127.0.0.1:*'] });
    expect(await one.request(post(`http://127.0.0.1:${port}/fits`))).toMatchObject({ truncated: false });
    expect(await one.request(post(`http://127.0.0.1:${port}/more`))).toMatchObject({ truncated: true });
  });

  test('omit a character that the maximum cuts in two', async () => {
    const port = await serve((_req, res) => res.end('ééé'));
    expect(
      await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(
        post(`http://127.0.0.1:${port}/`, { maxResponseBytes: 3 }),
      ),
    ).toMatchObject({ bodyText: 'é', truncated: true });
  });

  test('never decompress a body', async () => {
    const port = await serve((_req, res) =>
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    );
    expect(
      await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(post(`http://127.0.0.1:${port}/`)),
    ).toMatchObject({ kind: 'answered', bodyText: '', truncated: true });
  });

  test('end a request to a server that never answers at the timeout', async () => {
    const port = await serve(() => {});
    expect(
      await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(
        post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }),
      ),
    ).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  test('keep status and received bytes of a body that is slower than the timeout', async () => {
    const port = await serve((_req, res) => {
      const timer = setInterval(() => res.write('.'), 20);
      res.once('close', () => clearInterval(timer));
    });
    const outcome = await client({ allowedPrivateHosts: ['127.0.0.1:*'] }).request(
      post(`http://127.0.0.1:${port}/`, { timeoutMs: 300 }),
    );
    expect(outcome).toMatchObject({
      kind: 'answered',
      statusCode: 200,
      truncated: true,
      bodyText: expect.stringMatching(/^\.+$/),
    });
  });

  test('end a hanging look-up and a silent TLS peer at the connect timeout', async () => {
    const hanging = client({ resolve: () => new Promise(() => {}), connectTimeoutMs: 100 });
    expect(await hanging.request(post('https://hooks.example.com/'))).toMatchObject({
      kind: 'failed',
      reason: 'connect_timeout',
    });
    const silent = await serveTcp(() => {});
    const waiting = client({ allowedPrivateHosts: ['127.0.0.1:*'], connectTimeoutMs: 100 });
    expect(await waiting.request(post(`https://127.0.0.1:${silent}/`))).toMatchObject({
      kind: 'failed',
      reason: 'connect_timeout',
    });
  });

  test('have distinct reasons for a name without address, a closed port and a broken answer', async () => {
    const unknown = client({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await unknown.request(post('https://nowhere.example.com/'))).toEqual({
      kind: 'failed',
      reason: 'dns',
      message: 'nowhere.example.com has no address',
    });
    const local = client({ allowedPrivateHosts: ['127.0.0.1:*'] });
    expect(await local.request(post('http://127.0.0.1:1/'))).toEqual({
      kind: 'failed',
      reason: 'network',
      message: 'The connection to 127.0.0.1:1 failed (ECONNREFUSED)',
    });
    const noHttp = await serveTcp((socket) =>
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
    );
    expect(await local.request(post(`http://127.0.0.1:${noHttp}/`))).toMatchObject({
      kind: 'failed',
      reason: 'answer_invalid',
    });
    const longHeader = await serveTcp((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`)),
    );
    expect(await local.request(post(`http://127.0.0.1:${longHeader}/`))).toMatchObject({
      kind: 'failed',
      reason: 'answer_invalid',
    });
    const dropping = await serveTcp((socket) => socket.once('data', () => socket.destroy()));
    expect(await local.request(post(`http://127.0.0.1:${dropping}/`))).toMatchObject({
      kind: 'failed',
      reason: 'network',
    });
  });

  test('report that the caller aborted, before and during the answer', async () => {
    const port = await serve((_req, res) => res.write('.'));
    const one = client({ allowedPrivateHosts: ['127.0.0.1:*'] });
    expect(
      await one.request(post(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() })),
    ).toMatchObject({ kind: 'failed', reason: 'aborted' });
    expect(
      await one.request(post(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(100) })),
    ).toMatchObject({ kind: 'failed', reason: 'aborted' });
  });
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readBody } from '../../src/api/body/read-body.ts';
import { createHttpServer } from '../../src/api/http-server.ts';
import { noMetrics } from '../../src/runtime/metrics.ts';
import { noTracing } from '../../src/runtime/tracing.ts';
import { createEchoApp, serveApp } from '../support/api-server.ts';
import { sendRaw } from '../support/raw-packet.ts';
import { until } from '../support/until.ts';

test('a fault in the listeners of one request or connection leaves the API to the others', async () => {
  const fault = (): never => {
    throw new Error('a fault in a listener');
  };
  const lines: string[] = [];
  const write = (line: string): void => (line.includes('Request answered') ? fault() : void lines.push(line));
  const log = pino({}, { write });
  const tracing = {
    ...noTracing,
    isOn: true,
    begin: (...asked: Parameters<typeof noTracing.begin>) => ({ ...noTracing.begin(...asked), end: fault }),
  };
  const app = createEchoApp({ log, tracing, metrics: { ...noMetrics, observe: fault } });
  const server = createHttpServer(app, { log, freshRequestId: fault });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  try {
    const malformed = await sendRaw(port, 'garbage\r\n\r\n');
    expect(malformed).toEqual({ text: '', isClosed: true });
    const behindAnother = await sendRaw(
      port,
      'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n',
    );
    expect(behindAnother).toEqual({ text: expect.stringMatching(/^HTTP\/1\.1 200 /), isClosed: true });
    const { text } = await sendRaw(
      port,
      'GET /api/v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    const told = ['A connection failed', 'A request could not be measured', 'A request could not be traced'];
    await until('the reports', () =>
      Promise.resolve(told.every((each) => lines.some((line) => line.includes(each)))),
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('a body that cannot be put together fails only its request', async () => {
  const app = await serveApp((req, res) => {
    if (req.url === '/text') req.setEncoding('utf8'); // its parts are no bytes
    readBody(req).then(
      (body) => res.end(body),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  const send = async (path: string) => {
    const answer = await fetch(`${app.url}${path}`, { method: 'POST', body: 'Hello' });
    return [answer.status, await answer.text()];
  };
  try {
    expect(await send('/text')).toEqual([500, expect.stringContaining('TypeError')]);
    expect(await send('/')).toEqual([200, 'Hello']);
  } finally {
    await app.close();
  }
});

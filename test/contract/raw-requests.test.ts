import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { createHttpServer } from '../../src/api/http-server.ts';
import { createEchoApp } from '../support/api-server.ts';

/** Raw bytes that no client library sends. */
let server: Server;
let port: number;
beforeAll(async () => {
  server = createHttpServer(createEchoApp(), {
    log: pino({ level: 'silent' }),
    freshRequestId: () => 'fresh-id',
    limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, checkEveryMs: 50 },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port; // eslint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

/**
 * Sends the pieces until the server answers. Returns everything that the server sent before it closed the
 * connection.
 */
async function exchange(...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // the server may close the connection during the request
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) {
    if (chunks.length > 0 || socket.destroyed) break;
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  return Buffer.concat(chunks).toString('latin1');
}

interface Told {
  status: number;
  body: string;
}

/** Splits the answers of one connection. */
function read(text: string): Told[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((each) => each !== '')
    .map((each) => ({ status: Number(each.slice(9, 12)), body: each.slice(each.indexOf('\r\n\r\n') + 4) }));
}

const path = '/api/v1/workflow/create/definition';
const body = '{"name":"a","workflow_definition":{}}';
const head = (...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: a', 'X-API-Key: good', 'Connection: close', ...lines, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const post = (content: Buffer | string, ...lines: string[]) => [
  head(json, `Content-Length: ${Buffer.byteLength(content)}`, ...lines),
  content,
];
const malformed = {
  status: 400,
  body: '{"detail":"The request is not valid HTTP","code":"bad_request","request_id":"fresh-id"}',
};
const unreadable = {
  status: 400,
  body: '{"detail":"There was an error parsing the body","code":"unreadable_body","request_id":"fresh-id"}',
};
const tooLarge = {
  status: 413,
  body: '{"detail":"Request body too large","code":"body_too_large","request_id":"fresh-id"}',
};
const tooManyHeaders = {
  status: 431,
  body: '{"detail":"The headers are larger than 16 KiB","code":"headers_too_large","request_id":"fresh-id"}',
};
const tooSlow = {
  status: 408,
  body: '{"detail":"The request did not arrive in time","code":"request_timeout","request_id":"fresh-id"}',
};

const isAlive = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;

// guarantee: malformed-http-gets-json-error
describe('malformed HTTP gets a JSON error, and the connection is closed', () => {
  test.each<[string, (string | Buffer)[], object]>([
    ['garbage', ['\u0000\u0001\u0002 garbage\r\n\r\n'], malformed],
    ['a TLS greeting', [Buffer.from('16030100c8010000c40303', 'hex')], malformed],
    ['an unknown verb', [`FROB ${path} HTTP/1.1\r\nHost: a\r\n\r\n`], malformed],
    ['HTTP of another version', [`GET ${path} HTTP/9.9\r\nHost: a\r\n\r\n`], malformed],
    ['NUL in a header', [head('X-A: a\u0000b')], malformed],
    ['a header without a colon', [head('X-A')], malformed],
    ['a length that is not a number', [head(json, 'Content-Length: 1e3')], malformed],
    ['a negative length', [head(json, 'Content-Length: -1')], malformed],
    ['two lengths', [head(json, 'Content-Length: 2', 'Content-Length: 3'), '{}'], malformed],
    [
      'a length and chunks (smuggling)',
      [
        head(json, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
        '0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n',
      ],
      malformed,
    ],
    [
      'chunks that are not the last coding (smuggling)',
      [head(json, 'Transfer-Encoding: chunked, gzip'), '0\r\n\r\n'],
      malformed,
    ],
    [
      'a coding that is nearly chunks (smuggling)',
      [head(json, 'Transfer-Encoding: xchunked'), '0\r\n\r\n'],
      malformed,
    ],
    [
      'a space before the colon (smuggling)',
      [head(json, 'Transfer-Encoding : chunked'), '0\r\n\r\n'],
      malformed,
    ],
    ['chunks of no size', [head(json, 'Transfer-Encoding: chunked'), 'zz\r\n{}\r\n0\r\n\r\n'], malformed],
    [
      '10,000 headers',
      [head(...Array.from({ length: 10_000 }, (_, index) => `X-${index}: a`))],
      tooManyHeaders,
    ],
    ['one header of 100 KB', [head(`X-A: ${'a'.repeat(100_000)}`)], tooManyHeaders],
    ['an address of 100 KB', [`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`], tooManyHeaders],
    ['a head that does not end', [`POST ${path} HTTP/1.1\r\nHost: a\r\nX-A`], tooSlow],
    ['a body that does not end', [head(json, 'Content-Length: 100'), '{"a"'], tooSlow],
    ['chunks that do not end', [head(json, 'Transfer-Encoding: chunked'), '2\r\n{}\r\n'], tooSlow],
  ])('%s', async (_name, pieces, answer) => {
    expect(read(await exchange(...pieces))).toEqual([answer]);
    expect(await isAlive()).toBe(200);
  });
});

describe('unusual but valid requests are answered by the rules', () => {
  test.each<[string, (string | Buffer)[], object[]]>([
    [
      'a body with a byte order mark',
      post(`\ufeff${body}`),
      [{ status: 200, body: expect.stringContaining('"name":"a"') }],
    ],
    [
      'a body in pieces of one byte',
      [head(json, `Content-Length: ${body.length}`), ...body.split('')],
      [{ status: 200, body: expect.stringContaining('"name":"a"') }],
    ],
    [
      'chunks with extensions and trailers',
      [
        head(json, 'Transfer-Encoding: chunked'),
        `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX-T: a\r\n\r\n`,
      ],
      [{ status: 200, body: expect.stringContaining('"name":"a"') }],
    ],
    ['more than its length says', [...post('{}'), '{"name":1}'], [{ status: 422 }]],
    ['bytes that are not UTF-8', post(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), [unreadable]],
    ['UTF-16', post(Buffer.from(`\ufeff${body}`, 'utf16le')), [unreadable]],
    ['a compressed body', post(gzipSync(body), 'Content-Encoding: gzip'), [unreadable]],
    [
      'a compressed body that would be 100 MB, which is never inflated',
      post(gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'Content-Encoding: gzip'),
      [unreadable],
    ],
    [
      'no content type',
      [head(`Content-Length: ${body.length}`), body],
      [{ status: 422, body: expect.stringContaining('model_attributes_type') }],
    ],
    [
      'a length of 100 MB, before a byte of it is sent',
      [head(json, `Content-Length: ${100 * 1024 * 1024}`)],
      [tooLarge],
    ],
    ['a length that no number holds', [head(json, 'Content-Length: 18446744073709551615')], [tooLarge]],
    [
      'an expectation of 100 MB',
      [head(json, `Content-Length: ${100 * 1024 * 1024}`, 'Expect: 100-continue')],
      [{ status: 100 }, tooLarge],
    ],
    ['HTTP/1.0', ['GET /healthz HTTP/1.0\r\n\r\n'], [{ status: 200 }]],
    [
      'a target with an origin',
      ['GET http://elsewhere.test/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
      [{ status: 200 }],
    ],
    [
      'OPTIONS *',
      ['OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
      [{ status: 404, body: expect.stringContaining('"detail":"Not Found"') }],
    ],
    [
      'TRACE',
      ['TRACE /healthz HTTP/1.1\r\nHost: a\r\nX-Secret: b\r\nConnection: close\r\n\r\n'],
      [
        {
          status: 405,
          body: '{"detail":"Method Not Allowed","code":"method_not_allowed","request_id":"fresh-id"}',
        },
      ],
    ],
    ['CONNECT', ['CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: a\r\n\r\n'], []],
    [
      'a request to upgrade the protocol',
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'],
      [{ status: 200 }],
    ],
    ['no host', ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'], [{ status: 400 }]],
    [
      'three requests at once, answered in order',
      [
        'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nHEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      ],
      [{ status: 200 }, { status: 404 }, { status: 405, body: '' }],
    ],
    [
      'a request followed by garbage',
      ['GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n'],
      [{ status: 404 }, malformed],
    ],
  ])('%s', async (_name, pieces, answers) => {
    expect(read(await exchange(...pieces))).toMatchObject(answers);
    expect(await isAlive()).toBe(200);
  });

  test('endless chunks are refused as soon as they exceed the limit', async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    expect(
      read(
        await exchange(
          head(json, 'Transfer-Encoding: chunked').replace('Connection: close\r\n', ''),
          ...Array.from({ length: 1600 }, () => chunk),
        ),
      )[0],
    ).toEqual(tooLarge);
    expect(await isAlive()).toBe(200);
  });
});

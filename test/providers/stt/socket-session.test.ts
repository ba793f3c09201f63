import { once, type EventEmitter } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import {
  defaultSttTiming,
  openSocketSession,
  type SttProtocol,
  type SttTiming,
} from '../../../src/providers/stt/socket-session.ts';
import type { SttEvent, SttSession } from '../../../src/providers/stt/port.ts';
import { closeServer, portOf } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const fault = (): never => {
  throw new Error('a fault in a listener');
};

/** A recognizer that does this with each connection; answers its URL. */
async function serve(onConnection: (socket: WebSocket) => void = () => undefined): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', onConnection);
  closing.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return await urlOf(server);
}

/** Answers HTTP. */
async function refuse(): Promise<string> {
  const server = createHttpServer((_req, res) => res.writeHead(500).end()).listen(0, '127.0.0.1');
  closing.push(() => closeServer(server));
  return await urlOf(server);
}

/** Accepts connections and never answers. */
async function beMute(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return await urlOf(server);
}

async function urlOf(server: EventEmitter & Parameters<typeof portOf>[0]): Promise<string> {
  await once(server, 'listening');
  return `ws://127.0.0.1:${portOf(server)}`;
}

const protocol: SttProtocol = {
  hello: [],
  audio: ({ buffer }) => Buffer.from(buffer),
  finalize: 'finalize',
  goodbye: 'goodbye',
  keepAlive: 'alive',
  read: () => [],
};

function open({ url, speaks = protocol, timing = {} }: Case & { url: string }) {
  const told: SttEvent[] = [];
  const session = openSocketSession({
    url,
    headers: {},
    agent: undefined,
    protocolOf: () => speaks,
    options: {
      sampleRate: 8000,
      language: 'en',
      model: null,
      keyTerms: [],
      onEvent: (event) => told.push(event),
    },
    timing: { ...defaultSttTiming, ...timing },
    onDropped: () => undefined,
  });
  const tells = async (kind: SttEvent['kind']) =>
    await until(`the event ${kind}`, () => Promise.resolve(told.some((each) => each.kind === kind)));
  return { session, told, tells };
}

interface Case {
  speaks?: SttProtocol;
  timing?: Partial<SttTiming>;
}

/** More than a socket takes at once, so the next frame waits for its end. */
const longFrame = 8_000_000;
const unsendable: Buffer = Object.defineProperty(Buffer.alloc(2), 'length', { get: fault });

test('sends sound in messages of 60 ms, in order, and what it holds before a request', async () => {
  const got: (number | string)[] = [];
  const url = await serve((socket) =>
    socket.on('message', (data: Buffer, isBinary) =>
      got.push(isBinary ? new Int16Array(new Uint8Array(data).buffer).join('') : data.toString()),
    ),
  );
  const { session, tells } = open({ url });
  await tells('interim');
  for (let at = 1; at <= 5; at += 1) session.push(new Int16Array(160).fill(0).with(0, at), at * 20);
  session.finalize();
  await until('the request', () => Promise.resolve(got.includes('finalize')));
  const silence = '0'.repeat(159);
  expect(got).toEqual([
    ['1', '2', '3'].map((first) => first + silence).join(''),
    ['4', '5'].map((first) => first + silence).join(''),
    'finalize',
  ]);
  await session.close();
});

/** Each listener: the protocol that fails in it, and what the server and we do until then. */
const ofTheProtocol: [
  string,
  Case & { onConnection?: (socket: WebSocket) => void; act?: (session: SttSession) => void },
][] = [
  ['an open connection', { speaks: { ...protocol, hello: Object.assign([], { [Symbol.iterator]: fault }) } }],
  [
    'a message',
    { speaks: { ...protocol, read: fault }, onConnection: (socket) => socket.send('{"text":"Hello"}') },
  ],
  [
    'a heartbeat',
    {
      speaks: {
        ...protocol,
        get keepAlive() {
          return fault();
        },
      },
      timing: { heartbeatMs: 20 },
    },
  ],
  [
    'sound that was sent',
    {
      speaks: {
        ...protocol,
        audio: (frame) => (frame.length === longFrame ? protocol.audio(frame) : unsendable),
      },
      act(session) {
        session.push(new Int16Array(longFrame), 0);
        session.push(new Int16Array(480), 20);
      },
      timing: { queueMs: Infinity },
    },
  ],
];

test.each(ofTheProtocol)(
  'a fault in the handling of %s ends the session with this fault',
  async (_which, { onConnection, act, ...asked }) => {
    const { session, told, tells } = open({ ...asked, url: await serve(onConnection) });
    if (act !== undefined) {
      await tells('interim');
      act(session);
    }
    await tells('closed');
    expect(told.filter(({ kind }) => kind !== 'interim')).toEqual([
      { kind: 'fault', error: expect.objectContaining({ cause: new Error('a fault in a listener') }) },
      { kind: 'closed' },
    ]);
    await session.close();
  },
);

/** Each listener that does nothing but end the session: what calls it. */
const endings: [string, Case & { url: () => Promise<string>; isClosed?: true }][] = [
  ['the wait for the last words', { url: () => serve(), timing: { closeMs: 20 }, isClosed: true }],
  ['a connection that takes too long', { url: beMute, timing: { connectMs: 20 } }],
  ['a refused connection', { url: refuse }],
  ['an address without a server', { url: () => Promise.resolve('ws://127.0.0.1:1') }],
  ['the end of the connection', { url: () => serve((socket) => socket.close()) }],
];

test.each(endings)(
  'a fault while a socket is torn down in the handling of %s ends no process, and the session still ends',
  async (_which, { url: serve, isClosed = false, ...asked }) => {
    const url = await serve();
    const broken = jest.spyOn(WebSocket.prototype, 'terminate').mockImplementation(fault);
    closing.push(() => broken.mockRestore());
    const { session, tells } = open({ ...asked, url });
    if (isClosed) {
      await tells('interim');
      void session.close();
    }
    await until('the fault', () => Promise.resolve(broken.mock.results.length > 0));
    await tells('closed');
    await session.close();
    expect(broken.mock.results).toEqual([{ type: 'throw', value: new Error('a fault in a listener') }]);
  },
);

import { once } from 'node:events';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import type { StreamDeps } from '../../../src/media/server/deps.ts';
import { createSessions } from '../../../src/media/sessions.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { createFrameClock, type FrameClock } from '../../../src/media/playout/frame-clock.ts';
import { connectCarrier } from '../../support/media/carrier-client.ts';
import { quietLimits, startTestHost, type TestHost } from '../../support/media/host.ts';
import { sendRaw, upgradeTo } from '../../support/raw-packet.ts';
import { until } from '../../support/until.ts';

const fault = (): never => {
  throw new Error('a fault in a listener');
};

/** The interval of pings. */
const pingMs = 2000;
const allButIntervals = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
] as const;

/** Works until the call has begun. */
function brokenClock(): FrameClock {
  const clock = createFrameClock();
  let isJoined = false;
  return {
    ...clock,
    now: () => (isJoined ? fault() : clock.now()),
    join() {
      isJoined = true;
      return () => undefined;
    },
  };
}

describe('a fault of one connection to a media host', () => {
  let host: TestHost | undefined;
  afterEach(async () => {
    await host?.close();
    host = undefined;
  });

  test.each(['//', '///', 'http://[', '//[::1', 'http://a:99999/'])(
    'an upgrade to %s is answered with 404, and the connection is closed',
    async (target) => {
      host = await startTestHost();
      const { text, isClosed } = await sendRaw(host.server.port, upgradeTo(target));
      expect(text).toMatch(/^HTTP\/1\.1 404 /);
      expect(isClosed).toBe(true);
    },
  );

  test('leaves the calls of others as they are', async () => {
    host = await startTestHost();
    host.seat(9);
    const carrier = await connectCarrier(host.url(9));
    carrier.start();
    await host.live(9);
    await sendRaw(host.server.port, upgradeTo('//'));
    expect(host.sessions.find(9, 1)?.state.kind).toBe('live');
    expect(carrier.ws.readyState).toBe(WebSocket.OPEN);
  });

  // guarantee: listener-fault-stays-with-its-connection
  test('closes the connection when it is in the handling of a message', async () => {
    let isFaulty = false;
    const clock = createFrameClock();
    host = await startTestHost({
      deps: { clock: { ...clock, now: () => (isFaulty ? fault() : clock.now()) } },
    });
    host.seat(9);
    const carrier = await connectCarrier(host.url(9));
    carrier.start();
    await host.live(9);
    isFaulty = true;
    carrier.media(1, new Int16Array(160));
    await carrier.closed;
    isFaulty = false;
    await until('the end of the call', () => Promise.resolve(host?.ended.length === 1));
    expect(host.sessions.all()).toEqual([]);
  });

  /** Each listener: what is broken in it, and what calls it on the socket of a browser. */
  const listeners: [string, Partial<StreamDeps>, (ws: WebSocket) => unknown][] = [
    ['an upgrade', { webOrigins: Object.assign([], { includes: fault }) }, () => undefined],
    ['a message', { clock: brokenClock() }, (ws) => ws.send(new Uint8Array(640))],
    ['an answer to a ping', { clock: brokenClock() }, (ws) => ws.pong()],
    ['its end', { metrics: { ...noMetrics, count: fault } }, (ws) => ws.close()],
    [
      'the end of its call',
      { sessions: createSessions({ limits: quietLimits, onOver: fault }) },
      (ws) => ws.close(),
    ],
    [
      'a message that is too long',
      { sessions: createSessions({ limits: quietLimits, onOver: fault }) },
      (ws) => ws.send(new Uint8Array(257 * 1024)),
    ],
  ];

  test.each(listeners)('stays with it when it is in the handling of %s', async (_which, deps, act) => {
    host = await startTestHost({ deps });
    const { port } = host.server;
    const ws = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/call/5/9?token=bb`, {
      origin: 'https://console.example',
    });
    ws.on('error', () => undefined);
    const closed = new Promise((resolve) => ws.on('close', resolve));
    ws.on('message', () => act(ws));
    await closed;
    await until('the end at the host', () => Promise.resolve(host?.server.sockets === 0));
    expect((await sendRaw(port, upgradeTo('//'))).text).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('is reported when its ping cannot be sent, and the next one is sent', async () => {
    jest.useFakeTimers({ doNotFake: [...allButIntervals] });
    const broken = jest.spyOn(WebSocket.prototype, 'ping').mockImplementationOnce(fault);
    try {
      const lines: string[] = [];
      host = await startTestHost({ deps: { log: pino({}, { write: (line: string) => lines.push(line) }) } });
      host.seat(9);
      const carrier = await connectCarrier(host.url(9));
      await until('its connection', () => Promise.resolve(host?.server.sockets === 1));
      jest.advanceTimersByTime(pingMs);
      expect(lines).toEqual([expect.stringContaining('The media sockets could not be pinged')]);
      const pinged = once(carrier.ws, 'ping');
      jest.advanceTimersByTime(pingMs);
      await pinged;
    } finally {
      broken.mockRestore();
      jest.useRealTimers();
    }
  });
});

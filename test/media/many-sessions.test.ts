import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { createFrameClock } from '../../src/media/playout/frame-clock.ts';
import { connectCarrier } from '../support/media/carrier-client.ts';
import { startTestHost } from '../support/media/host.ts';
import { until } from '../support/until.ts';

/** Live memory of this process after garbage collection, in MiB. */
function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('the garbage collector cannot be called');
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

// guarantee: ended-call-frees-media-host
test('a thousand calls in batches leave no session, socket, timer or memory behind', async () => {
  const host = await startTestHost({
    deps: {
      clock: createFrameClock(),
      background: () => Promise.resolve({ volume: 0.3, loop: () => new Int16Array(8000).fill(500) }),
      openRecording: () =>
        Promise.resolve({ write: () => Promise.resolve(), close: () => Promise.resolve() }),
    },
  });
  const before = timers();
  let heard = 0;

  async function oneCall(callId: number): Promise<void> {
    host.seat(callId);
    const carrier = await connectCarrier(host.url(callId));
    carrier.start();
    const leg = await host.live(callId);
    leg.onFrame(() => {
      heard += 1;
    });
    leg.onGone(() => undefined);
    leg.playout.add({ clauseId: 1, samples: new Int16Array(8000).fill(900), isLast: true });
    for (let chunk = 1; chunk <= 5; chunk += 1) carrier.media(chunk, new Int16Array(160).fill(chunk));
    await until('the frames', () => Promise.resolve(carrier.heard().length > 800));
    if (callId % 3 === 0) carrier.send({ event: 'stop' });
    else if (callId % 3 === 1) carrier.ws.terminate();
    else host.sessions.find(callId, 1)?.report({ kind: 'released' });
    await carrier.closed;
  }

  async function batches(from: number, to: number): Promise<void> {
    for (let first = from; first < to; first += 25)
      await Promise.all(Array.from({ length: 25 }, (_, index) => oneCall(first + index)));
    await until('no socket is left', () =>
      Promise.resolve(host.server.sockets === 0 && host.sessions.all().length === 0),
    );
  }

  await batches(1, 201);
  const warm = heapMiB();
  await batches(201, 1201);
  const after = heapMiB();
  expect(heard).toBe(1200 * 5);
  // A timer of the test runner may have ended meanwhile.
  expect({
    sessions: host.sessions.all(),
    sockets: host.server.sockets,
    timers: Math.max(0, timers() - before),
  }).toEqual({ sessions: [], sockets: 0, timers: 0 });
  // A thousand kept sessions with their windows of sound would be hundreds of MiB.
  expect(after - warm).toBeLessThan(10);
  host.ended.length = 0;
  await host.close();
});

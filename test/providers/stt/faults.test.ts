import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Fault } from '../../../emulators/stt/faults.ts';
import { reconnectingStt } from '../../../src/providers/stt/reconnecting.ts';
import type { SttTiming } from '../../../src/providers/stt/socket-session.ts';
import { openWatched, silence, startSttBench, type SttBench } from '../../support/stt-emulator.ts';
import { until } from '../../support/until.ts';

let bench: SttBench;
/** Accepts connections and never answers. */
let mute: Server;
beforeAll(async () => {
  bench = await startSttBench();
  mute = createServer().listen(0, '127.0.0.1');
});
afterAll(async () => {
  mute.close();
  await bench.close();
});

const muteUrl = () => {
  const address = mute.address();
  return `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

interface Case {
  faults?: Fault[];
  url?: () => string;
  timing?: Partial<SttTiming>;
  isClosed?: true;
}

/** Each listener and timer of a session, by what calls it. */
const cases: [string, Case][] = [
  ['an open connection', {}],
  ['a message', { faults: [{ kind: 'error' }] }],
  ['a refused connection', { faults: [{ kind: 'refused', status: 500 }] }],
  ['an address without a server', { url: () => 'ws://127.0.0.1:1' }],
  ['the end of the connection', { faults: [{ kind: 'gone' }] }],
  ['a connection that takes too long', { url: muteUrl, timing: { connectMs: 20 } }],
  ['a connection that stopped answering', { faults: [{ kind: 'half_open' }], timing: { heartbeatMs: 20 } }],
  ['an unusable address', { url: () => 'no address' }],
  [
    'the wait for the last words',
    { faults: [{ kind: 'half_open' }], timing: { closeMs: 20 }, isClosed: true },
  ],
];

test.each(cases)(
  'a fault in the handling of %s ends only the session',
  async (_which, { faults = [], url, timing = {}, isClosed = false }) => {
    const { stt } = bench.sttThat('telnyx', faults, { timing, ...(url === undefined ? {} : { url: url() }) });
    const told: string[] = [];
    let isFaulty = !isClosed;
    const session = stt.open({
      sampleRate: 8000,
      language: 'en',
      model: null,
      keyTerms: [],
      onEvent({ kind }) {
        told.push(kind);
        if (isFaulty) throw new Error('a fault in a listener');
      },
    });
    session.push(silence(20), 0);
    await until('an event', () => Promise.resolve(told.length > 0));
    isFaulty = true;
    await session.close();
    expect(told.filter((kind) => kind === 'closed').length).toBeLessThan(2);
  },
);

test('a recognizer whose loss cannot be noted ends the session with a fault', async () => {
  const { stt } = bench.sttThat('telnyx', [{ kind: 'gone' }]);
  const onLost = (): never => {
    throw new Error('a fault in a listener');
  };
  const heard = openWatched(reconnectingStt(stt, { onLost }));
  await heard.next('closed');
  expect(heard.events).toEqual([
    { kind: 'fault', error: expect.objectContaining({ cause: new Error('a fault in a listener') }) },
    { kind: 'closed' },
  ]);
});

test('a recognizer that cannot be opened again ends the session with a fault', async () => {
  const { stt } = bench.sttThat('telnyx', [{ kind: 'gone' }]);
  let opened = 0;
  const fragile = reconnectingStt({
    ...stt,
    open(asked) {
      opened += 1;
      if (opened > 1) throw new Error('a fault in a timer');
      return stt.open(asked);
    },
  });
  const heard = openWatched(fragile);
  await heard.next('closed');
  expect(heard.events).toContainEqual({
    kind: 'fault',
    error: expect.objectContaining({ message: 'The speech recognition failed' }),
  });
});

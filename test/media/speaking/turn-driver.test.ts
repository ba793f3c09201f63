import { MessageChannel } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { createTurnDriver, type TurnDriver } from '../../../src/media/speaking/turn-driver.ts';
import type { TurnSettings } from '../../../src/domain/turn-taking/types.ts';
import { until } from '../../support/until.ts';

const settings: TurnSettings = {
  startStrategy: 'default',
  minWords: 1,
  provisionalPauseMs: 100,
  stopStrategy: 'transcription',
  smartTurnStopMs: 1000,
  userTurnStopTimeoutMs: 1000,
  idleMs: 0,
  maxDurationMs: 100,
  closingLeadMs: 50,
  p99FinalMs: 100,
  hasInterims: true,
  marksTurns: false,
  language: 'en',
  backchannels: [],
  voicemail: null,
};

test.each([
  ['after an event', (driver: TurnDriver) => driver.tell({ kind: 'listen' })],
  ['at a deadline', () => undefined],
])(
  'a fault while a command of turn taking is carried out %s is reported and goes no further',
  async (_when, act) => {
    const faults: unknown[] = [];
    let isBroken = false;
    const driver = createTurnDriver({
      settings,
      beganAtMs: performance.now(),
      nowMs: () => performance.now(),
      carryOut() {
        if (isBroken) throw new Error('a fault in a command');
      },
      onFault: (error) => faults.push(error),
    });
    isBroken = true;
    act(driver);
    await until('the fault', () => Promise.resolve(faults.length > 0));
    driver.close();
    expect(faults).toEqual([new Error('a fault in a command')]);
  },
);

// guarantee: late-deadline-lets-words-go-first
test('words that came while the host was busy belong to the turn whose end was due meanwhile', async () => {
  const ends: string[] = [];
  const driver = createTurnDriver({
    settings: { ...settings, maxDurationMs: 60_000 },
    beganAtMs: performance.now(),
    nowMs: () => performance.now(),
    carryOut: (command) => command.kind === 'end_turn' && ends.push(command.text),
    onFault: (error) => {
      throw error;
    },
  });
  driver.tell({ kind: 'listen' });
  driver.tell({ kind: 'voice_started' });
  driver.tell({ kind: 'interim', text: 'wait a' });
  driver.tell({ kind: 'voice_stopped' });
  // Like a socket, it is read after the timers that are due.
  const socket = new MessageChannel();
  socket.port2.on('message', () =>
    driver.tell({ kind: 'final', text: 'wait a moment', speechFinal: true, segmentId: 's1' }),
  );
  setImmediate(() => {
    socket.port1.postMessage('final');
    const until = performance.now() + 800;
    while (performance.now() < until);
  });
  await until('the end of the turn', () => Promise.resolve(ends.length > 0));
  driver.close();
  socket.port1.close();
  expect(ends).toEqual(['wait a moment']);
});

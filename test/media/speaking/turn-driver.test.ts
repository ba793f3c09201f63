import { expect, test } from '@jest/globals';
import { createTurnDriver } from '../../../src/media/speaking/turn-driver.ts';
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

test('a fault while a command of turn taking is carried out, also at a deadline, is reported and goes no further', async () => {
  const faults: unknown[] = [];
  const driver = createTurnDriver({
    settings,
    beganAtMs: performance.now(),
    nowMs: () => performance.now(),
    carryOut() {
      throw new Error('a fault in a command');
    },
    onFault: (error) => faults.push(error),
  });
  await until('a fault at a deadline', () => Promise.resolve(faults.length > 0));
  driver.close();
  expect(faults).toContainEqual(new Error('a fault in a command'));
});

import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { withAttempts } from '../../src/activities/attempts.ts';
import { beating } from '../../src/activities/beating.ts';
import { silentLogger } from '../support/quiet.ts';
import { until } from '../support/until.ts';

type Work = () => Promise<string>;

/** Each way to heartbeat while work runs. */
const ways: [string, (work: Work) => Promise<string>][] = [
  ['a long activity', (work) => withAttempts({ log: pino({ level: 'silent' }), ids: {} }, work)],
  ['an activity that is watched closely', (work) => beating(work, 20)],
];

test.each(ways)('heartbeats of %s that fail change nothing: the work goes on', async (_which, run) => {
  const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 300 }, { logger: silentLogger });
  let beats = 0;
  let isWorking = false;
  environment.on('heartbeat', () => {
    beats += 1;
    if (isWorking) throw new Error('a fault in a timer');
  });
  const done = environment.run(() =>
    run(async () => {
      isWorking = true;
      const before = beats;
      await until('two heartbeats', () => Promise.resolve(beats >= before + 2));
      return 'done';
    }),
  );
  expect(await done).toBe('done');
});

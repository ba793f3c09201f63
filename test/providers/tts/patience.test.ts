import { expect, test } from '@jest/globals';
import { Patience } from '../../../src/providers/tts/patience.ts';
import { defaultTtsTimeouts } from '../../../src/providers/tts/port.ts';
import { createManualTimer } from '../../support/manual-timer.ts';
import { until } from '../../support/until.ts';

test('a fault in the handling of a timeout is handled like the timeout', async () => {
  const timer = createManualTimer();
  const late: unknown[] = [];
  const patience = new Patience(timer, defaultTtsTimeouts, (error) => {
    late.push(error);
    if (late.length === 1) throw new Error('a fault in a timer');
  });
  patience.wait('firstByte');
  timer.advance(defaultTtsTimeouts.firstByteMs);
  await until('the fault', () => Promise.resolve(late.length > 1));
  expect(late).toEqual([expect.objectContaining({ reason: 'timeout' }), new Error('a fault in a timer')]);
});

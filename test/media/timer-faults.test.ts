import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Playout } from '../../src/media/leg.ts';
import { createHold } from '../../src/media/host/hold.ts';
import { createFrameClock } from '../../src/media/playout/frame-clock.ts';
import { ClausePlayer } from '../../src/media/speaking/clause-player.ts';
import { createHearing } from '../../src/media/speaking/hearing.ts';
import { createJournalWriter, stepJournal } from '../../src/media/speaking/journal-writer.ts';
import { Leaving } from '../../src/media/speaking/leaving.ts';
import { SpeechPace } from '../../src/domain/speech/speech-pace.ts';
import type { SttPort } from '../../src/providers/stt/port.ts';
import { createLiveLine } from '../support/media/live-line.ts';
import { until } from '../support/until.ts';

const fault = (): never => {
  throw new Error('a fault in a timer');
};
const place = { callId: 1, organizationId: 3, turnIndex: 0, visitIndex: 0, toolRound: 0 };

const silent: Playout = {
  add: () => undefined,
  clear: () => [],
  pause: () => undefined,
  resume: () => undefined,
  heard: () => [],
  isIdle: true,
  on: () => () => undefined,
};

/** Reports the end of an utterance as soon as a session was opened. */
const stt: SttPort = {
  simulated: true,
  provider: 'simulated',
  capabilities: { interims: true, endpointing: true, keyTerms: true, finalize: true, p99FinalMs: 400 },
  open({ onEvent }) {
    setImmediate(() => onEvent({ kind: 'utterance_end' }));
    return { push: () => undefined, finalize: () => undefined, close: () => Promise.resolve() };
  },
  warm: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Starts a timer or a listener whose work fails; answers what stops it. */
type Start = (onFault: (error: unknown) => void) => () => unknown;

const starts: [string, Start][] = [
  [
    'the clock of all streams',
    (onFault) => createFrameClock({ onTick: fault, onFault }).join(() => undefined),
  ],
  [
    'a tick of that clock',
    (onFault) => {
      let isBroken = false;
      const leave = createFrameClock({ now: () => (isBroken ? fault() : 0), onFault }).join(() => undefined);
      isBroken = true;
      return leave;
    },
  ],
  [
    'the watch for pauses',
    (onFault) => {
      let nowMs = 0;
      const hold = createHold({ nowMs: () => (nowMs += 5000), onHeld: fault, onFault });
      return () => hold.close();
    },
  ],
  [
    'the wait before a call leaves a host',
    (onFault) => {
      let nowMs = 0;
      const leaving = new Leaving({ nowMs: () => (nowMs += 5000), leave: fault, onFault });
      leaving.want();
      leaving.quiet();
      return () => leaving.busy();
    },
  ],
  [
    'the watch over a voice',
    (onFault) => {
      const line = createLiveLine();
      const player = new ClausePlayer({
        leg: { ...line.leg, playout: { ...silent, heard: fault } },
        clocks: { nowMs: () => 0, clock: { now: () => new Date() } },
        journal: { note: () => undefined },
        listener: { onStarted: () => undefined, onDrained: () => undefined, onClauseBegan: () => undefined },
        pace: new SpeechPace(),
        nextId: () => 1,
        firstPosition: 0,
        onFault,
      });
      player.feed(player.add({ text: 'Hello.', lineKind: 'reply' }), new Int16Array(160), false);
      return () => {
        player.close();
        line.close();
      };
    },
  ],
  [
    'the listener of a recognizer',
    (onFault) => {
      const line = createLiveLine();
      const hearing = createHearing({
        leg: line.leg,
        stt,
        model: null,
        language: 'en-US',
        keyTerms: [],
        tell: fault,
        onWords: () => undefined,
        onStall: () => undefined,
        onFault,
      });
      return () => {
        hearing.close();
        line.close();
      };
    },
  ],
  [
    'the journal',
    (onFault) => {
      const log = pino({ level: 'silent' });
      const writer = createJournalWriter({
        write: () => Promise.reject(new Error('MySQL is away')),
        log: Object.assign(log, { warn: fault, error: onFault }),
      });
      stepJournal({ writer, place, generation: 1 }).note({
        kind: 'clause',
        position: 0,
        text: 'Hello.',
        lineKind: 'reply',
        isFiller: false,
        recordingId: null,
        sentAt: null,
        playedAt: null,
        heardText: null,
      });
      return () => writer.close();
    },
  ],
];

test.each(starts)('a fault in %s is reported and ends no process', async (_which, start) => {
  const faults: unknown[] = [];
  const stop = start((error) => faults.push(error));
  await until('the report', () => Promise.resolve(faults.length > 0));
  await stop();
  expect(faults).not.toEqual([]);
});

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { advance, begin, nextDeadlineMs } from '../../../src/domain/turn-taking/machine.ts';
import { textOf, type TurnState } from '../../../src/domain/turn-taking/state.ts';
import type { TurnCommand, TurnEvent, TurnSettings } from '../../../src/domain/turn-taking/types.ts';
import { propertyRuns, propertySeed } from '../../support/seed.ts';
import { turnSettings } from './timeline.ts';

/** Properties of every conversation, whatever people, carrier, recognizer and model do. */

const seed = propertySeed('Turn taking', 20_261_122);
const checked = { seed, numRuns: propertyRuns(500) };

interface Timed {
  atMs: number;
  event: TurnEvent;
}

interface Played {
  commands: TurnCommand[];
  /** Events and commands in order. */
  log: (TurnEvent | TurnCommand)[];
  state: TurnState;
  deadlinesAhead: boolean;
  /** Times at which a turn was open while the caller was muted. */
  turnsWhileMuted: number;
}

/** With `punctual`, `time` comes at each deadline; otherwise only the listed events come. */
function run(
  settings: TurnSettings,
  timeline: readonly Timed[],
  { punctual = true, untilMs = 0 } = {},
): Played {
  const played: Played = {
    commands: [],
    log: [],
    state: begin(settings, 0),
    deadlinesAhead: true,
    turnsWhileMuted: 0,
  };
  const handle = (atMs: number, event: TurnEvent) => {
    const { state, commands } = advance(settings, played.state, atMs, event);
    played.state = state;
    played.commands.push(...commands);
    played.log.push(event, ...commands);
    if (state.isMuted && state.turn !== null) played.turnsWhileMuted += 1;
    played.deadlinesAhead &&= (nextDeadlineMs(state) ?? Infinity) > atMs;
  };
  const catchUp = (atMs: number) => {
    for (
      let due = nextDeadlineMs(played.state);
      due !== null && due < atMs;
      due = nextDeadlineMs(played.state)
    )
      handle(due, { kind: 'time' });
  };
  for (const { atMs, event } of timeline) {
    if (punctual) catchUp(atMs);
    handle(atMs, event);
  }
  if (punctual) catchUp(untilMs);
  return played;
}

/** Words of utterances that only show attention. */
const backchannels = Array.from(
  { length: 12 * 6 },
  (_each, index) => `a${Math.floor(index / 6)}w${index % 6}`,
);

const settings = fc
  .record({
    turn_start_strategy: fc.constantFrom('default', 'min_words', 'provisional_vad'),
    turn_start_min_words: fc.integer({ min: 1, max: 5 }),
    turn_stop_strategy: fc.constantFrom('transcription', 'turn_analyzer'),
    smart_turn_stop_secs: fc.constantFrom(0, 2, 8),
    max_user_idle_timeout: fc.constantFrom(0, 2, 10),
    voicemail_detection: fc.record({ enabled: fc.boolean() }),
    hasInterims: fc.boolean(),
    marksTurns: fc.boolean(),
    p99FinalMs: fc.constantFrom(200, 350, 1800),
  })
  .map(({ hasInterims, marksTurns, p99FinalMs, ...fields }) => ({
    ...turnSettings(fields, { recognizer: { hasInterims, marksTurns, p99FinalMs } }),
    backchannels,
  }));

/** Places events one after the other, each `gapMs` after the one before. */
function after(startMs: number, events: readonly [gapMs: number, event: TurnEvent][]): Timed[] {
  let atMs = startMs;
  return events.map(([gapMs, event]) => ({ atMs: (atMs += gapMs), event }));
}

/** Every word of every utterance is unique. Interims are prefixes, and some finals come twice. */
const speech = fc
  .array(
    fc.record({
      gapMs: fc.oneof(fc.nat(1000), fc.nat(9000)),
      words: fc.integer({ min: 1, max: 6 }),
      isBackchannel: fc.boolean(),
      interims: fc.array(fc.nat(5), { maxLength: 3 }),
      stepMs: fc.nat(400),
      isRepeated: fc.boolean(),
      isVoiced: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((utterances) => utterances.map((utterance, index) => ({ ...utterance, index })))
  .map((utterances) =>
    after(
      0,
      utterances.flatMap(
        ({
          gapMs,
          words,
          isBackchannel,
          interims,
          stepMs,
          isRepeated,
          isVoiced,
          index,
        }): [number, TurnEvent][] => {
          const said = Array.from(
            { length: words },
            (_each, word) => `${isBackchannel ? 'a' : 'u'}${index}w${word}`,
          );
          const final: TurnEvent = {
            kind: 'final',
            text: said.join(' '),
            segmentId: `s${index}`,
            speechFinal: true,
          };
          return [
            [gapMs, isVoiced ? { kind: 'voice_started' } : { kind: 'time' }],
            ...interims
              .toSorted((one, other) => one - other)
              .map((count): [number, TurnEvent] => [
                stepMs,
                { kind: 'interim', text: said.slice(0, count).join(' ') },
              ]),
            [stepMs, isVoiced ? { kind: 'voice_stopped' } : { kind: 'utterance_ended' }],
            [stepMs, final],
            ...(isRepeated ? [[stepMs, final] satisfies [number, TurnEvent]] : []),
          ];
        },
      ),
    ),
  );

const replies = fc
  .array(
    fc.record({
      gapMs: fc.nat(3000),
      allowInterrupt: fc.boolean(),
      listens: fc.boolean(),
      soundMs: fc.nat(5000),
      hasSound: fc.boolean(),
      isListen: fc.boolean(),
    }),
    { maxLength: 10 },
  )
  .map((list) =>
    after(
      0,
      list.flatMap(
        ({ gapMs, allowInterrupt, listens, soundMs, hasSound, isListen }, index): [number, TurnEvent][] => {
          if (isListen) return [[gapMs, { kind: 'listen' }]];
          return [
            [gapMs, { kind: 'reply_began', allowInterrupt, isFirst: index === 0, listens }],
            ...(hasSound
              ? [
                  [200, { kind: 'audio_started' }] satisfies [number, TurnEvent],
                  [soundMs, { kind: 'audio_drained' }] satisfies [number, TurnEvent],
                ]
              : []),
            [0, { kind: 'reply_complete' }],
          ];
        },
      ),
    ),
  );

/** Each typed text has words of its own. */
const numbered = (timed: Timed, index: number): Timed =>
  timed.event.kind === 'typed' ? { ...timed, event: { kind: 'typed', text: `typed${index}` } } : timed;

const others = fc
  .array(
    fc.record({
      atMs: fc.nat(40_000),
      event: fc.oneof(
        fc.constantFrom<TurnEvent>(
          { kind: 'voice_started' },
          { kind: 'voice_stopped' },
          { kind: 'utterance_ended' },
          { kind: 'time' },
        ),
        fc.boolean().map((isComplete): TurnEvent => ({ kind: 'analyzed', isComplete })),
        fc.boolean().map((isMachine): TurnEvent => ({ kind: 'opening_classified', isMachine })),
        fc.constant<TurnEvent>({ kind: 'typed', text: 'typed' }),
        fc.constantFrom('1', '#', '*').map((digit): TurnEvent => ({ kind: 'dtmf', digit })),
      ),
    }),
    { maxLength: 12 },
  )
  .map((list) => list.map(numbered));

const tools = fc
  .array(fc.record({ gapMs: fc.nat(6000), lastsMs: fc.nat(3000) }), { maxLength: 5 })
  .map((list) =>
    after(
      0,
      list.flatMap(({ gapMs, lastsMs }): [number, TurnEvent][] => [
        [gapMs, { kind: 'tool_began' }],
        [lastsMs, { kind: 'tool_ended' }],
      ]),
    ),
  );

const conversation = fc
  .tuple(speech, replies, tools, others)
  .map(([...parts]): Timed[] => [
    { atMs: 0, event: { kind: 'began' } },
    ...parts.flat().toSorted((one, other) => one.atMs - other.atMs),
  ]);

const anything = (check: (settings: TurnSettings, timeline: readonly Timed[]) => void) =>
  fc.assert(fc.property(settings, conversation, check), checked);

const textsOf = (commands: readonly TurnCommand[]) =>
  commands.flatMap((each) => (each.kind === 'end_turn' || each.kind === 'ignored' ? [each.text] : []));

describe('in any conversation', () => {
  test('every word of a final is in exactly one turn, is pending, or was ignored', () => {
    anything((settings, timeline) => {
      const { commands, state } = run(settings, timeline);
      const accounted = [...textsOf(commands), textOf(state)]
        .flatMap((text) => text.split(' '))
        .filter((word) => word !== '')
        .toSorted();
      const said = new Set(
        timeline.flatMap(({ event }) =>
          event.kind === 'final' || event.kind === 'typed' ? event.text.split(' ') : [],
        ),
      );
      expect(accounted).toEqual([...said].toSorted());
    });
  });

  test('no interruption happens and no turn is open while the caller is muted, and mutes alternate', () => {
    anything((settings, timeline) => {
      let isMuted = false;
      const { commands, turnsWhileMuted } = run(settings, timeline);
      const wrong = commands.filter(({ kind }) => {
        const isWrong =
          (kind === 'interrupt' && isMuted) ||
          (kind === 'mute_started' && isMuted) ||
          (kind === 'mute_stopped' && !isMuted);
        if (kind === 'mute_started' || kind === 'mute_stopped') isMuted = kind === 'mute_started';
        return isWrong;
      });
      expect([wrong, turnsWhileMuted]).toEqual([[], 0]);
    });
  });

  test('deadlines are in the future, and nothing waits after the last one', () => {
    anything((settings, timeline) => {
      const { deadlinesAhead, state } = run(settings, timeline, { untilMs: 10_000_000 });
      expect([deadlinesAhead, nextDeadlineMs(state)]).toEqual([true, null]);
    });
  });

  test('paused output is resumed or interrupted, unless a machine answered', () => {
    anything((settings, timeline) => {
      const { log, state } = run(settings, timeline, { untilMs: 10_000_000 });
      let [isPaused, isMachine] = [false, false];
      const wrong = log.filter((each) => {
        if (each.kind === 'opening_classified') isMachine ||= each.isMachine;
        const isWrong =
          (each.kind === 'pause_output' && isPaused && !isMachine) ||
          (each.kind === 'resume_output' && !isPaused);
        if (each.kind === 'pause_output') isPaused = true;
        if (each.kind === 'resume_output' || each.kind === 'interrupt') isPaused = false;
        return isWrong;
      });
      expect([wrong, state.pause, isPaused && !isMachine]).toEqual([[], null, false]);
    });
  });

  test('one turn is handed on per floor of the caller', () => {
    anything((settings, timeline) => {
      let listens = false;
      const wrong = run(settings, timeline).log.filter(({ kind }) => {
        const isHandedOn = kind === 'end_turn' || kind === 'keypad' || kind === 'idle';
        const isWrong = isHandedOn && !listens;
        if (kind === 'reply_began' || kind === 'listen') listens = true;
        if (isHandedOn) listens = false;
        return isWrong;
      });
      expect(wrong).toEqual([]);
    });
  });

  test('the model is asked ahead at most three times per turn, one at a time; the opening is judged once, and time is up once', () => {
    anything((settings, timeline) => {
      const { commands } = run(settings, timeline);
      const turns = commands
        .map(({ kind }) => kind)
        .join(' ')
        .split('user_started');
      for (const turn of turns) expect(turn.split('speculate ').length).toBeLessThanOrEqual(4);
      expect(commands.filter(({ kind }) => kind === 'classify_opening').length).toBeLessThanOrEqual(1);
      expect(commands.filter(({ kind }) => kind === 'time_up').length).toBeLessThanOrEqual(1);
    });
  });

  test('a host that sends `time` late gets the same commands', () => {
    anything((settings, timeline) => {
      const last = timeline.at(-1)?.atMs ?? 0;
      const end: Timed = { atMs: last + 60_000, event: { kind: 'time' } };
      expect(run(settings, [...timeline, end], { punctual: false }).commands).toEqual(
        run(settings, [...timeline, end]).commands,
      );
    });
  });
});

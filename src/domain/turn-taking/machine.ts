import { InvariantError } from '../errors.ts';
import { beginReply, beginSound, completeReply, countTools, endSound, listen } from './agent.ts';
import {
  hearDigit,
  hearFinal,
  hearInterim,
  hearUtteranceEnd,
  hearVerdict,
  hearVoiceStart,
  hearVoiceStop,
} from './caller.ts';
import { settleMute } from './floor.ts';
import {
  beginOpening,
  classify,
  classifyAtMs,
  classifyLimitAtMs,
  endOpening,
  release,
  releaseAtMs,
} from './opening.ts';
import { change, freshState, order, textOf, type Moment, type TurnState } from './state.ts';
import { keypadPauseMs } from './timing.ts';
import {
  endKeypad,
  endPause,
  endTurn,
  falseStartAtMs,
  giveUpTurn,
  goIdle,
  idleAtMs,
  keypadAtMs,
  noiseAtMs,
  pauseEndAtMs,
  takeForNoise,
  turnEndAtMs,
} from './turn-end.ts';
import type { TurnCommand, TurnEvent, TurnSettings } from './types.ts';

/**
 * Turn taking as a pure state machine (docs/turn-taking.md). A media host begins one per stream, feeds it
 * what happens with `advance`, carries the commands out in order, and comes back with `time` at
 * `nextDeadlineMs`. A deadline that passed before an event counts before it.
 */

/** A conversation before media are live. */
export function begin(_settings: TurnSettings, atMs: number): TurnState {
  return freshState(atMs);
}

/** Takes one event. Times that go back are taken for the last one. */
export function advance(
  settings: TurnSettings,
  state: TurnState,
  atMs: number,
  event: TurnEvent,
): { state: TurnState; commands: TurnCommand[] } {
  const moment: Moment = { settings, state, atMs: state.atMs, commands: [] };
  const nowMs = Math.max(state.atMs, atMs);
  runTimers(moment, (dueMs) => dueMs < nowMs);
  reach(moment, nowMs);
  take(moment, event);
  runTimers(moment, (dueMs) => dueMs <= nowMs);
  reach(moment, nowMs);
  change(moment, { dueAtMs: nextTimer(moment)?.atMs ?? null });
  return { state: moment.state, commands: moment.commands };
}

/** When `time` is to come, later than the last event; null = not before another event. */
export const nextDeadlineMs = (state: TurnState): number | null => state.dueAtMs;

/** What was understood and is part of no turn yet: for a transcript, when the call ends. */
export const pendingText = (state: TurnState): string => textOf(state);

function take(moment: Moment, event: TurnEvent): void {
  switch (event.kind) {
    case 'began':
      return goLive(moment);
    case 'reply_began':
      return beginReply(moment, event);
    case 'audio_started':
      return beginSound(moment);
    case 'audio_drained':
      return endSound(moment);
    case 'reply_complete':
      return completeReply(moment);
    case 'listen':
      return listen(moment);
    case 'tool_began':
      return countTools(moment, 1);
    case 'tool_ended':
      return countTools(moment, -1);
    case 'voice_started':
      return hearVoiceStart(moment);
    case 'voice_stopped':
      return hearVoiceStop(moment);
    case 'interim':
      return hearInterim(moment, event);
    case 'final':
      return hearFinal(moment, event);
    case 'utterance_ended':
      return hearUtteranceEnd(moment);
    case 'analyzed':
      return hearVerdict(moment, event);
    case 'opening_classified':
      return endOpening(moment, event.isMachine);
    case 'dtmf':
      return hearDigit(moment, event);
    case 'time':
      return undefined;
  }
}

function goLive(moment: Moment): void {
  const { maxDurationMs, closingLeadMs } = moment.settings;
  change(moment, {
    isOpeningMuted: true,
    timeUpAtMs: moment.atMs + Math.max(0, maxDurationMs - closingLeadMs),
  });
  settleMute(moment);
  beginOpening(moment);
}

interface Timer {
  atMs: number;
  run: (moment: Moment) => void;
}

/** What is due by itself, in the order in which it is done when several are due at once. */
const timers: readonly {
  dueAtMs: (settings: TurnSettings, state: TurnState) => number | null;
  run: (moment: Moment) => void;
}[] = [
  { dueAtMs: noiseAtMs, run: takeForNoise },
  { dueAtMs: pauseEndAtMs, run: endPause },
  { dueAtMs: classifyLimitAtMs, run: (moment) => endOpening(moment, false) },
  { dueAtMs: classifyAtMs, run: classify },
  { dueAtMs: releaseAtMs, run: release },
  { dueAtMs: falseStartAtMs, run: giveUpTurn },
  { dueAtMs: (_settings, state) => keypadAtMs(state, keypadPauseMs), run: endKeypad },
  { dueAtMs: turnEndAtMs, run: endTurn },
  { dueAtMs: idleAtMs, run: goIdle },
  { dueAtMs: (_settings, { timeUpAtMs }) => timeUpAtMs, run: sayTimeUp },
];

function sayTimeUp(moment: Moment): void {
  change(moment, { timeUpAtMs: null });
  order(moment, { kind: 'time_up' });
}

function nextTimer({ settings, state }: Moment): Timer | null {
  let next: Timer | null = null;
  for (const { dueAtMs, run } of timers) {
    const atMs = dueAtMs(settings, state);
    if (atMs !== null && Number.isFinite(atMs) && (next === null || atMs < next.atMs)) next = { atMs, run };
  }
  return next;
}

/** Each timer ends what it waits for; a round that does not come to an end is a bug. */
function runTimers(moment: Moment, isDue: (atMs: number) => boolean): void {
  for (let round = 0; round < 50; round += 1) {
    const next = nextTimer(moment);
    if (next === null || !isDue(next.atMs)) return;
    reach(moment, Math.max(next.atMs, moment.atMs));
    next.run(moment);
  }
  throw new InvariantError('Turn taking does not come to rest');
}

function reach(moment: Moment, atMs: number): void {
  moment.atMs = atMs;
  change(moment, { atMs });
}

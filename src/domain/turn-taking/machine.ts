import { InvariantError } from '../errors.ts';
import { beginReply, beginSound, completeReply, countTools, endSound, listen } from './agent.ts';
import {
  hearDigit,
  hearFinal,
  hearHangUp,
  hearInterim,
  hearTyped,
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
import { change, freshState, order, type Update, type TurnState } from './state.ts';
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
 * Turn taking as a pure state machine (docs/turn-taking.md). A media host begins one per stream, calls
 * `advance` for each event, carries out the commands in order, and sends `time` at `nextDeadlineMs`.
 * Deadlines before an event take effect before it.
 */

/** The state before media flow. */
export function begin(_settings: TurnSettings, atMs: number): TurnState {
  return freshState(atMs);
}

/** Takes one event. A time before the last event counts as the time of that event. */
export function advance(
  settings: TurnSettings,
  state: TurnState,
  atMs: number,
  event: TurnEvent,
): { state: TurnState; commands: TurnCommand[] } {
  const update: Update = { settings, state, atMs: state.atMs, commands: [] };
  const nowMs = Math.max(state.atMs, atMs);
  runTimers(update, (dueMs) => dueMs < nowMs);
  reach(update, nowMs);
  take(update, event);
  runTimers(update, (dueMs) => dueMs <= nowMs);
  reach(update, nowMs);
  change(update, { dueAtMs: nextTimer(update)?.atMs ?? null });
  return { state: update.state, commands: update.commands };
}

/** When the machine needs `time`, later than the last event; null if not before another event. */
export const nextDeadlineMs = (state: TurnState): number | null => state.dueAtMs;

function take(update: Update, event: TurnEvent): void {
  switch (event.kind) {
    case 'began':
      return goLive(update);
    case 'reply_began':
      return beginReply(update, event);
    case 'audio_started':
      return beginSound(update);
    case 'audio_drained':
      return endSound(update);
    case 'reply_complete':
      return completeReply(update);
    case 'listen':
      return listen(update);
    case 'tool_began':
      return countTools(update, 1);
    case 'tool_ended':
      return countTools(update, -1);
    case 'voice_started':
      return hearVoiceStart(update);
    case 'voice_stopped':
      return hearVoiceStop(update);
    case 'interim':
      return hearInterim(update, event);
    case 'final':
      return hearFinal(update, event);
    case 'typed':
      return hearTyped(update, event);
    case 'utterance_ended':
      return hearUtteranceEnd(update);
    case 'analyzed':
      return hearVerdict(update, event);
    case 'opening_classified':
      return endOpening(update, event.isMachine);
    case 'dtmf':
      return hearDigit(update, event);
    case 'hung_up':
      return hearHangUp(update);
    case 'time':
      return undefined;
  }
}

function goLive(update: Update): void {
  const { maxDurationMs, closingLeadMs } = update.settings;
  change(update, {
    isOpeningMuted: true,
    timeUpAtMs: update.atMs + Math.max(0, maxDurationMs - closingLeadMs),
  });
  settleMute(update);
  beginOpening(update);
}

interface Timer {
  atMs: number;
  run: (update: Update) => void;
}

/** Timers, in the order in which they run when several are due at once. */
const timers: readonly {
  dueAtMs: (settings: TurnSettings, state: TurnState) => number | null;
  run: (update: Update) => void;
}[] = [
  { dueAtMs: noiseAtMs, run: takeForNoise },
  { dueAtMs: pauseEndAtMs, run: endPause },
  { dueAtMs: classifyLimitAtMs, run: (update) => endOpening(update, false) },
  { dueAtMs: classifyAtMs, run: classify },
  { dueAtMs: releaseAtMs, run: release },
  { dueAtMs: falseStartAtMs, run: giveUpTurn },
  { dueAtMs: (_settings, state) => keypadAtMs(state, keypadPauseMs), run: endKeypad },
  { dueAtMs: turnEndAtMs, run: endTurn },
  { dueAtMs: idleAtMs, run: goIdle },
  { dueAtMs: (_settings, { timeUpAtMs }) => timeUpAtMs, run: sayTimeUp },
];

function sayTimeUp(update: Update): void {
  change(update, { timeUpAtMs: null });
  order(update, { kind: 'time_up' });
}

function nextTimer({ settings, state }: Update): Timer | null {
  let next: Timer | null = null;
  for (const { dueAtMs, run } of timers) {
    const atMs = dueAtMs(settings, state);
    if (atMs !== null && Number.isFinite(atMs) && (next === null || atMs < next.atMs)) next = { atMs, run };
  }
  return next;
}

/** Runs the due timers. Each one ends its own wait, so an endless loop is a bug. */
function runTimers(update: Update, isDue: (atMs: number) => boolean): void {
  for (let round = 0; round < 50; round += 1) {
    const next = nextTimer(update);
    if (next === null || !isDue(next.atMs)) return;
    reach(update, Math.max(next.atMs, update.atMs));
    next.run(update);
  }
  throw new InvariantError('The timers of turn taking do not settle');
}

function reach(update: Update, atMs: number): void {
  update.atMs = atMs;
  change(update, { atMs });
}

import { voiceStopMs } from '../audio/voice-activity.ts';
import { letReplyBegin, resumeOutput } from './floor.ts';
import { checkSpeculation, dropSpeculation } from './speculation.ts';
import { change, isVoiceOn, order, textOf, type Update, type TurnState } from './state.ts';
import {
  completeSilenceMs,
  falseStartMs,
  finalSlackMs,
  lastWordsMs,
  noiseMs,
  transcriptionSilenceMs,
} from './timing.ts';
import type { TurnSettings } from './types.ts';

/** When and how the caller's turn ends (contract 3.2). */

/**
 * When the caller fell silent; null while they speak. If noise keeps the voice detection on, the recognizer's
 * end of the utterance counts.
 */
function quietSinceMs(state: TurnState): number | null {
  const { voice, turn, utteranceEndedAtMs, wordsAtMs, voicelessWordsAtMs } = state;
  if (isVoiceOn(state))
    return utteranceEndedAtMs !== null && utteranceEndedAtMs >= (wordsAtMs ?? 0) ? utteranceEndedAtMs : null;
  const hasVoice = voice.stoppedAtMs !== null && !voice.isNoise;
  return hasVoice
    ? Math.max(voice.stoppedAtMs ?? 0, voicelessWordsAtMs ?? 0)
    : (wordsAtMs ?? turn?.openedAtMs ?? state.atMs);
}

export function turnEndAtMs(settings: TurnSettings, state: TurnState): number | null {
  if (state.turn === null || state.floor !== 'caller' || state.isMuted || textOf(state) === '') return null;
  if (state.typedAtMs !== null) return state.typedAtMs;
  if (state.hungUp !== null) return lastTurnEndAtMs(settings, state.hungUp, state);
  const quietMs = quietSinceMs(state);
  if (quietMs === null) return null;
  const backstopMs = quietMs + settings.userTurnStopTimeoutMs;
  return Math.min(
    backstopMs,
    Math.max(
      quietMs + silenceMs(settings, state),
      isFinalDue(settings, state, quietMs) ? quietMs + settings.p99FinalMs : 0,
    ),
  );
}

/** After the caller has hung up, nothing but a final that is on its way keeps their turn open. */
function lastTurnEndAtMs(
  { p99FinalMs }: TurnSettings,
  { atMs, isFinalDue }: NonNullable<TurnState['hungUp']>,
  { finalAtMs, interim }: TurnState,
): number {
  const isFinal = interim === '' && (!isFinalDue || (finalAtMs ?? 0) >= atMs);
  return isFinal ? Math.max(atMs, finalAtMs ?? 0) : atMs + Math.min(p99FinalMs, lastWordsMs);
}

/** Silence that the stop strategy requires. */
function silenceMs(settings: TurnSettings, { isComplete, utteranceEndedAtMs }: TurnState): number {
  if (settings.marksTurns) return utteranceEndedAtMs === null ? Infinity : 0;
  if (settings.stopStrategy === 'transcription') return transcriptionSilenceMs;
  return isComplete === true ? completeSilenceMs : settings.smartTurnStopMs;
}

/** A final is on its way: for the interim, or from a recognizer that sends no interims. */
function isFinalDue(
  { hasInterims }: TurnSettings,
  { interim, finalAtMs }: TurnState,
  quietMs: number,
): boolean {
  return interim !== '' || (!hasInterims && (finalAtMs ?? 0) < quietMs - voiceStopMs);
}

export function endTurn(update: Update): void {
  const { state, atMs } = update;
  const { turn, voice, wordsAtMs } = state;
  if (turn === null) return;
  checkSpeculation(update);
  const voiceEndedAtMs =
    !voice.isActive && voice.stoppedAtMs !== null && voice.stoppedAtMs > turn.speechStartedAtMs
      ? voice.stoppedAtMs - voiceStopMs
      : null;
  const speechEndedAtMs = Math.max(turn.speechStartedAtMs, voiceEndedAtMs ?? wordsAtMs ?? atMs);
  order(update, {
    kind: 'end_turn',
    text: textOf(state),
    speechStartedAtMs: turn.speechStartedAtMs,
    speechEndedAtMs,
  });
  change(update, {
    takenInterim: state.interim === '' ? state.takenInterim : state.wholeInterim,
    interim: '',
    isInterimStable: false,
    pending: [],
    typedAtMs: null,
  });
  handOn(update);
}

/** Ends the caller's turn. No one listens until the next reply or `listen`. */
function handOn(update: Update): void {
  change(update, {
    turn: null,
    floor: 'nobody',
    floorSinceMs: update.atMs,
    turnEndedAtMs: update.atMs,
    isComplete: null,
    utteranceEndedAtMs: null,
  });
}

/** When a voice without words becomes noise. */
export function noiseAtMs({ hasInterims }: TurnSettings, state: TurnState): number | null {
  const { voice, anyWordsAtMs } = state;
  if (!isVoiceOn(state) || voice.startedAtMs === null) return null;
  return (
    Math.max(voice.startedAtMs, anyWordsAtMs ?? 0) +
    (hasInterims ? noiseMs.withInterims : noiseMs.withoutInterims)
  );
}

export function takeForNoise(update: Update): void {
  change(update, { voice: { ...update.state.voice, isNoise: true } });
}

/** When a turn or an idle caller stops waiting for the words of a voice. */
function wordlessAtMs(
  { p99FinalMs, userTurnStopTimeoutMs }: TurnSettings,
  state: TurnState,
  sinceMs: number,
): number {
  const waitMs = Math.min(userTurnStopTimeoutMs, Math.max(falseStartMs, p99FinalMs + finalSlackMs));
  return state.voice.isNoise ? state.atMs : Math.max(state.voice.stoppedAtMs ?? 0, sinceMs) + waitMs;
}

export function falseStartAtMs(settings: TurnSettings, state: TurnState): number | null {
  if (state.turn === null || textOf(state) !== '' || isVoiceOn(state)) return null;
  return wordlessAtMs(settings, state, state.turn.openedAtMs);
}

export function giveUpTurn(update: Update): void {
  const { turn, floor } = update.state;
  change(update, { turn: null });
  if (turn?.hasInterrupted === true && floor === 'caller') order(update, { kind: 'false_interruption' });
}

/** When a pause ends because the words that it waits for did not come. */
export function pauseEndAtMs({ p99FinalMs }: TurnSettings, state: TurnState): number | null {
  const { pause, voice } = state;
  if (pause === null || pause.kind === 'opening') return null;
  if (pause.kind === 'provisional') return pause.untilMs;
  if (isVoiceOn(state)) return null;
  return voice.isNoise ? state.atMs : (voice.stoppedAtMs ?? pause.sinceMs) + p99FinalMs + finalSlackMs;
}

export function endPause(update: Update): void {
  const { pause, reply } = update.state;
  if (pause?.kind === 'provisional' && reply !== null)
    change(update, { reply: { ...reply, isLockedOut: true } });
  if (pause?.kind === 'held') letReplyBegin(update);
  resumeOutput(update);
}

export function idleAtMs(settings: TurnSettings, state: TurnState): number | null {
  const { floor, turn, isMuted, keypad, voice, floorSinceMs } = state;
  if (
    settings.idleMs === 0 ||
    floor !== 'caller' ||
    turn !== null ||
    isMuted ||
    keypad !== null ||
    isVoiceOn(state)
  )
    return null;
  const afterVoiceMs =
    voice.stoppedAtMs === null || voice.stoppedAtMs < floorSinceMs
      ? 0
      : wordlessAtMs(settings, state, voice.stoppedAtMs);
  return Math.max(floorSinceMs + settings.idleMs, afterVoiceMs);
}

export function goIdle(update: Update): void {
  dropSpeculation(update);
  order(update, { kind: 'idle' });
  handOn(update);
}

export function keypadAtMs(state: TurnState, pauseMs: number): number | null {
  const { floor, keypad, isMuted } = state;
  if (keypad === null || floor !== 'caller' || isMuted) return null;
  return keypad.isDone ? keypad.atMs : keypad.atMs + pauseMs;
}

/** Words that were said meanwhile wait for the next turn. */
export function endKeypad(update: Update): void {
  const { keypad } = update.state;
  if (keypad === null) return;
  dropSpeculation(update);
  order(update, { kind: 'keypad', digits: keypad.digits });
  change(update, { keypad: null });
  handOn(update);
}

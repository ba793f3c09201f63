import { interruptReply, isAttention, openTurn, takeUp } from './floor.ts';
import { hearOpening, isOpeningHeard } from './opening.ts';
import { checkSpeculation, considerSpeculation } from './speculation.ts';
import { change, isAudible, isVoiceOn, order, textOf, type Moment } from './state.ts';
import { finalSlackMs, keptSegmentIds, lateMs, maxDigits, takenMs } from './timing.ts';
import type { TurnEvent } from './types.ts';
import { beyond, countWords } from './words.ts';

/** What comes from the caller. */

export function hearVoiceStart(moment: Moment): void {
  const { state, atMs } = moment;
  if (state.voice.isActive) return;
  change(moment, {
    voice: { ...state.voice, isActive: true, startedAtMs: atMs, isMuted: state.isMuted, isNoise: false },
    isComplete: null,
    utteranceEndedAtMs: null,
  });
  if (state.opening !== null && state.opening.voiceAtMs === null)
    change(moment, { opening: { ...state.opening, voiceAtMs: atMs } });
  if (!state.isMuted) meetVoice(moment);
}

/** What a voice alone does, by `turn_start_strategy` (contract 3.2). */
function meetVoice(moment: Moment): void {
  const { reply, pause } = moment.state;
  const { startStrategy, provisionalPauseMs } = moment.settings;
  if (reply === null) return takeUp(moment);
  if (!isAudible(moment.state)) return holdReply(moment);
  if (startStrategy === 'default') return cutIn(moment);
  if (startStrategy !== 'provisional_vad' || reply.isLockedOut || pause !== null) return undefined;
  change(moment, { pause: { kind: 'provisional', untilMs: moment.atMs + provisionalPauseMs } });
  return order(moment, { kind: 'pause_output' });
}

/** A reply that has made no sound waits until the caller's sound turns out to be words, or not. */
export function holdReply(moment: Moment): void {
  const { reply, pause } = moment.state;
  if (reply?.allowInterrupt !== true || pause !== null) return;
  change(moment, { pause: { kind: 'held', sinceMs: moment.atMs } });
  order(moment, { kind: 'pause_output' });
}

function cutIn(moment: Moment): void {
  const cutOff = isAudible(moment.state);
  interruptReply(moment);
  openTurn(moment, { cutOff });
}

export function hearVoiceStop(moment: Moment): void {
  const { state, settings, atMs } = moment;
  if (!state.voice.isActive) return;
  change(moment, { voice: { ...state.voice, isActive: false, stoppedAtMs: atMs, isNoise: false } });
  const isListenedTo = !state.isMuted || isOpeningHeard(state);
  if (isListenedTo && !settings.marksTurns) order(moment, { kind: 'finalize_recogniser' });
  askAnalyzer(moment);
  considerSpeculation(moment);
}

export function hearInterim(moment: Moment, { text }: Extract<TurnEvent, { kind: 'interim' }>): void {
  if (text.trim() !== '') change(moment, { anyWordsAtMs: moment.atMs });
  if (isOpeningHeard(moment.state)) hearOpening(moment, { interim: text.trim() });
  const words = beyondTaken(moment, text);
  if (words === '' || isSaidMuted(moment) || isLate(moment)) return;
  change(moment, { interim: words, wholeInterim: text, isInterimStable: words === moment.state.interim });
  hearWords(moment);
}

export function hearFinal(moment: Moment, { text, segmentId }: Extract<TurnEvent, { kind: 'final' }>): void {
  const { state, atMs } = moment;
  if (state.segmentIds.includes(segmentId)) return;
  if (text.trim() !== '') change(moment, { anyWordsAtMs: atMs });
  if (isOpeningHeard(state)) hearOpening(moment, { final: text.trim() });
  const words = beyondTaken(moment, text);
  change(moment, {
    segmentIds: [...state.segmentIds, segmentId].slice(-keptSegmentIds),
    takenInterim: '',
    interim: '',
    isInterimStable: false,
    finalAtMs: atMs,
  });
  if (words === '') return checkSpeculation(moment);
  if (isSaidMuted(moment)) return order(moment, { kind: 'ignored', text: words, reason: 'muted' });
  change(moment, {
    pending: [...state.pending, { text: words, atMs, kind: isLate(moment) ? 'late' : 'words' }],
  });
  if (isLate(moment)) return undefined;
  hearWords(moment);
  return askAnalyzer(moment);
}

/** What an `end_turn` has not had already. */
function beyondTaken({ state: { takenInterim, turnEndedAtMs }, atMs }: Moment, text: string): string {
  return turnEndedAtMs === null || atMs > turnEndedAtMs + takenMs
    ? text.trim()
    : beyond(text, takenInterim).trim();
}

/** New words, final or not. */
function hearWords(moment: Moment): void {
  const { state, settings, atMs } = moment;
  const isVoiced =
    isVoiceOn(state) ||
    (state.voice.stoppedAtMs !== null &&
      atMs <= state.voice.stoppedAtMs + settings.p99FinalMs + finalSlackMs);
  change(moment, { wordsAtMs: atMs, isComplete: null, ...(isVoiced ? {} : { voicelessWordsAtMs: atMs }) });
  meetWords(moment);
  checkSpeculation(moment);
  considerSpeculation(moment);
}

/**
 * What words do, by `turn_start_strategy` (contract 3.2). Words that do not cut in wait for the end of the
 * reply, or of the mute.
 */
function meetWords(moment: Moment): void {
  const { reply, isMuted } = moment.state;
  if (isMuted) return undefined;
  if (reply === null) return openTurn(moment);
  if (
    reply.allowInterrupt &&
    (isAudible(moment.state) ? wordsCutIn(moment) : !isAttention(moment, textOf(moment.state)))
  )
    return cutIn(moment);
  return markBackchannels(moment);
}

function wordsCutIn(moment: Moment): boolean {
  const { state, settings } = moment;
  if (settings.startStrategy === 'default') return true;
  const said = textOf({
    ...state,
    pending: state.pending.filter(
      ({ kind, atMs }) => kind !== 'late' && atMs >= (state.reply?.beganAtMs ?? 0),
    ),
  });
  const isEnough = countWords(said) >= settings.minWords;
  if (settings.startStrategy === 'min_words') return isEnough;
  return state.reply?.isLockedOut !== true && (isEnough || !isAttention(moment, said));
}

function markBackchannels(moment: Moment): void {
  const { pending } = moment.state;
  const last = pending.at(-1);
  if (last === undefined || !isAttention(moment, last.text)) return;
  change(moment, { pending: [...pending.slice(0, -1), { ...last, kind: 'backchannel' }] });
}

/** Words are judged by the voice that they were said with: transcripts come later. */
function isSaidMuted({ state, settings, atMs }: Moment): boolean {
  const { voice, isMuted } = state;
  const recentMs = settings.p99FinalMs + (voice.isMuted ? finalSlackMs : lateMs);
  const isRecent = voice.isActive || (voice.stoppedAtMs !== null && atMs <= voice.stoppedAtMs + recentMs);
  return isRecent ? voice.isMuted : isMuted;
}

/** Words of a turn that has ended, while its answer is heard already: they go with the next turn. */
function isLate({ state, atMs }: Moment): boolean {
  const { turnEndedAtMs, voice } = state;
  if (!isAudible(state) || turnEndedAtMs === null || atMs > turnEndedAtMs + lateMs) return false;
  return voice.startedAtMs === null || voice.startedAtMs <= turnEndedAtMs;
}

/** Asked anew when the words change: the answer may too. */
function askAnalyzer(moment: Moment): void {
  const { state, settings } = moment;
  const text = textOf(state);
  if (
    settings.stopStrategy !== 'turn_analyzer' ||
    settings.marksTurns ||
    state.turn === null ||
    state.floor !== 'caller' ||
    isVoiceOn(state) ||
    text === ''
  )
    return;
  change(moment, { isComplete: null });
  order(moment, { kind: 'analyze', text });
}

export function hearVerdict(moment: Moment, { isComplete }: Extract<TurnEvent, { kind: 'analyzed' }>): void {
  change(moment, { isComplete });
}

export function hearUtteranceEnd(moment: Moment): void {
  if (moment.state.turn !== null) change(moment, { utteranceEndedAtMs: moment.atMs });
}

/** A key is no accident: it cuts in where the caller may, whatever the strategy. */
export function hearDigit(moment: Moment, { digit }: Extract<TurnEvent, { kind: 'dtmf' }>): void {
  if (!/^[0-9*#A-D]$/.test(digit)) return;
  const { state, atMs } = moment;
  if (state.keypad?.isDone !== true) {
    const digits = state.keypad?.digits ?? '';
    const all = digit === '#' && digits !== '' ? digits : `${digits}${digit}`;
    change(moment, { keypad: { digits: all, atMs, isDone: digit === '#' || all.length >= maxDigits } });
  }
  if (state.reply?.allowInterrupt === true && !state.isMuted) interruptReply(moment);
}

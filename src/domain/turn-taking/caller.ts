import { interruptReply, isAttention, openTurn, takeUp } from './floor.ts';
import { hearOpening, isOpeningHeard } from './opening.ts';
import { checkSpeculation, considerSpeculation } from './speculation.ts';
import { change, isAudible, isVoiceOn, order, textOf, type Update } from './state.ts';
import { finalSlackMs, keptSegmentIds, lateMs, maxDigits, takenMs } from './timing.ts';
import type { TurnEvent } from './types.ts';
import { beyond, countWords } from '../speech/words.ts';

/** Events of the caller. */

export function hearVoiceStart(update: Update): void {
  const { state, atMs } = update;
  if (state.voice.isActive) return;
  change(update, {
    voice: { ...state.voice, isActive: true, startedAtMs: atMs, isMuted: state.isMuted, isNoise: false },
    isComplete: null,
    utteranceEndedAtMs: null,
  });
  if (state.opening !== null && state.opening.voiceAtMs === null)
    change(update, { opening: { ...state.opening, voiceAtMs: atMs } });
  if (!state.isMuted) meetVoice(update);
}

/** Reacts to a voice before any words, by `turn_start_strategy` (contract 3.2). */
function meetVoice(update: Update): void {
  const { reply, pause } = update.state;
  const { startStrategy, provisionalPauseMs } = update.settings;
  if (reply === null) return takeUp(update);
  if (!isAudible(update.state)) return holdReply(update);
  if (startStrategy === 'default') return interrupt(update);
  if (startStrategy !== 'provisional_vad' || reply.isLockedOut || pause !== null) return undefined;
  change(update, { pause: { kind: 'provisional', untilMs: update.atMs + provisionalPauseMs } });
  return order(update, { kind: 'pause_output' });
}

/** Holds a reply that has made no sound until the caller's voice turns out to be words or not. */
export function holdReply(update: Update): void {
  const { reply, pause } = update.state;
  if (reply?.allowInterrupt !== true || pause !== null) return;
  change(update, { pause: { kind: 'held', sinceMs: update.atMs } });
  order(update, { kind: 'pause_output' });
}

function interrupt(update: Update): void {
  const hasInterrupted = isAudible(update.state);
  interruptReply(update);
  openTurn(update, { hasInterrupted });
}

export function hearVoiceStop(update: Update): void {
  const { state, settings, atMs } = update;
  if (!state.voice.isActive) return;
  change(update, { voice: { ...state.voice, isActive: false, stoppedAtMs: atMs, isNoise: false } });
  const isListenedTo = !state.isMuted || isOpeningHeard(state);
  if (isListenedTo && !settings.marksTurns) order(update, { kind: 'finalize_recognizer' });
  askAnalyzer(update);
  considerSpeculation(update);
}

/** The caller's leg is over: nothing more is said, and only the recognizer may still have words. */
export function hearHangUp(update: Update): void {
  const { voice, finalAtMs } = update.state;
  const isFinalDue = isVoiceOn(update.state) || (voice.stoppedAtMs ?? 0) > (finalAtMs ?? 0);
  hearVoiceStop(update);
  change(update, { hungUp: { atMs: update.atMs, isFinalDue } });
}

export function hearInterim(update: Update, { text }: Extract<TurnEvent, { kind: 'interim' }>): void {
  if (text.trim() !== '') change(update, { anyWordsAtMs: update.atMs });
  if (isOpeningHeard(update.state)) hearOpening(update, { interim: text.trim() });
  const words = beyondTaken(update, text);
  if (words === '' || isSaidMuted(update) || isLate(update)) return;
  change(update, { interim: words, wholeInterim: text, isInterimStable: words === update.state.interim });
  hearWords(update);
}

export function hearFinal(update: Update, { text, segmentId }: Extract<TurnEvent, { kind: 'final' }>): void {
  const { state, atMs } = update;
  if (state.segmentIds.includes(segmentId)) return;
  if (text.trim() !== '') change(update, { anyWordsAtMs: atMs });
  if (isOpeningHeard(state)) hearOpening(update, { final: text.trim() });
  const words = beyondTaken(update, text);
  change(update, {
    segmentIds: [...state.segmentIds, segmentId].slice(-keptSegmentIds),
    takenInterim: '',
    interim: '',
    isInterimStable: false,
    finalAtMs: atMs,
  });
  if (words === '') return checkSpeculation(update);
  if (isSaidMuted(update)) return order(update, { kind: 'ignored', text: words, reason: 'muted' });
  change(update, {
    pending: [...state.pending, { text: words, atMs, kind: isLate(update) ? 'late' : 'words' }],
  });
  if (isLate(update)) return undefined;
  hearWords(update);
  return askAnalyzer(update);
}

/**
 * Typed words are never an accident: like a key, they interrupt under every strategy where the caller may
 * interrupt. Elsewhere they wait for the floor.
 */
export function hearTyped(update: Update, { text }: Extract<TurnEvent, { kind: 'typed' }>): void {
  const { state, atMs } = update;
  change(update, {
    pending: [...state.pending, { text: text.trim(), atMs, kind: 'words' }],
    wordsAtMs: atMs,
    anyWordsAtMs: atMs,
    typedAtMs: atMs,
  });
  if (isOpeningHeard(update.state)) hearOpening(update, { final: text.trim() });
  if (state.isMuted) return undefined;
  if (state.reply === null) return openTurn(update);
  return state.reply.allowInterrupt ? interrupt(update) : undefined;
}

/** The words that no `end_turn` has taken yet. */
function beyondTaken({ state: { takenInterim, turnEndedAtMs }, atMs }: Update, text: string): string {
  return turnEndedAtMs === null || atMs > turnEndedAtMs + takenMs
    ? text.trim()
    : beyond(text, takenInterim).trim();
}

/** Reacts to new words, final or not. */
function hearWords(update: Update): void {
  const { state, settings, atMs } = update;
  const isVoiced =
    isVoiceOn(state) ||
    (state.voice.stoppedAtMs !== null &&
      atMs <= state.voice.stoppedAtMs + settings.p99FinalMs + finalSlackMs);
  change(update, { wordsAtMs: atMs, isComplete: null, ...(isVoiced ? {} : { voicelessWordsAtMs: atMs }) });
  meetWords(update);
  checkSpeculation(update);
  considerSpeculation(update);
}

/**
 * Reacts to words by `turn_start_strategy` (contract 3.2). Words that do not interrupt wait for the end of
 * the reply or of the mute.
 */
function meetWords(update: Update): void {
  const { reply, isMuted } = update.state;
  if (isMuted) return undefined;
  if (reply === null) return openTurn(update);
  if (
    reply.allowInterrupt &&
    (isAudible(update.state) ? doWordsInterrupt(update) : !isAttention(update, textOf(update.state)))
  )
    return interrupt(update);
  return markBackchannels(update);
}

function doWordsInterrupt(update: Update): boolean {
  const { state, settings } = update;
  if (settings.startStrategy === 'default') return true;
  const said = textOf({
    ...state,
    pending: state.pending.filter(
      ({ kind, atMs }) => kind !== 'late' && atMs >= (state.reply?.beganAtMs ?? 0),
    ),
  });
  const isEnough = countWords(said) >= settings.minWords;
  if (settings.startStrategy === 'min_words') return isEnough;
  return state.reply?.isLockedOut !== true && (isEnough || !isAttention(update, said));
}

function markBackchannels(update: Update): void {
  const { pending } = update.state;
  const last = pending.at(-1);
  if (last === undefined || !isAttention(update, last.text)) return;
  change(update, { pending: [...pending.slice(0, -1), { ...last, kind: 'backchannel' }] });
}

/** The caller was muted when they said these words. Transcripts are late, so the voice decides. */
function isSaidMuted({ state, settings, atMs }: Update): boolean {
  const { voice, isMuted } = state;
  const recentMs = settings.p99FinalMs + (voice.isMuted ? finalSlackMs : lateMs);
  const isRecent = voice.isActive || (voice.stoppedAtMs !== null && atMs <= voice.stoppedAtMs + recentMs);
  return isRecent ? voice.isMuted : isMuted;
}

/** The words belong to a turn that has ended, and its answer is audible already: they join the next turn. */
function isLate({ state, atMs }: Update): boolean {
  const { turnEndedAtMs, voice } = state;
  if (!isAudible(state) || turnEndedAtMs === null || atMs > turnEndedAtMs + lateMs) return false;
  return voice.startedAtMs === null || voice.startedAtMs <= turnEndedAtMs;
}

/** Asks again whenever the words change, because the answer may change. */
function askAnalyzer(update: Update): void {
  const { state, settings } = update;
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
  change(update, { isComplete: null });
  order(update, { kind: 'analyze', text });
}

export function hearVerdict(update: Update, { isComplete }: Extract<TurnEvent, { kind: 'analyzed' }>): void {
  change(update, { isComplete });
}

export function hearUtteranceEnd(update: Update): void {
  if (update.state.turn !== null) change(update, { utteranceEndedAtMs: update.atMs });
}

/** A key is never an accident: it interrupts under every strategy where the caller may interrupt. */
export function hearDigit(update: Update, { digit }: Extract<TurnEvent, { kind: 'dtmf' }>): void {
  if (!/^[0-9*#A-D]$/.test(digit)) return;
  const { state, atMs } = update;
  if (state.keypad?.isDone !== true) {
    const digits = state.keypad?.digits ?? '';
    const all = digit === '#' && digits !== '' ? digits : `${digits}${digit}`;
    change(update, { keypad: { digits: all, atMs, isDone: digit === '#' || all.length >= maxDigits } });
  }
  if (state.reply?.allowInterrupt === true && !state.isMuted) interruptReply(update);
}

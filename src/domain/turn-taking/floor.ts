import { isBackchannel } from './backchannels.ts';
import { dropSpeculation } from './speculation.ts';
import { change, isAudible, isVoiceOn, order, textOf, type Update } from './state.ts';
import { backchannelMarginMs } from './timing.ts';

/** The caller's turn begins; nothing when one is open. */
export function openTurn(update: Update, { cutOff = false } = {}): void {
  const { state, atMs } = update;
  if (state.turn !== null) return;
  const saidAtMs = state.pending.find(({ kind }) => kind === 'words')?.atMs ?? atMs;
  const speechStartedAtMs = isVoiceOn(state) ? (state.voice.startedAtMs ?? atMs) : saidAtMs;
  change(update, {
    turn: { openedAtMs: atMs, speechStartedAtMs, cutOff },
    speculation: { ...state.speculation, count: 0 },
    isComplete: null,
    utteranceEndedAtMs: null,
  });
  order(update, { kind: 'user_started' });
}

/**
 * The caller takes the floor from a reply. A pause of the opening outlives it: what comes next is held back
 * too.
 */
export function interruptReply(update: Update): void {
  const { state, atMs } = update;
  const isHeldBack = state.pause?.kind === 'opening';
  order(update, { kind: 'interrupt' });
  if (isHeldBack) order(update, { kind: 'pause_output' });
  change(update, {
    reply: null,
    floor: 'caller',
    floorSinceMs: atMs,
    pause: isHeldBack ? state.pause : null,
  });
}

/** The floor goes to the caller, or to nobody when nobody listens. What was said before is taken up. */
export function endReply(update: Update, listens: boolean): void {
  resumeOutput(update);
  change(update, { reply: null, floor: listens ? 'caller' : 'nobody', floorSinceMs: update.atMs });
  sortBackchannels(update, listens);
}

/** Ends a pause that concerns one reply. */
export function resumeOutput(update: Update): void {
  const { pause } = update.state;
  if (pause === null || pause.kind === 'opening') return;
  change(update, { pause: null });
  order(update, { kind: 'resume_output' });
}

/** A backchannel at the very end of a reply is an answer; others were none. */
function sortBackchannels(update: Update, listens: boolean): void {
  const { pending } = update.state;
  const isAnswer = (atMs: number) => listens && update.atMs - atMs <= backchannelMarginMs;
  for (const { text, kind, atMs } of pending)
    if (kind === 'backchannel' && !isAnswer(atMs))
      order(update, { kind: 'ignored', text, reason: 'backchannel' });
  const kept = pending.filter(({ kind, atMs }) => kind !== 'backchannel' || isAnswer(atMs));
  change(update, {
    pending: kept.map((each) => (each.kind === 'backchannel' ? { ...each, kind: 'words' } : each)),
  });
}

/**
 * Opens a turn for a caller who is speaking, or has spoken, when they get the floor or are no longer muted.
 */
export function takeUp(update: Update): void {
  const { state, settings } = update;
  if (state.isMuted || state.reply !== null) return;
  const hasSpoken = state.pending.some(({ kind }) => kind === 'words');
  const speaks = isVoiceOn(state) && settings.startStrategy !== 'min_words';
  if (hasSpoken || speaks || state.interim !== '') openTurn(update);
}

/**
 * What the caller said before a reply makes its first sound was no turn; words that only show attention are
 * none.
 */
export function letReplyBegin(update: Update): void {
  const { pending } = update.state;
  const isNoTurn = isAttention(update, textOf(update.state));
  change(update, {
    turn: null,
    pending: isNoTurn ? pending.map((each) => ({ ...each, kind: 'backchannel' })) : pending,
  });
}

/** Words that only show that somebody listens. */
export const isAttention = ({ settings }: Update, text: string): boolean =>
  isBackchannel(text, settings.backchannels);

/** Mutes and un-mutes as contract 3.2 says. */
export function settleMute(update: Update): void {
  const { state } = update;
  const isMuted =
    state.isOpeningMuted ||
    state.toolCount > 0 ||
    (isAudible(state) && state.reply?.allowInterrupt === false);
  if (isMuted === state.isMuted) return;
  change(update, { isMuted });
  order(update, { kind: isMuted ? 'mute_started' : 'mute_stopped' });
  if (isMuted) setTurnAside(update);
  else
    change(update, {
      voice: { ...state.voice, isMuted: state.voice.isMuted && !state.voice.isActive },
      floorSinceMs: update.atMs,
    });
}

/** What was said stays in `pending`; it is taken up later. */
function setTurnAside(update: Update): void {
  if (update.state.floor === 'caller') dropSpeculation(update);
  resumeOutput(update);
  change(update, { turn: null });
}

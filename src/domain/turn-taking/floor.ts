import { isBackchannel } from './backchannels.ts';
import { dropSpeculation } from './speculation.ts';
import { change, isAudible, isVoiceOn, order, textOf, type Update } from './state.ts';
import { backchannelMarginMs } from './timing.ts';

/** Begins the caller's turn, unless one is open. */
export function openTurn(update: Update, { hasInterrupted = false } = {}): void {
  const { state, atMs } = update;
  if (state.turn !== null) return;
  const saidAtMs = state.pending.find(({ kind }) => kind === 'words')?.atMs ?? atMs;
  const speechStartedAtMs = isVoiceOn(state) ? (state.voice.startedAtMs ?? atMs) : saidAtMs;
  change(update, {
    turn: { openedAtMs: atMs, speechStartedAtMs, hasInterrupted },
    speculation: { ...state.speculation, count: 0 },
    isComplete: null,
    utteranceEndedAtMs: null,
  });
  order(update, { kind: 'user_started' });
}

/**
 * The caller takes the floor from a reply. A pause for the opening continues and holds the next reply, too.
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

/**
 * Gives the floor to the caller, or to nobody if no one listens. Earlier words become part of the next turn.
 */
export function endReply(update: Update, listens: boolean): void {
  resumeOutput(update);
  change(update, { reply: null, floor: listens ? 'caller' : 'nobody', floorSinceMs: update.atMs });
  sortBackchannels(update, listens);
}

/** Ends a pause of one reply. */
export function resumeOutput(update: Update): void {
  const { pause } = update.state;
  if (pause === null || pause.kind === 'opening') return;
  change(update, { pause: null });
  order(update, { kind: 'resume_output' });
}

/** A backchannel at the very end of a reply answers it; earlier ones are ignored. */
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

/** Opens a turn for a caller who is speaking, or has spoken, when they get the floor or the mute ends. */
export function takeUp(update: Update): void {
  const { state, settings } = update;
  if (state.isMuted || state.reply !== null) return;
  const hasSpoken = state.pending.some(({ kind }) => kind === 'words');
  const speaks = isVoiceOn(state) && settings.startStrategy !== 'min_words';
  if (hasSpoken || speaks || state.interim !== '') openTurn(update);
}

/** Closes a turn from before the reply's first sound; words that only show attention become backchannels. */
export function letReplyBegin(update: Update): void {
  const { pending } = update.state;
  const isOnlyAttention = isAttention(update, textOf(update.state));
  change(update, {
    turn: null,
    pending: isOnlyAttention ? pending.map((each) => ({ ...each, kind: 'backchannel' })) : pending,
  });
}

/** The words only show attention. */
export const isAttention = ({ settings }: Update, text: string): boolean =>
  isBackchannel(text, settings.backchannels);

/** Mutes and unmutes (contract 3.2). */
export function settleMute(update: Update): void {
  const { state } = update;
  const isMuted =
    state.isOpeningMuted ||
    state.toolCount > 0 ||
    (isAudible(state) && state.reply?.allowInterrupt === false);
  if (isMuted === state.isMuted) return;
  change(update, { isMuted });
  order(update, { kind: isMuted ? 'mute_started' : 'mute_stopped' });
  if (isMuted) closeTurn(update);
  else
    change(update, {
      voice: { ...state.voice, isMuted: state.voice.isMuted && !state.voice.isActive },
      floorSinceMs: update.atMs,
    });
}

/** Closes the turn. Its words stay in `pending` for a later turn. */
function closeTurn(update: Update): void {
  if (update.state.floor === 'caller') dropSpeculation(update);
  resumeOutput(update);
  change(update, { turn: null });
}

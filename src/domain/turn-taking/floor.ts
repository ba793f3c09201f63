import { isBackchannel } from './backchannels.ts';
import { dropSpeculation } from './speculation.ts';
import { change, isAudible, isVoiceOn, order, textOf, type Moment } from './state.ts';
import { backchannelMarginMs } from './timing.ts';

/** The caller's turn begins; nothing when one is open. */
export function openTurn(moment: Moment, { cutOff = false } = {}): void {
  const { state, atMs } = moment;
  if (state.turn !== null) return;
  const saidAtMs = state.pending.find(({ kind }) => kind === 'words')?.atMs ?? atMs;
  const speechStartedAtMs = isVoiceOn(state) ? (state.voice.startedAtMs ?? atMs) : saidAtMs;
  change(moment, {
    turn: { openedAtMs: atMs, speechStartedAtMs, cutOff },
    speculation: { ...state.speculation, count: 0 },
    isComplete: null,
    utteranceEndedAtMs: null,
  });
  order(moment, { kind: 'user_started' });
}

/**
 * The caller takes the floor from a reply. A pause of the opening outlives it: what comes next is held back
 * too.
 */
export function interruptReply(moment: Moment): void {
  const { state, atMs } = moment;
  const isHeldBack = state.pause?.kind === 'opening';
  order(moment, { kind: 'interrupt' });
  if (isHeldBack) order(moment, { kind: 'pause_output' });
  change(moment, {
    reply: null,
    floor: 'caller',
    floorSinceMs: atMs,
    pause: isHeldBack ? state.pause : null,
  });
}

/** The floor goes to the caller, or to nobody when nobody listens. What was said before is taken up. */
export function endReply(moment: Moment, listens: boolean): void {
  const { state, atMs } = moment;
  if (state.reply !== null) resumeOutput(moment);
  change(moment, { reply: null, floor: listens ? 'caller' : 'nobody', floorSinceMs: atMs });
  sortBackchannels(moment, listens);
}

/** Ends a pause that concerns one reply. */
export function resumeOutput(moment: Moment): void {
  const { pause } = moment.state;
  if (pause === null || pause.kind === 'opening') return;
  change(moment, { pause: null });
  order(moment, { kind: 'resume_output' });
}

/** A backchannel at the very end of a reply is an answer; others were none. */
function sortBackchannels(moment: Moment, listens: boolean): void {
  const { pending } = moment.state;
  const isAnswer = (atMs: number) => listens && moment.atMs - atMs <= backchannelMarginMs;
  for (const { text, kind, atMs } of pending)
    if (kind === 'backchannel' && !isAnswer(atMs))
      order(moment, { kind: 'ignored', text, reason: 'backchannel' });
  const kept = pending.filter(({ kind, atMs }) => kind !== 'backchannel' || isAnswer(atMs));
  change(moment, {
    pending: kept.map((each) => (each.kind === 'backchannel' ? { ...each, kind: 'words' } : each)),
  });
}

/**
 * Opens a turn for a caller who is speaking, or has spoken, when they get the floor or are no longer muted.
 */
export function takeUp(moment: Moment): void {
  const { state, settings } = moment;
  if (state.isMuted || state.reply !== null || state.turn !== null) return;
  const hasSpoken = state.pending.some(({ kind }) => kind === 'words');
  const speaks = isVoiceOn(state) && settings.startStrategy !== 'min_words';
  if (hasSpoken || speaks || state.interim !== '') openTurn(moment);
}

/**
 * What the caller said before a reply makes its first sound was no turn; words that only show attention are
 * none.
 */
export function letReplyBegin(moment: Moment): void {
  const { pending } = moment.state;
  const isNoTurn = isAttention(moment, textOf(moment.state));
  change(moment, {
    turn: null,
    pending: isNoTurn ? pending.map((each) => ({ ...each, kind: 'backchannel' })) : pending,
  });
}

/** Words that only show that somebody listens. */
export const isAttention = ({ settings }: Moment, text: string): boolean =>
  isBackchannel(text, settings.backchannels);

/** Mutes and un-mutes as contract 3.2 says. */
export function settleMute(moment: Moment): void {
  const { state } = moment;
  const isMuted =
    state.isOpeningMuted ||
    state.toolCount > 0 ||
    (isAudible(state) && state.reply?.allowInterrupt === false);
  if (isMuted === state.isMuted) return;
  change(moment, { isMuted });
  order(moment, { kind: isMuted ? 'mute_started' : 'mute_stopped' });
  if (isMuted) setTurnAside(moment);
  else
    change(moment, {
      voice: { ...state.voice, isMuted: state.voice.isMuted && !state.voice.isActive },
      floorSinceMs: moment.atMs,
    });
}

/** What was said stays in `pending`; it is taken up later. */
function setTurnAside(moment: Moment): void {
  if (moment.state.turn !== null && moment.state.floor === 'caller') dropSpeculation(moment);
  resumeOutput(moment);
  change(moment, { turn: null });
}

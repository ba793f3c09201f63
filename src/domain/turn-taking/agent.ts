import { holdReply } from './caller.ts';
import {
  endReply,
  interruptReply,
  isAttention,
  letReplyBegin,
  resumeOutput,
  settleMute,
  takeUp,
} from './floor.ts';
import { dropSpeculation } from './speculation.ts';
import { change, isVoiceOn, textOf, type Update } from './state.ts';
import { finalSlackMs } from './timing.ts';
import type { TurnEvent } from './types.ts';

/** Events of the agent. */

export function beginReply(
  update: Update,
  { allowInterrupt, isFirst, listens = true }: Extract<TurnEvent, { kind: 'reply_began' }>,
): void {
  const { state, atMs } = update;
  resumeOutput(update);
  change(update, {
    reply: { allowInterrupt, listens, sound: 'none', isComplete: false, isLockedOut: false, beganAtMs: atMs },
    floor: 'agent',
    floorSinceMs: atMs,
    speculation: { ...state.speculation, text: null },
    isOpeningMuted: state.isOpeningMuted && isFirst,
  });
  settleMute(update);
  meetCaller(update);
}

/**
 * Interrupts or holds a reply when the caller went on before it began: it would answer half of what they say.
 */
function meetCaller(update: Update): void {
  const { state } = update;
  if (state.isMuted || state.reply?.allowInterrupt !== true) return;
  const isAnswer = state.typedAtMs !== null || !isAttention(update, textOf(state));
  const hasSpoken = state.turn !== null && textOf(state) !== '' && isAnswer;
  if (hasSpoken || state.keypad !== null) interruptReply(update);
  else if (isVoiceOn(state) || areWordsDue(update)) holdReply(update);
  else letReplyBegin(update);
}

function areWordsDue({ state: { turn, voice }, settings, atMs }: Update): boolean {
  return (
    turn !== null &&
    voice.stoppedAtMs !== null &&
    atMs < voice.stoppedAtMs + settings.p99FinalMs + finalSlackMs
  );
}

export function beginSound(update: Update): void {
  const { reply } = update.state;
  if (reply === null) return;
  change(update, { reply: { ...reply, sound: 'playing' } });
  settleMute(update);
}

export function endSound(update: Update): void {
  const { reply } = update.state;
  if (reply?.sound !== 'playing') return;
  change(update, { reply: { ...reply, sound: 'played' } });
  finishReply(update);
}

export function completeReply(update: Update): void {
  const { reply } = update.state;
  if (reply === null) return;
  change(update, { reply: { ...reply, isComplete: true } });
  finishReply(update);
}

/** Ends the reply once it is complete and fully heard. */
function finishReply(update: Update): void {
  const { reply, isOpeningMuted } = update.state;
  if (reply === null || !reply.isComplete || reply.sound === 'playing') return;
  const isHeard = reply.sound === 'played' || reply.listens;
  endReply(update, reply.listens);
  change(update, { isOpeningMuted: isOpeningMuted && !isHeard });
  settleMute(update);
  takeUp(update);
}

export function listen(update: Update): void {
  if (update.state.floor === 'caller') return;
  dropSpeculation(update);
  endReply(update, true);
  change(update, { isOpeningMuted: false });
  settleMute(update);
  takeUp(update);
}

export function countTools(update: Update, by: 1 | -1): void {
  change(update, { toolCount: Math.max(0, update.state.toolCount + by) });
  settleMute(update);
  takeUp(update);
}

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
import { change, isVoiceOn, textOf, type Moment } from './state.ts';
import { finalSlackMs } from './timing.ts';
import type { TurnEvent } from './types.ts';

/** What the agent does. */

export function beginReply(
  moment: Moment,
  { allowInterrupt, isFirst, listens = true }: Extract<TurnEvent, { kind: 'reply_began' }>,
): void {
  const { state, atMs } = moment;
  resumeOutput(moment);
  change(moment, {
    reply: { allowInterrupt, listens, sound: 'none', isComplete: false, isLockedOut: false, beganAtMs: atMs },
    floor: 'agent',
    floorSinceMs: atMs,
    speculation: { ...state.speculation, text: null },
    isOpeningMuted: state.isOpeningMuted && isFirst,
  });
  settleMute(moment);
  meetCaller(moment);
}

/** The caller went on before the answer began: it would be one to half of what they say. */
function meetCaller(moment: Moment): void {
  const { state } = moment;
  if (state.isMuted || state.reply?.allowInterrupt !== true) return;
  const hasSpoken = state.turn !== null && textOf(state) !== '' && !isAttention(moment, textOf(state));
  if (hasSpoken || state.keypad !== null) interruptReply(moment);
  else if (isVoiceOn(state) || areWordsDue(moment)) holdReply(moment);
  else letReplyBegin(moment);
}

function areWordsDue({ state: { turn, voice }, settings, atMs }: Moment): boolean {
  return (
    turn !== null &&
    voice.stoppedAtMs !== null &&
    atMs < voice.stoppedAtMs + settings.p99FinalMs + finalSlackMs
  );
}

export function beginSound(moment: Moment): void {
  const { reply } = moment.state;
  if (reply === null) return;
  change(moment, { reply: { ...reply, sound: 'playing' } });
  settleMute(moment);
}

export function endSound(moment: Moment): void {
  const { reply } = moment.state;
  if (reply?.sound !== 'playing') return;
  change(moment, { reply: { ...reply, sound: 'played' } });
  finishReply(moment);
}

export function completeReply(moment: Moment): void {
  const { reply } = moment.state;
  if (reply === null) return;
  change(moment, { reply: { ...reply, isComplete: true } });
  finishReply(moment);
}

/** Once everything was added and everything was heard. */
function finishReply(moment: Moment): void {
  const { reply, isOpeningMuted } = moment.state;
  if (reply === null || !reply.isComplete || reply.sound === 'playing') return;
  const isHeard = reply.sound === 'played' || reply.listens;
  endReply(moment, reply.listens);
  change(moment, { isOpeningMuted: isOpeningMuted && !isHeard });
  settleMute(moment);
  takeUp(moment);
}

export function listen(moment: Moment): void {
  if (moment.state.floor === 'caller') return;
  dropSpeculation(moment);
  endReply(moment, true);
  change(moment, { isOpeningMuted: false });
  settleMute(moment);
  takeUp(moment);
}

export function countTools(moment: Moment, by: 1 | -1): void {
  change(moment, { toolCount: Math.max(0, moment.state.toolCount + by) });
  settleMute(moment);
  takeUp(moment);
}

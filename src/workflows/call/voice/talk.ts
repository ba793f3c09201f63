import { condition } from '@temporalio/workflow';
import { unspokenOutcomes } from '../../../domain/telephony/detection.ts';
import type { AfterSpeaking, Say } from '../../../domain/call/voice.ts';
import { InvariantError } from '../../../domain/errors.ts';
import type { Line } from '../state.ts';
import { apologize, endWithLeg } from './legs.ts';
import type { Spoken } from './speak.ts';
import type { SpokenCall } from './spoken-call.ts';
import { transferForSupervisor } from './transfer.ts';
import { takeSpokenTurn, type NextTurn } from './turn.ts';

/** The third consecutive failure of a provider ends the call. */
const maxFaults = 3;

const opening: NextTurn = { start: { kind: 'opening' }, utterance: null, say: { kind: 'reply' } };
const checkIn: NextTurn = { start: { kind: 'silence' }, utterance: null, say: { kind: 'check_in' } };
const again: NextTurn = { start: { kind: 'again' }, utterance: null, say: { kind: 'reply' } };
const silence: Say = { kind: 'line', text: '' };
const listening: NextTurn = { start: { kind: 'intervention' }, utterance: null, say: silence };

/**
 * Runs the conversation turn by turn until it ends (contract 3.2, 8.4). What follows the last words of a turn
 * begins the next one.
 */
export async function talk(spoken: SpokenCall): Promise<void> {
  const inARow = { silences: 0, faults: 0 };
  let turn: NextTurn | null = opening;
  while (turn !== null && !spoken.call.isOver) {
    const after: Spoken['after'] = await takeSpokenTurn(spoken, turn);
    if (spoken.call.isOver) return;
    inARow.silences =
      after.kind === 'silence' ? inARow.silences + 1 : after.kind === 'fault' ? inARow.silences : 0;
    inARow.faults = after.kind === 'fault' ? inARow.faults + 1 : 0;
    const next = await follow(spoken, after, inARow);
    turn = next === null ? null : await intervene(spoken, next);
  }
}

/**
 * Carries out what a supervisor asks for next (contract 6.12), before `next` or in its place. What the person has said
 * is kept in any case. Returns the turn that follows; null when the conversation is over.
 */
async function intervene(spoken: SpokenCall, next: NextTurn): Promise<NextTurn | null> {
  const { interventions } = spoken;
  const asked = interventions.next();
  // guarantee: paused-agent-is-silent
  if (asked === null && interventions.isPaused) return mute(spoken, next);
  if (asked === null) {
    interventions.isReplyOwed = false;
    return next;
  }
  // guarantee: words-before-intervention-kept
  if (next.utterance !== null && asked.kind !== 'say') return { ...mute(spoken, next), isMute: true };
  interventions.taken();
  switch (asked.kind) {
    case 'say':
      // guarantee: supervisors-line-is-said
      return { ...mute(spoken, next), say: { kind: 'line', text: asked.text }, isMute: true };
    case 'goto':
      interventions.isPaused = false;
      return { start: { kind: 'goto', nodeId: asked.nodeId }, utterance: null, say: { kind: 'reply' } };
    case 'transfer':
      // guarantee: failed-transfer-goes-on
      if ((await transferForSupervisor(spoken, asked)) === 'connected') return null;
      return interventions.isPaused ? listening : again;
    case 'pause':
      interventions.isPaused = true;
      return listening;
    case 'resume':
      interventions.isPaused = false;
      if (!interventions.isReplyOwed) return listening;
      interventions.isReplyOwed = false;
      return again;
    case 'hang_up':
      if (asked.politely) return await sayGoodbye(spoken, 'supervisor');
      spoken.end(goodbyes.supervisor.disposition, goodbyes.supervisor);
      return null;
  }
}

/** The turn without an answer of the agent, which it owes from then on. */
function mute({ interventions }: SpokenCall, { start, utterance }: NextTurn): NextTurn {
  if (utterance === null) return listening;
  interventions.isReplyOwed = true;
  return { start, utterance, say: silence };
}

/** Returns the next turn; null when the conversation is over. */
async function follow(
  spoken: SpokenCall,
  after: Spoken['after'],
  { silences, faults }: { silences: number; faults: number },
): Promise<NextTurn | null> {
  switch (after.kind) {
    case 'utterance':
      return { start: { kind: 'utterance' }, utterance: lineOf(spoken, after), say: { kind: 'reply' } };
    case 'keypad':
      return {
        start: { kind: 'keypad' },
        utterance: {
          speaker: 'user',
          text: after.digits,
          at: after.at,
          nodeId: spoken.call.checkpoint.nodeId,
          kind: 'keypad',
        },
        say: { kind: 'reply' },
      };
    case 'silence':
      if (spoken.interventions.isPaused) return listening;
      if (silences < 2) return checkIn;
      return await sayGoodbye(spoken, 'idle');
    case 'fault':
      if (faults >= maxFaults) return await sayGoodbye(spoken, 'fault');
      // When only the recognizer failed, the reply was heard, so the model is not asked to repeat it.
      return after.stage === 'stt' ? checkIn : again;
    case 'time_up':
      return await sayGoodbye(spoken, 'duration');
    case 'limit':
      spoken.end('call_duration_exceeded');
      return null;
    case 'voicemail':
    case 'machine':
      return await leaveToMachine(spoken);
    case 'fax':
      spoken.end(unspokenOutcomes.fax.disposition, unspokenOutcomes.fax);
      return null;
    case 'gone':
      await endWithLeg(spoken);
      return null;
    case 'no_host':
      // guarantee: call-without-host-apologizes
      await apologize(spoken);
      return null;
    case 'intervened':
      spoken.interventions.isReplyOwed ||= after.wasSpeaking;
      return listening;
    case 'spoken':
      return listening;
    case 'moving':
      throw new InvariantError('A host that should have listened only spoke');
  }
}

function lineOf(
  { call }: SpokenCall,
  { text, startedAt, endedAt }: Extract<AfterSpeaking, { kind: 'utterance' }>,
): Line {
  return {
    speaker: 'user',
    text,
    at: startedAt,
    endAt: endedAt,
    nodeId: call.checkpoint.nodeId,
    kind: 'utterance',
  };
}

const goodbyes = {
  supervisor: { disposition: 'system_cancelled', retryClass: 'none' },
  idle: { disposition: 'user_idle_max_duration_exceeded', retryClass: 'none' },
  duration: { disposition: 'call_duration_exceeded', retryClass: 'none' },
  fault: { disposition: 'pipeline_error', retryClass: 'provider' },
} as const;

/** Speaks a closing line, if a host can speak and the caller can hear it. */
async function sayGoodbye(spoken: SpokenCall, reason: keyof typeof goodbyes): Promise<null> {
  await takeSpokenTurn(spoken, {
    start: { kind: 'closing' },
    utterance: null,
    say: { kind: 'goodbye', reason },
  });
  spoken.end(goodbyes[reason].disposition, goodbyes[reason]);
  return null;
}

/** Hangs up on a machine, after leaving the agent's message if it has one. */
async function leaveToMachine(spoken: SpokenCall): Promise<null> {
  const { channel, timing } = spoken;
  spoken.machineIsKnown = true;
  if (channel.leavesMessage === true) {
    if (spoken.leg.detection !== null)
      await condition(() => spoken.leg.greetingEnd !== null || spoken.isDown, timing.machineGreetingMs, {
        summary: 'Wait for the end of the greeting',
      });
    if (!spoken.isDown)
      await takeSpokenTurn(spoken, {
        start: { kind: 'closing' },
        utterance: null,
        say: { kind: 'voicemail_message' },
      });
  }
  spoken.end(unspokenOutcomes.machine.disposition, unspokenOutcomes.machine);
  return null;
}

import { Context } from '@temporalio/activity';
import type { CommitTurnInput } from '../services/calls/index.ts';
import type { Note } from '../domain/call/intervention.ts';
import type { ClaimSeatInput, SpeakStepInput, SpokenStep, TakeNotesInput } from '../domain/call/voice.ts';
import { timeoutsMs } from '../domain/declaration.ts';
import type { Logger } from '../runtime/logger.ts';
import { translated } from './attempts.ts';
import { beating } from './beating.ts';

/** A step that is broken off is told so (`stopStep`): heartbeats only show that the host lives, and each costs Temporal. */
const beatMs = timeoutsMs.speakHeartbeat / 2.5;

/** The owner of the calls' streams on this host. */
export interface Speaker {
  /** Speaks one step. Rejects with the signal's reason when it is aborted. */
  speak(input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep>;
  /** Resolves when the person has heard what was said between two steps. */
  finishSpeaking(call: Pick<ClaimSeatInput, 'callId' | 'generation'>, signal: AbortSignal): Promise<void>;
  /** Ends the step that is being spoken; resolves when its sound has stopped. */
  stopStep(call: Pick<ClaimSeatInput, 'callId' | 'generation'>): Promise<void>;
  /** Ends the step in favor of a supervisor; resolves when it has ended. */
  yieldStep(call: Pick<ClaimSeatInput, 'callId' | 'generation'>): Promise<void>;
  /** Replaces the supervisors' notes. */
  takeNotes(call: Pick<ClaimSeatInput, 'callId' | 'generation'>, notes: readonly Note[]): Promise<void>;
}

/** A step that carries the turn before it, which the host writes while it speaks. */
export interface SpeakStepRequest extends SpeakStepInput {
  turnBefore?: CommitTurnInput;
}

export interface SpokenAnswer extends SpokenStep {
  /** The carried turn is written; otherwise the Workflow has it committed. */
  isTurnBeforeWritten?: true;
}

export type SpeakingActivities = ReturnType<typeof createSpeakingActivities>;

/**
 * Activities of a media host on its own task queue. There is one attempt, because a second one would repeat
 * what was heard.
 */
export function createSpeakingActivities({
  speaker,
  commitTurn,
  log,
}: {
  speaker: Speaker;
  /** Writes a turn, once. */
  commitTurn: (input: CommitTurnInput) => Promise<void>;
  log: Logger;
}) {
  return {
    /** Speaks one step of a turn and listens. Writes the turn before it meanwhile; nothing waits for that. */
    async speakStep({ turnBefore, ...input }: SpeakStepRequest): Promise<SpokenAnswer> {
      const { callId, organizationId, generation, step } = input;
      const ids = { callId, organizationId, generation, turnIndex: step.turnIndex, nodeId: step.nodeId };
      let isWritten = false;
      if (turnBefore !== undefined)
        commitTurn(turnBefore).then(
          () => (isWritten = true),
          (error: unknown) => log.warn({ ...ids, err: error }, 'The turn before a step is left to a worker'),
        );
      const spoken = await translated({ log, ids }, () =>
        beating((signal) => speaker.speak(input, signal), beatMs),
      );
      return isWritten ? { ...spoken, isTurnBeforeWritten: true } : spoken;
    },

    /** Waits until the person has heard what the host says by itself, before the call leaves the host. */
    async finishSpeaking(input: ClaimSeatInput): Promise<void> {
      const { callId, organizationId, generation } = input;
      const { cancellationSignal } = Context.current();
      await translated({ log, ids: { callId, organizationId, generation } }, () =>
        speaker.finishSpeaking(input, cancellationSignal),
      );
    },

    /** Ends the step that the call is in. */
    async stopStep(input: ClaimSeatInput): Promise<void> {
      const { callId, organizationId, generation } = input;
      await translated({ log, ids: { callId, organizationId, generation } }, () => speaker.stopStep(input));
    },

    /** Ends the step that the call is in, in favor of a supervisor. */
    async yieldStep(input: ClaimSeatInput): Promise<void> {
      const { callId, organizationId, generation } = input;
      await translated({ log, ids: { callId, organizationId, generation } }, () => speaker.yieldStep(input));
    },

    /** Replaces the supervisors' notes for the model. */
    async takeNotes({ notes, ...call }: TakeNotesInput): Promise<void> {
      const { callId, organizationId, generation } = call;
      await translated({ log, ids: { callId, organizationId, generation } }, () =>
        speaker.takeNotes(call, notes),
      );
    },
  };
}

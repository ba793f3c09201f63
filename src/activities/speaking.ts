import type { SpeakStepInput, SpokenStep } from '../domain/call/voice.ts';
import { timeoutsMs } from '../domain/declaration.ts';
import type { Logger } from '../runtime/logger.ts';
import { translated } from './attempts.ts';
import { beating } from './beating.ts';

/** Who has the call's stream on this host. */
export interface Speaker {
  /** Rejects with the signal's reason when that is aborted. */
  speak(input: SpeakStepInput, signal: AbortSignal): Promise<SpokenStep>;
}

/** What a media host does on its own task queue. One attempt: a second one would say again what was heard. */
export function createSpeakingActivities({ speaker, log }: { speaker: Speaker; log: Logger }) {
  return {
    /** One step of a turn, said and listened to. */
    async speakStep(input: SpeakStepInput): Promise<SpokenStep> {
      const { callId, organizationId, generation, step } = input;
      const ids = { callId, organizationId, generation, turnIndex: step.turnIndex, nodeId: step.nodeId };
      return await translated({ log, ids }, () =>
        beating((signal) => speaker.speak(input, signal), timeoutsMs.speakHeartbeat / 6),
      );
    },
  };
}

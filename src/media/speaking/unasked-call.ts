import { loadSeatedScene } from '../../services/calls/index.ts';
import type { VoiceLeg } from '../leg.ts';
import type { SeatedCall } from '../sessions.ts';
import type { WaitingCall } from './absence.ts';
import { CallSounds } from './call-sounds.ts';
import type { SpeakingDeps } from './ports.ts';

/**
 * A live stream whose first step no one has asked for yet. Most calls get their first step at once, so MySQL is read only
 * when the facts are first needed, and again after a failure.
 */
export function createUnaskedCall(deps: SpeakingDeps, seated: SeatedCall, leg: VoiceLeg): WaitingCall {
  const { callId, organizationId, generation } = seated;
  let facts: ReturnType<WaitingCall['facts']> | null = null;
  let clauseId = 0;

  const read = async () => {
    const { call, settings } = await loadSeatedScene({ deps: deps.conversation, input: seated });
    const voices = await deps.voicesFor({ organizationId, settings });
    return { call, sounds: new CallSounds(voices, leg.sampleRate) };
  };

  return {
    deps,
    leg,
    ref: { callId, generation },
    async facts() {
      facts ??= read();
      try {
        return await facts;
      } catch (error) {
        facts = null;
        throw error;
      }
    },
    // Below those of the conversation that may follow on this leg.
    nextClauseId: () => (clauseId -= 1),
  };
}

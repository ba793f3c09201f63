import { timeoutsMs } from '../../../domain/declaration.ts';
import type { CallInput, VoiceTiming } from '../messages.ts';

/** How often to check for an answer that the carrier did not report. */
const answerLookMs = 5000;
/** How long the carrier may take to say whether a leg ended with its stream. */
const legStatusTimeoutMs = 400;
/** Maximum wait for the end of a machine's greeting before the message is left. */
const machineGreetingMs = 20_000;

export function timingOf({ voiceTiming = {} }: Pick<CallInput, 'voiceTiming'>): VoiceTiming {
  return {
    mediaSeatMs: timeoutsMs.mediaSeat,
    mediaResumeMs: timeoutsMs.mediaResume,
    dialReconcileMs: timeoutsMs.dialReconcile,
    dialDoubtMs: timeoutsMs.dialDoubt,
    dialDoubtMaxMs: timeoutsMs.dialDoubtMax,
    ringingMs: timeoutsMs.ringing,
    carrierQuietMs: timeoutsMs.carrierQuiet,
    carrierPollMs: timeoutsMs.carrierPoll,
    answerLookMs,
    machineGreetingMs,
    legStatusTimeoutMs,
    ...voiceTiming,
  };
}

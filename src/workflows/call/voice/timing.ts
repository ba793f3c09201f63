import { timeoutsMs } from '../../../domain/declaration.ts';
import type { CallInput, VoiceTiming } from '../messages.ts';

/** How often it is looked whether somebody answered of whom the carrier did not tell. */
const answerLookMs = 5000;
/** A stream that stops may be the end of the line: how long the carrier is given to say whether it is. */
const lineAnswerMs = 400;
/** How long a machine's greeting is waited for before a message is left all the same. */
const machineGreetingMs = 20_000;

export function timingOf({ voiceTiming = {} }: CallInput): VoiceTiming {
  return {
    mediaResumeMs: timeoutsMs.mediaResume,
    dialReconcileMs: timeoutsMs.dialReconcile,
    dialDoubtMs: timeoutsMs.dialDoubt,
    dialDoubtMaxMs: timeoutsMs.dialDoubtMax,
    ringingMs: timeoutsMs.ringing,
    carrierQuietMs: timeoutsMs.carrierQuiet,
    carrierPollMs: timeoutsMs.carrierPoll,
    answerLookMs,
    machineGreetingMs,
    lineAnswerMs,
    ...voiceTiming,
  };
}

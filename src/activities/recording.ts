import { assembleRecording, type RecordingDeps } from '../services/calls/index.ts';
import type { Logger } from '../runtime/logger.ts';
import { withAttempts } from './attempts.ts';

export type RecordingActivities = ReturnType<typeof createRecordingActivities>;

/** Activities about what was recorded of a call. */
export function createRecordingActivities(deps: RecordingDeps & { log: Logger }) {
  const { log } = deps;
  return {
    /** Makes the recording's files of what media hosts wrote (contract 6.7). Heartbeats. */
    async assembleRecording(input: {
      callId: number;
      organizationId: number;
    }): Promise<'assembled' | 'nothing'> {
      return await withAttempts(
        { log, ids: { callId: input.callId, organizationId: input.organizationId } },
        (signal) => assembleRecording({ deps, input, signal }),
      );
    },
  };
}

import { assembleRecording, type RecordingDeps } from '../services/calls/index.ts';
import type { Logger } from '../runtime/logger.ts';
import { withAttempts } from './attempts.ts';

export type RecordingActivities = ReturnType<typeof createRecordingActivities>;

/** Activities for recordings of calls. */
export function createRecordingActivities(deps: RecordingDeps & { log: Logger }) {
  const { log } = deps;
  return {
    /** Makes a recording's files from the pieces of media hosts (contract 6.7). Heartbeats. */
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

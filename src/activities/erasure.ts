import {
  eraseRequestedCall,
  type ErasureDeps,
  type RequestedCall,
} from '../services/data-lifecycle/index.ts';
import { withAttempts } from './attempts.ts';

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

/** Activities of `eraseCallWorkflow`. */
export function createErasureActivities(deps: ErasureDeps) {
  const { log } = deps;
  return {
    /** Erases an ended call: histories, recording and rows. Temporal takes a while to delete. Heartbeats. */
    async eraseRequestedCall(input: RequestedCall): Promise<void> {
      await withAttempts({ log, ids: { ...input } }, () => eraseRequestedCall({ deps, input }));
    },
  };
}

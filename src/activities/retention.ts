import {
  applyRetention,
  forgetDials,
  removeUnusedFiles,
  type RetentionDeps,
  type RetentionPage,
} from '../services/data-lifecycle/index.ts';
import { withAttempts } from './attempts.ts';

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

/** Activities of `retentionWorkflow`. */
export function createRetentionActivities(deps: RetentionDeps) {
  const { log } = deps;
  return {
    /**
     * One page of what is past its age; null when every organization was looked at. A pass begins with dials
     * of numbers, which are everybody's, and ends with files that nobody has. Heartbeats.
     */
    async applyRetention(input: { afterOrganizationId: number }): Promise<RetentionPage | null> {
      return await withAttempts({ log, ids: { ...input } }, async (signal) => {
        if (input.afterOrganizationId === 0) await forgetDials({ deps, signal });
        const page = await applyRetention({ deps, input, signal });
        // Last: a storage that is away holds up nothing else.
        if (page === null) await removeUnusedFiles({ deps, signal });
        return page;
      });
    },
  };
}

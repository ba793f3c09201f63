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
     * Removes one page of expired data; null after the last organization. A pass begins with the dials of
     * numbers, which are shared by all organizations, and ends with files that no row refers to. Heartbeats.
     */
    async applyRetention(input: { afterOrganizationId: number }): Promise<RetentionPage | null> {
      return await withAttempts({ log, ids: { ...input } }, async (signal) => {
        if (input.afterOrganizationId === 0) await forgetDials({ deps, signal });
        const page = await applyRetention({ deps, input, signal });
        // Last, so that an unavailable storage delays nothing else.
        if (page === null) await removeUnusedFiles({ deps, signal });
        return page;
      });
    },
  };
}

import { applyRetention, forgetDials, type RetentionDeps, type RetentionPage } from '../services/retention/index.ts';
import { withAttempts } from './attempts.ts';

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

/** Activities of `retentionWorkflow`. */
export function createRetentionActivities(deps: RetentionDeps) {
  const { log } = deps;
  return {
    /** One page of what is past its age; null when every organization was looked at. A pass begins with dials of numbers, which are everybody's. Heartbeats. */
    async applyRetention(input: { afterOrganizationId: number }): Promise<RetentionPage | null> {
      return await withAttempts({ log, ids: { ...input } }, async (signal) => {
        if (input.afterOrganizationId === 0) await forgetDials({ deps, signal });
        return await applyRetention({ deps, input, signal });
      });
    },
  };
}

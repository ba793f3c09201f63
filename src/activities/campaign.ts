import { pace, type PaceDeps, type Paced, type PaceInput } from '../services/campaigns/index.ts';
import { withAttempts } from './attempts.ts';

export type { Paced } from '../services/campaigns/index.ts';

export type CampaignActivities = ReturnType<typeof createCampaignActivities>;

/** Activities of `campaignWorkflow`. */
export function createCampaignActivities(deps: PaceDeps) {
  return {
    /**
     * Dials what is due, for a while, with heartbeats. A retry after a worker's death continues from the
     * rows.
     */
    async paceCampaign(input: PaceInput): Promise<Paced> {
      return await withAttempts(
        { log: deps.log, ids: { campaignId: input.campaignId, organizationId: input.organizationId } },
        (signal) => pace({ deps, input, signal }),
      );
    },
  };
}

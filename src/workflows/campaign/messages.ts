import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Paced } from '../../activities/campaign.ts';

/** The ids of a campaign, which its Workflow is bound to. Everything that can change is in MySQL. */
export interface CampaignInput {
  campaignId: number;
  campaignUuid: string;
  organizationId: number;
  organizationUuid: string;
  agentUuid: string;
  /** Duration of one `paceCampaign` activity, instead of the declared one. */
  paceMs?: number;
  /**
   * Maximum number of `paceCampaign` activities per run, after which a fresh run continues. Temporal suggests
   * one long before its limits.
   */
  activitiesPerRun?: number;
}

/** Answer of `campaignStateQuery`; null before the first `paceCampaign` has ended. */
export type CampaignStateAnswer = Paced | null;

/** The campaign was changed in MySQL, so the Workflow looks at it now. */
export const wakeCampaignSignal = defineSignal('wakeCampaign');
export const campaignStateQuery = defineQuery<CampaignStateAnswer>('campaignState');

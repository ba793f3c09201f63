import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Paced } from '../../activities/campaign.ts';

/** What a campaign's Workflow is pinned to: ids alone. Everything that can be changed is in MySQL. */
export interface CampaignInput {
  campaignId: number;
  campaignUuid: string;
  organizationId: number;
  organizationUuid: string;
  agentUuid: string;
  /** How long one step paces before it hands back, instead of the declared time. */
  paceMs?: number;
  /**
   * After how many steps a fresh run goes on, at the latest; Temporal suggests one long before its limits.
   */
  stepsPerRun?: number;
}

/** What `campaignStateQuery` answers; null before the first step is over. */
export type CampaignStateAnswer = Paced | null;

/** Something about the campaign was changed in MySQL: it is looked at now. */
export const wakeCampaignSignal = defineSignal('wakeCampaign');
export const campaignStateQuery = defineQuery<CampaignStateAnswer>('campaignState');

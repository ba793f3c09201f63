/** States of contract 11.6. A stopped campaign is `completed`, and its log says that it was stopped. */
export type CampaignState = 'created' | 'syncing' | 'running' | 'paused' | 'completed' | 'failed';

/** States of campaigns that may still dial. */
export const openCampaignStates: readonly CampaignState[] = ['created', 'syncing', 'running', 'paused'];

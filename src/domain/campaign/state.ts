/** Of contract 11.6. A campaign that was stopped is `completed`, and its log says so. */
export type CampaignState = 'created' | 'syncing' | 'running' | 'paused' | 'completed' | 'failed';

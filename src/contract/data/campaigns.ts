/** How campaigns stand, as lists are narrowed: whatever runs, also until it has stopped, is `running`. */
export const campaignStandings = ['running', 'paused', 'created', 'completed', 'stopped', 'failed'] as const;
export type CampaignStanding = (typeof campaignStandings)[number];

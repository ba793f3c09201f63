/** How campaigns stand, as lists are narrowed: whatever runs, also until it has stopped, is `running`. */
export const campaignStandings = ['running', 'paused', 'created', 'completed', 'stopped', 'failed'] as const;
export type CampaignStanding = (typeof campaignStandings)[number];

/** What narrows a list of campaigns: a standing, or all that are neither completed nor stopped. */
export const campaignFilters = [...campaignStandings, 'open'] as const;
export type CampaignFilter = (typeof campaignFilters)[number];

import type { CampaignRuns } from '../../../temporal/port.ts';
import type { DirectoryDeps } from '../../contacts/index.ts';
import type { TelephonyDeps } from '../../telephony/index.ts';
import type { CampaignCounts } from './counts.ts';

/** What operations on campaigns need in addition to the caller's context. */
export interface CampaignDeps extends TelephonyDeps {
  campaignRuns: CampaignRuns;
  campaignCounts: CampaignCounts;
  directories: DirectoryDeps;
}

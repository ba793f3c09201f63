import type { Carriers } from '../../../providers/carrier/port.ts';
import type { Executions } from '../../../temporal/executions-port.ts';
import type { ImportRuns } from '../../../temporal/import-port.ts';
import type { CampaignRuns } from '../../../temporal/port.ts';
import type { ConversationDeps } from '../../calls/index.ts';

/** What reconciliation needs. */
export interface ReconcileDeps extends ConversationDeps {
  executions: Executions;
  campaignRuns: Pick<CampaignRuns, 'start'>;
  imports: Pick<ImportRuns, 'start'>;
  /** Accounts at carriers, for legs that are still live; absent if this process has none. */
  accounts?: Carriers | undefined;
}

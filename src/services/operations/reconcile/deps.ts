import type { Carriers } from '../../../providers/carrier/port.ts';
import type { Executions } from '../../../temporal/executions-port.ts';
import type { ImportRuns } from '../../../temporal/import-port.ts';
import type { CampaignRuns } from '../../../temporal/port.ts';
import type { ConversationDeps } from '../../calls/index.ts';

/** What reconciliation needs of the world. */
export interface ReconcileDeps extends ConversationDeps {
  executions: Executions;
  campaignRuns: Pick<CampaignRuns, 'start'>;
  imports: Pick<ImportRuns, 'start'>;
  /** Accounts at the carrier, for lines that are still open; absent = this process speaks with none. */
  accounts?: Carriers | undefined;
}

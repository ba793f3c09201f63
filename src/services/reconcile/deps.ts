import type { Executions } from '../../temporal/executions-port.ts';
import type { ConversationDeps } from '../conversation/index.ts';

/** What reconciliation needs of the world. */
export interface ReconcileDeps extends ConversationDeps {
  executions: Executions;
}

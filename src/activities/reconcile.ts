import { closeStray, findStrays, type FindStraysInput, type ReconcileDeps, type Stray, type StrayPage } from '../services/reconcile/index.ts';
import type { PreparedDelivery } from '../services/conversation/index.ts';
import { translated, withAttempts } from './attempts.ts';

export type { Stray } from '../services/reconcile/index.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

/** Activities of `reconcileWorkflow`; each is one verb of src/services/reconcile. */
export function createReconcileActivities(deps: ReconcileDeps) {
  const { log } = deps;
  return {
    /** One page of calls that are not over, held against Temporal. Heartbeats; changes nothing. */
    async findStrays(input: FindStraysInput): Promise<StrayPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) => findStrays({ deps, input, signal }));
    },

    /** Ends or refuses one call; answers its webhooks, also when it is closed already. */
    async closeStray(input: Stray): Promise<PreparedDelivery[]> {
      return await translated({ log, ids: { callId: input.callId, organizationId: input.organizationId } }, () => closeStray({ deps, input }));
    },
  };
}

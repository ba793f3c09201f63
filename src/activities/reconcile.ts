import { closeStray, findLostDeliveries, findStrays, findUnjoinedRecordings, findUnsentCalls, prepareUnsent, restartDelivery, type FindLostDeliveriesInput, type FindStraysInput, type FindUnsentCallsInput, type LostDelivery, type LostDeliveryPage, type ReconcileDeps, type Stray, type StrayPage, type UnjoinedPage, type UnsentCall, type UnsentCallPage } from '../services/reconcile/index.ts';
import type { PreparedDelivery } from '../services/conversation/index.ts';
import { translated, withAttempts } from './attempts.ts';

export type { LostDelivery, Stray, UnsentCall } from '../services/reconcile/index.ts';

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

    /** One page of ended calls without their webhooks, held against Temporal. Heartbeats; changes nothing. */
    async findUnsentCalls(input: FindUnsentCallsInput): Promise<UnsentCallPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) => findUnsentCalls({ deps, input, signal }));
    },

    /** Renders the webhooks of one of them; answers them, also when they are there already. */
    async prepareUnsent(input: UnsentCall): Promise<PreparedDelivery[]> {
      return await translated({ log, ids: { callId: input.callId, organizationId: input.organizationId } }, () => prepareUnsent({ deps, input }));
    },

    /** One page of ended calls whose recording lies in pieces, held against Temporal. Heartbeats; changes nothing. */
    async findUnjoinedRecordings(input: FindUnsentCallsInput): Promise<UnjoinedPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) => findUnjoinedRecordings({ deps, input, signal }));
    },

    /** One page of overdue deliveries, held against Temporal. Heartbeats; changes nothing. */
    async findLostDeliveries(input: FindLostDeliveriesInput): Promise<LostDeliveryPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) => findLostDeliveries({ deps, input, signal }));
    },

    /** The attempt with which one of them goes on; null when it is finished. */
    async restartDelivery(input: LostDelivery): Promise<{ attempt: number } | null> {
      return await translated({ log, ids: { deliveryUuid: input.deliveryUuid, organizationId: input.organizationId } }, () => restartDelivery({ deps, input }));
    },
  };
}

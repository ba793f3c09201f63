import {
  closeOrphanedCall,
  findLostDeliveries,
  findLostImports,
  findOrphanedCalls,
  findUnjoinedRecordings,
  findUnpacedCampaigns,
  findUnsentCalls,
  importAgain,
  paceAgain,
  prepareUnsent,
  restartDelivery,
  type FindLostDeliveriesInput,
  type FindOrphanedCallsInput,
  type FindUnsentCallsInput,
  type LostDelivery,
  type LostDeliveryPage,
  type LostImport,
  type LostImportPage,
  type ReconcileDeps,
  type OrphanedCall,
  type OrphanedCallPage,
  type UnjoinedPage,
  type UnpacedCampaign,
  type UnpacedCampaignPage,
  type UnsentCall,
  type UnsentCallPage,
} from '../services/operations/index.ts';
import type { PreparedDelivery } from '../services/calls/index.ts';
import { translated, withAttempts } from './attempts.ts';

export type {
  LostDelivery,
  LostImport,
  OrphanedCall,
  UnpacedCampaign,
  UnsentCall,
} from '../services/operations/index.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

/** Activities of `reconcileWorkflow`; each is one verb of src/services/reconcile. */
export function createReconcileActivities(deps: ReconcileDeps) {
  const { log } = deps;
  return {
    /** One page of calls that are not over, held against Temporal. Heartbeats; changes nothing. */
    async findOrphanedCalls(input: FindOrphanedCallsInput): Promise<OrphanedCallPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findOrphanedCalls({ deps, input, signal }),
      );
    },

    /** Ends or refuses one call; answers its webhooks, also when it is closed already. */
    async closeOrphanedCall(input: OrphanedCall): Promise<PreparedDelivery[]> {
      return await translated(
        { log, ids: { callId: input.callId, organizationId: input.organizationId } },
        () => closeOrphanedCall({ deps, input }),
      );
    },

    /** One page of ended calls without their webhooks, held against Temporal. Heartbeats; changes nothing. */
    async findUnsentCalls(input: FindUnsentCallsInput): Promise<UnsentCallPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findUnsentCalls({ deps, input, signal }),
      );
    },

    /** Renders the webhooks of one of them; answers them, also when they are there already. */
    async prepareUnsent(input: UnsentCall): Promise<PreparedDelivery[]> {
      return await translated(
        { log, ids: { callId: input.callId, organizationId: input.organizationId } },
        () => prepareUnsent({ deps, input }),
      );
    },

    /**
     * One page of ended calls whose recording lies in pieces, held against Temporal. Heartbeats; changes
     * nothing.
     */
    async findUnjoinedRecordings(input: FindUnsentCallsInput): Promise<UnjoinedPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findUnjoinedRecordings({ deps, input, signal }),
      );
    },

    /** One page of overdue deliveries, held against Temporal. Heartbeats; changes nothing. */
    async findLostDeliveries(input: FindLostDeliveriesInput): Promise<LostDeliveryPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findLostDeliveries({ deps, input, signal }),
      );
    },

    /**
     * One page of campaigns that have something to do, held against Temporal. Heartbeats; changes nothing.
     */
    async findUnpacedCampaigns(input: FindOrphanedCallsInput): Promise<UnpacedCampaignPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findUnpacedCampaigns({ deps, input, signal }),
      );
    },

    /** Starts what paces one of them; false when somebody was first. */
    async paceAgain(input: UnpacedCampaign): Promise<boolean> {
      return await translated(
        { log, ids: { campaignId: input.campaignId, organizationId: input.organizationId } },
        () => paceAgain({ deps, input }),
      );
    },

    /**
     * One page of directories that wait for an import, held against Temporal. Heartbeats; changes nothing.
     */
    async findLostImports(input: { afterId: number }): Promise<LostImportPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findLostImports({ deps, input, signal }),
      );
    },

    /** Makes one of those imports from its beginning; false when somebody was first. */
    async importAgain(input: LostImport): Promise<boolean> {
      return await translated(
        { log, ids: { directoryId: input.directoryId, organizationId: input.organizationId } },
        () => importAgain({ deps, input }),
      );
    },

    /** The attempt with which one of them goes on; null when it is finished. */
    async restartDelivery(input: LostDelivery): Promise<{ attempt: number } | null> {
      return await translated(
        { log, ids: { deliveryUuid: input.deliveryUuid, organizationId: input.organizationId } },
        () => restartDelivery({ deps, input }),
      );
    },
  };
}

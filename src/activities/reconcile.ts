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

/** Activities of `reconcileWorkflow`; each calls one function of src/services/operations. */
export function createReconcileActivities(deps: ReconcileDeps) {
  const { log } = deps;
  return {
    /** Checks one page of live calls against Temporal. Heartbeats; changes nothing. */
    async findOrphanedCalls(input: FindOrphanedCallsInput): Promise<OrphanedCallPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findOrphanedCalls({ deps, input, signal }),
      );
    },

    /** Ends or refuses one call. Returns its webhooks, also for a closed call. */
    async closeOrphanedCall(input: OrphanedCall): Promise<PreparedDelivery[]> {
      return await translated(
        { log, ids: { callId: input.callId, organizationId: input.organizationId } },
        () => closeOrphanedCall({ deps, input }),
      );
    },

    /**
     * Checks one page of ended calls without their webhooks against Temporal. Heartbeats; changes nothing.
     */
    async findUnsentCalls(input: FindUnsentCallsInput): Promise<UnsentCallPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findUnsentCalls({ deps, input, signal }),
      );
    },

    /** Renders the webhooks of one of these calls. Returns them, also when they already exist. */
    async prepareUnsent(input: UnsentCall): Promise<PreparedDelivery[]> {
      return await translated(
        { log, ids: { callId: input.callId, organizationId: input.organizationId } },
        () => prepareUnsent({ deps, input }),
      );
    },

    /**
     * Checks one page of ended calls whose recording is in pieces against Temporal. Heartbeats; changes
     * nothing.
     */
    async findUnjoinedRecordings(input: FindUnsentCallsInput): Promise<UnjoinedPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findUnjoinedRecordings({ deps, input, signal }),
      );
    },

    /** Checks one page of overdue deliveries against Temporal. Heartbeats; changes nothing. */
    async findLostDeliveries(input: FindLostDeliveriesInput): Promise<LostDeliveryPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findLostDeliveries({ deps, input, signal }),
      );
    },

    /** Checks one page of campaigns with work against Temporal. Heartbeats; changes nothing. */
    async findUnpacedCampaigns(input: FindOrphanedCallsInput): Promise<UnpacedCampaignPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findUnpacedCampaigns({ deps, input, signal }),
      );
    },

    /** Starts the Workflow of one of these campaigns; false when it is already running. */
    async paceAgain(input: UnpacedCampaign): Promise<boolean> {
      return await translated(
        { log, ids: { campaignId: input.campaignId, organizationId: input.organizationId } },
        () => paceAgain({ deps, input }),
      );
    },

    /**
     * Checks one page of directories that wait for an import against Temporal. Heartbeats; changes nothing.
     */
    async findLostImports(input: { afterId: number }): Promise<LostImportPage> {
      return await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) =>
        findLostImports({ deps, input, signal }),
      );
    },

    /** Starts one of these imports from its beginning; false when it is already running. */
    async importAgain(input: LostImport): Promise<boolean> {
      return await translated(
        { log, ids: { directoryId: input.directoryId, organizationId: input.organizationId } },
        () => importAgain({ deps, input }),
      );
    },

    /** Returns the attempt with which one of these deliveries continues; null when it has ended. */
    async restartDelivery(input: LostDelivery): Promise<{ attempt: number } | null> {
      return await translated(
        { log, ids: { deliveryUuid: input.deliveryUuid, organizationId: input.organizationId } },
        () => restartDelivery({ deps, input }),
      );
    },
  };
}

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
  type LostDelivery,
  type LostImport,
  type ReconcileDeps,
  type OrphanedCall,
  type Page,
  type UnpacedCampaign,
  type UnsentCall,
} from '../services/operations/index.ts';
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
  const inPages =
    <Input extends { afterId: number }, Item>(
      find: (finding: { deps: ReconcileDeps; input: Input; signal: AbortSignal }) => Promise<Page<Item>>,
    ) =>
    async (input: Input): Promise<Page<Item>> =>
      await withAttempts({ log, ids: { afterId: input.afterId } }, (signal) => find({ deps, input, signal }));
  return {
    /** Checks one page of live calls against Temporal. Heartbeats; changes nothing. */
    findOrphanedCalls: inPages(findOrphanedCalls),

    /** Ends or refuses one call, and renders its webhooks. */
    async closeOrphanedCall(input: OrphanedCall): Promise<void> {
      await translated({ log, ids: { callId: input.callId, organizationId: input.organizationId } }, () =>
        closeOrphanedCall({ deps, input }),
      );
    },

    /**
     * Checks one page of ended calls without their webhooks against Temporal. Heartbeats; changes nothing.
     */
    findUnsentCalls: inPages(findUnsentCalls),

    /** Renders the webhooks of one of these calls. */
    async prepareUnsent(input: UnsentCall): Promise<void> {
      await translated({ log, ids: { callId: input.callId, organizationId: input.organizationId } }, () =>
        prepareUnsent({ deps, input }),
      );
    },

    /**
     * Checks one page of ended calls whose recording is in pieces against Temporal. Heartbeats; changes
     * nothing.
     */
    findUnjoinedRecordings: inPages(findUnjoinedRecordings),

    /** Checks one page of overdue deliveries against Temporal. Heartbeats; changes nothing. */
    findLostDeliveries: inPages(findLostDeliveries),

    /** Checks one page of campaigns with work against Temporal. Heartbeats; changes nothing. */
    findUnpacedCampaigns: inPages(findUnpacedCampaigns),

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
    findLostImports: inPages(findLostImports),

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

export { getAuditEntry } from './audit-log/get.ts';
export { listAudit } from './audit-log/list.ts';
export { shownWaits } from './load/campaigns.ts';
export { gaugeLoad, gaugePool } from './load/gauge.ts';
export { countActiveCalls, readLoad } from './load/read.ts';
export { closeOrphanedCall, endWithin } from './reconcile/close-orphaned-call.ts';
export type { ReconcileDeps } from './reconcile/deps.ts';
export {
  type FindLostDeliveriesInput,
  type LostDelivery,
  type LostDeliveryPage,
  findLostDeliveries,
} from './reconcile/find-lost-deliveries.ts';
export { type LostImport, type LostImportPage, findLostImports } from './reconcile/find-lost-imports.ts';
export {
  type FindOrphanedCallsInput,
  type OrphanedCall,
  type OrphanedCallPage,
  findOrphanedCalls,
} from './reconcile/find-orphaned-calls.ts';
export { type UnjoinedPage, findUnjoinedRecordings } from './reconcile/find-unjoined-recordings.ts';
export {
  type UnpacedCampaign,
  type UnpacedCampaignPage,
  findUnpacedCampaigns,
} from './reconcile/find-unpaced-campaigns.ts';
export {
  type FindUnsentCallsInput,
  type UnsentCall,
  type UnsentCallPage,
  findUnsentCalls,
} from './reconcile/find-unsent-calls.ts';
export { importAgain } from './reconcile/import-again.ts';
export { paceAgain } from './reconcile/pace-again.ts';
export { prepareUnsent } from './reconcile/prepare-unsent.ts';
export { restartDelivery } from './reconcile/restart-delivery.ts';

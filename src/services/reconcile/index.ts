export { closeStray, endWithin } from './close-stray.ts';
export type { ReconcileDeps } from './deps.ts';
export { findStrays, type FindStraysInput, type Stray, type StrayPage } from './find-strays.ts';
export {
  findLostDeliveries,
  type FindLostDeliveriesInput,
  type LostDelivery,
  type LostDeliveryPage,
} from './find-lost-deliveries.ts';
export { findUnjoinedRecordings, type UnjoinedPage } from './find-unjoined-recordings.ts';
export {
  findUnsentCalls,
  type FindUnsentCallsInput,
  type UnsentCall,
  type UnsentCallPage,
} from './find-unsent-calls.ts';
export { findLostImports, type LostImport, type LostImportPage } from './find-lost-imports.ts';
export {
  findUnpacedCampaigns,
  type UnpacedCampaign,
  type UnpacedCampaignPage,
} from './find-unpaced-campaigns.ts';
export { importAgain } from './import-again.ts';
export { paceAgain } from './pace-again.ts';
export { prepareUnsent } from './prepare-unsent.ts';
export { restartDelivery } from './restart-delivery.ts';

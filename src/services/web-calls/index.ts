export { offerWebCall } from './offer.ts';
export { startWebCall } from './start.ts';

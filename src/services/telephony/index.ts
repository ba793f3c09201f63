export type { OutboundCarrier, OutboundCarriers } from './deps.ts';
export { initiateCall } from './initiate.ts';
export { triggerCall } from './trigger.ts';

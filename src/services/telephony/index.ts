export type { CallLimits, OutboundCarrier, OutboundCarriers } from './deps.ts';
export { initiateCall } from './initiate.ts';
export { createPhoneCalls } from './start-call.ts';
export { triggerCall } from './trigger.ts';

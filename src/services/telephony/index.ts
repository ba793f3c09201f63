export { usualCallLimits, type CallLimits, type OutboundCarrier, type OutboundCarriers } from './deps.ts';
export { initiateCall } from './initiate.ts';
export { createPhoneCalls } from './start-call.ts';
export { triggerCall } from './trigger.ts';

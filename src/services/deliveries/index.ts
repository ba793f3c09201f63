export { attemptDelivery, type AttemptInput, type AttemptOutcome } from './attempt.ts';
export { buryDelivery } from './bury.ts';
export type { DeliveryDeps } from './deps.ts';
export { scheduleNextAttempt } from './schedule-next-attempt.ts';

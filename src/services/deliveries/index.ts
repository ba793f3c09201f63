export { attemptDelivery, type AttemptInput, type AttemptOutcome } from './attempt.ts';
export { buryDelivery } from './bury.ts';
export type { DeliveryDeps } from './deps.ts';
export type { DeliveryFilter } from './filter.ts';
export { getDelivery } from './get.ts';
export { listDeliveries } from './list.ts';
export { scheduleNextAttempt } from './schedule-next-attempt.ts';

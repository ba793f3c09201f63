export { claimIdempotencyKey, type IdempotencyClaim } from './claim.ts';
export { completeIdempotencyKey, releaseIdempotencyKey } from './settle.ts';

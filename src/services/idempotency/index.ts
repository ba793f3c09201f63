export { claimIdempotencyKey } from './claim.ts';
export { completeIdempotencyKey } from './complete.ts';
export { madeBefore, nameSubject } from './current.ts';
export { forgetExpiredKeys } from './forget-expired.ts';
export { once } from './once.ts';
export { releaseIdempotencyKey } from './release.ts';

export { createRequestLimits, type LimitState, type RequestLimiter } from './create.ts';

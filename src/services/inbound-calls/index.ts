export type { InboundDeps } from './deps.ts';
export { takeInboundCall } from './take.ts';

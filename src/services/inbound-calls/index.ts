export { inboundRefusals, type InboundDeps, type InboundRefusal } from './deps.ts';
export { takeInboundCall, type Taking } from './take.ts';

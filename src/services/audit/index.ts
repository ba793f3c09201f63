export { getAuditEntry } from './get.ts';
export { describeLastChange } from './last-change.ts';
export { listAudit } from './list.ts';

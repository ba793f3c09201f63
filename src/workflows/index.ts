/** The one file that Temporal's bundler reads. */
export { callWorkflow } from './call/lifecycle/workflow.ts';
export { campaignWorkflow } from './campaign/workflow.ts';
export { eraseCallWorkflow } from './erasure/workflow.ts';
export { judgeAgainWorkflow } from './judging/workflow.ts';
export { importWorkflow } from './import/workflow.ts';
export { backlogWorkflow } from './delivery/backlog.ts';
export { drainWorkflow } from './delivery/drain.ts';
export { deliveryWorkflow } from './delivery/workflow.ts';
export { reconcileWorkflow } from './reconcile/workflow.ts';
export { retentionWorkflow } from './retention/workflow.ts';

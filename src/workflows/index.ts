/** The one file that Temporal's bundler reads. */
export { callWorkflow } from './call/workflow.ts';
export { deliveryWorkflow } from './delivery/workflow.ts';

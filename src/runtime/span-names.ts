/**
 * Our own attributes, by what they hold; everything else is named by OpenTelemetry's conventions or as
 * Temporal's own spans are.
 */
export const idAttributes = {
  requestId: 'parlance.request_id',
  organizationId: 'parlance.organization_id',
  callId: 'parlance.call_id',
  agentVersion: 'parlance.agent_version',
  nodeId: 'parlance.node_id',
  turnIndex: 'parlance.turn',
  deliveryUuid: 'parlance.delivery_id',
  attempt: 'parlance.attempt',
  workflowId: 'temporalWorkflowId',
  temporalRunId: 'temporalRunId',
  activityId: 'temporalActivityId',
  activityAttempt: 'temporalAttempt',
  updateId: 'temporalUpdateId',
} as const;

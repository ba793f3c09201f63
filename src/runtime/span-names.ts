/**
 * Our own span attributes, by the field that they come from. All other names follow OpenTelemetry's
 * conventions or Temporal's own spans.
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

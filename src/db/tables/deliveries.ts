import { EntitySchema } from 'typeorm';
import { id, integer, json, longText, timestamp, nullable, reference, text, uuid, word } from './columns.ts';

export type DeliveryState = 'pending' | 'succeeded' | 'dead_letter';

/**
 * One message to a customer's webhook endpoint, one per call and node. `body` holds the exact bytes that
 * every attempt sends. The call has the foreign key to the agent: a second one would lock the agent's row as a call ends.
 */
export interface DeliveryRow {
  id: number;
  uuid: string;
  organizationId: number;
  callId: number;
  agentId: number;
  nodeId: string;
  state: DeliveryState;
  method: string;
  url: string;
  headers: { key: string; value: string }[];
  credentialUuid: string | null;
  body: string | null;
  attemptCount: number;
  lastStatusCode: number | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  /** Number of the last attempt that was made early because the endpoint accepted another delivery. */
  wokenAttempt: number | null;
  /**
   * While the pump owns the delivery: when it may lease it, or while it holds it (`pumpedBy`), when the lease
   * expires. Null once a Workflow owns it or it has ended.
   */
  pumpAt: Date | null;
  /** The pump that holds the lease. */
  pumpedBy: string | null;
  /** W3C `traceparent` of the code that rendered it; null without tracing. */
  traceparent: string | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** When the body was removed; nothing can be sent after that. */
  erasedAt: Date | null;
}

export const deliveries = new EntitySchema<DeliveryRow>({
  name: 'deliveries',
  columns: {
    id: id('deliveries'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    agentId: reference('agent_id'),
    nodeId: text('node_id', 255),
    state: word('state', 16),
    method: word('method', 8),
    url: longText('url'),
    headers: json('headers'),
    credentialUuid: nullable(uuid('credential_uuid')),
    body: nullable(longText('body')),
    attemptCount: integer('attempt_count'),
    lastStatusCode: nullable(integer('last_status_code')),
    lastError: nullable(longText('last_error')),
    nextAttemptAt: nullable(timestamp('next_attempt_at')),
    wokenAttempt: nullable(integer('woken_attempt')),
    pumpAt: nullable(timestamp('pump_at')),
    pumpedBy: nullable(uuid('pumped_by')),
    traceparent: nullable(word('traceparent', 55)),
    createdAt: timestamp('created_at'),
    finishedAt: nullable(timestamp('finished_at')),
    erasedAt: nullable(timestamp('erased_at')),
  },
  indices: [
    { name: 'uq_deliveries_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_deliveries_call_node', columns: ['callId', 'nodeId'], unique: true },
    { name: 'ix_deliveries_endpoint', columns: ['organizationId', 'agentId', 'nodeId', 'state'] },
    { name: 'ix_deliveries_state', columns: ['organizationId', 'state', 'createdAt'] },
    { name: 'ix_deliveries_backlog', columns: ['state', 'nextAttemptAt', 'createdAt'] },
    { name: 'ix_deliveries_pump', columns: ['pumpAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_deliveries_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_deliveries_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});

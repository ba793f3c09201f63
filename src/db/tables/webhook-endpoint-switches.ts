import { EntitySchema } from 'typeorm';
import { id, longText, timestamp, nullable, reference, text, word } from './columns.ts';

/**
 * An endpoint that answered 410: a webhook node of an agent and its address. Off until `turnedOnAt`; one row
 * per endpoint.
 */
export interface WebhookEndpointSwitchRow {
  id: number;
  organizationId: number;
  /** Hash of agent, node and address: the public id of the endpoint. */
  endpointKey: string;
  agentId: number;
  nodeId: string;
  url: string;
  /** The last delivery that was answered with 410. */
  deliveryId: number;
  switchedOffAt: Date;
  turnedOnAt: Date | null;
}

export const webhookEndpointSwitches = new EntitySchema<WebhookEndpointSwitchRow>({
  name: 'webhook_endpoint_switches',
  columns: {
    id: id('webhook_endpoint_switches'),
    organizationId: reference('organization_id'),
    endpointKey: word('endpoint_key', 32),
    agentId: reference('agent_id'),
    nodeId: text('node_id', 255),
    url: longText('url'),
    deliveryId: reference('delivery_id'),
    switchedOffAt: timestamp('switched_off_at'),
    turnedOnAt: nullable(timestamp('turned_on_at')),
  },
  indices: [
    { name: 'uq_webhook_endpoint_switches_key', columns: ['organizationId', 'endpointKey'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_webhook_endpoint_switches_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_webhook_endpoint_switches_agent',
      target: 'agents',
      columnNames: ['agentId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_webhook_endpoint_switches_delivery',
      target: 'deliveries',
      columnNames: ['deliveryId'],
      referencedColumnNames: ['id'],
    },
  ],
});

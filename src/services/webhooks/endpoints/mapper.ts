import type { SwitchedOffEndpoint } from '../../../contract/webhook-endpoints.ts';
import type { WebhookEndpointSwitchRow } from '../../../db/tables/webhook-endpoint-switches.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** A switched-off endpoint as its organization sees it. */
export function toSwitchedOffEndpoint(
  { endpointKey, agentId, nodeId, url, switchedOffAt }: WebhookEndpointSwitchRow,
  deliveryUuid: string,
): SwitchedOffEndpoint {
  return {
    id: endpointKey,
    workflow_id: agentId,
    node_id: nodeId,
    url,
    switched_off_at: wireTimestamp(switchedOffAt),
    delivery_id: deliveryUuid,
  };
}

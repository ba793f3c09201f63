import type { CallRow } from '../../../db/tables/calls.ts';
import { ownText } from '../../../domain/graph/definition.ts';

/**
 * What the customer's endpoint is asked before a call (contract 10); its event has that name for outbound
 * calls too.
 */
export function toFetchBody(call: CallRow): string {
  const { initialContext, agentId, id, direction } = call;
  const inbound = {
    agent_id: agentId,
    from_number: ownText(initialContext, 'caller_number') ?? '',
    to_number: ownText(initialContext, 'called_number') ?? '',
    direction,
    workflow_run_id: id,
    initial_context: initialContext,
  };
  return JSON.stringify({ event: 'call_inbound', call_inbound: inbound });
}

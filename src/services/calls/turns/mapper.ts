import type { CallRow } from '../../../db/tables/calls.ts';

/**
 * What the customer's endpoint is asked before a call (contract 10); its event has that name for outbound
 * calls too.
 */
export function toFetchBody(call: CallRow): string {
  const { initialContext, callerNumber, calledNumber, agentId, id, direction } = call;
  const inbound = {
    agent_id: agentId,
    from_number: callerNumber ?? '',
    to_number: calledNumber ?? '',
    direction,
    workflow_run_id: id,
    initial_context: initialContext,
  };
  return JSON.stringify({ event: 'call_inbound', call_inbound: inbound });
}

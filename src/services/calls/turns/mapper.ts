import type { CallRow } from '../../../db/tables/calls.ts';

/**
 * The body of the request to the customer's endpoint before a call (contract 10). Outbound calls have the
 * same event name.
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

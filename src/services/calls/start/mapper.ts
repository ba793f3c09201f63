import type { InitiatedCall, TriggeredCall } from '../../../contract/telephony.ts';
import { callWorkflowId } from '../../../domain/temporal-ids.ts';
import type { BegunCall } from './begin.ts';

/** The `detail` of contract 5.5 for a call made ahead with another agent. */
export const callOfAnotherAgent = 'workflow_run_workflow_mismatch';

/** Contract 5.1. */
export function toTriggeredCall({ call, version }: BegunCall): TriggeredCall {
  return {
    status: 'initiated',
    workflow_run_id: call.id,
    workflow_run_name: call.name,
    call_id: call.uuid,
    version_number: version.number,
    version_status: version.state,
    temporal_workflow_id: callWorkflowId(call.uuid),
  };
}

/** Contract 5.5: clients read the name from the end of the message. */
export function toInitiatedCall({ call }: BegunCall): InitiatedCall {
  return {
    message: `Call initiated successfully with run name ${call.name}`,
    workflow_run_id: call.id,
    workflow_run_name: call.name,
  };
}

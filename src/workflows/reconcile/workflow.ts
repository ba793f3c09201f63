import { continueAsNew, setCurrentDetails, startChild } from '@temporalio/workflow';
import type { ReconcileActivities, Stray } from '../../activities/reconcile.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { deliveryWorkflowId } from '../../domain/temporal-ids.ts';
import { plain } from '../call/details.ts';
import { deliveryWorkflow } from '../delivery/workflow.ts';
import { activitiesOf } from '../proxies.ts';

export interface ReconcileInput {
  /** Age below which a call is left alone; declared in temporal.yaml. */
  graceMs?: number;
  /** Set by continue-as-new only. */
  afterId?: number;
  closed?: number;
}

/** How many calls one reconciliation closed; its result. */
export interface ReconcileResult {
  closed: number;
}

/** Pages of one run of this Workflow. */
const mostPages = 20;

/**
 * Closes calls that say they go on while their Workflow is gone: terminated or failed from outside, or never started. One
 * pass over all of them; a Temporal Schedule (temporal.yaml) starts it again and again, never two at once.
 */
export async function reconcileWorkflow(input: ReconcileInput = {}): Promise<ReconcileResult> {
  const { graceMs = timeoutsMs.reconcileGrace } = input;
  let { afterId = 0, closed = 0 } = input;
  for (let page = 0; page < mostPages; page += 1) {
    const { findStrays } = activitiesOf<ReconcileActivities>('sweep', 'Look for calls without a Workflow');
    const { strays, nextAfterId } = await findStrays({ afterId, graceMs });
    for (const stray of strays) {
      await close(stray);
      closed += 1;
    }
    setCurrentDetails(`**${closed} calls** were closed so far.`);
    if (nextAfterId === null) return { closed };
    afterId = nextAfterId;
  }
  return await continueAsNew<typeof reconcileWorkflow>({ ...input, afterId, closed });
}

async function close(stray: Stray): Promise<void> {
  const { callId, callUuid, organizationUuid } = stray;
  const { closeStray } = activitiesOf<ReconcileActivities>('quick', `Close call ${callId}`);
  for (const { deliveryUuid, nodeName } of await closeStray(stray)) {
    try {
      await startChild(deliveryWorkflow, {
        workflowId: deliveryWorkflowId(deliveryUuid),
        parentClosePolicy: 'ABANDON',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: `Webhook ${plain(nodeName)} of call ${callId}`,
        args: [{ deliveryUuid, callUuid, organizationUuid }],
      });
    } catch (error) {
      // The call had handed it over before its Workflow was ended.
      if (!(error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')) throw error;
    }
  }
}

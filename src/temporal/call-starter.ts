import { ApplicationFailure, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError, type Client, type WorkflowHandle } from '@temporalio/client';
import { taskQueues, timeoutsMs } from '../domain/declaration.ts';
import { staticDetails, staticSummary } from '../workflows/call/details.ts';
import { callStateQuery, endSessionUpdate, openSessionUpdate, rewindUpdate, sendMessageUpdate, type CallInput, type SessionAnswer } from '../workflows/call/messages.ts';
import { attributesAtStart } from '../workflows/call/search-attributes.ts';
import type { TemporalClient } from './connection.ts';
import { callWorkflowId } from '../domain/temporal-ids.ts';
import type { CallStarter, SessionOutcome } from './port.ts';
import { callUiLink } from './ui-link.ts';
import { translateUnavailable } from './unavailable.ts';

export interface CallStarterOptions {
  temporal: TemporalClient;
  uiUrl?: string | undefined;
  taskQueue?: string;
  /** How long a request waits for the Workflow's answer. */
  updateWaitMs?: number;
}

/** The running calls over Temporal. */
export function createCallStarter({ temporal, uiUrl, taskQueue = taskQueues.call, updateWaitMs = timeoutsMs.updateWait }: CallStarterOptions): CallStarter {
  const ask = (work: (client: Client) => Promise<SessionAnswer>) => outcomeOf(() => temporal.wait(updateWaitMs, work));
  const handleOf = (client: Client, callUuid: string): WorkflowHandle => client.workflow.getHandle(callWorkflowId(callUuid));

  return {
    openTextSession: (input, failures = 0) =>
      ask((client) =>
        client.workflow.executeUpdateWithStart(openSessionUpdate, {
          startWorkflowOperation: startOperation(input, taskQueue),
          updateId: failures === 0 ? 'open' : `open-${failures}`,
        }),
      ),
    sendMessage: ({ callUuid, text, expectedRevision, updateId, requestId }) =>
      ask((client) => handleOf(client, callUuid).executeUpdate(sendMessageUpdate, { updateId, args: [{ text, expectedRevision, requestId }] })),
    rewind: ({ callUuid, cursorTurnUuid, expectedRevision, updateId, requestId }) =>
      ask((client) => handleOf(client, callUuid).executeUpdate(rewindUpdate, { updateId, args: [{ cursorTurnUuid, expectedRevision, requestId }] })),
    endSession: ({ callUuid, expectedRevision, updateId }) =>
      ask((client) => handleOf(client, callUuid).executeUpdate(endSessionUpdate, { updateId, args: [{ expectedRevision }] })),
    async describeState(callUuid) {
      try {
        return await temporal.request((client) => handleOf(client, callUuid).query(callStateQuery));
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
    uiLink: (callUuid) => callUiLink({ uiUrl, namespace: temporal.namespace, callUuid }),
  };
}

/** One call, one Workflow, for ever: a second start finds the first, or is refused when that one has ended. */
function startOperation(input: CallInput, taskQueue: string) {
  return new WithStartWorkflowOperation('callWorkflow', {
    workflowId: callWorkflowId(input.callUuid),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    taskQueue,
    args: [input],
    workflowTaskTimeout: timeoutsMs.workflowTask,
    typedSearchAttributes: attributesAtStart(input),
    staticSummary: staticSummary(input),
    staticDetails: staticDetails(input),
  });
}

async function outcomeOf(work: () => Promise<SessionAnswer>): Promise<SessionOutcome> {
  try {
    const { revision } = await work();
    return { kind: 'answered', revision };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return outcomeOfFailure(error.cause);
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'closed' };
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'slow' };
    throw translateUnavailable(error);
  }
}

/** Failures of an Update by their type (src/workflows/call/failures.ts). One that ended with the Workflow found a closed call. */
function outcomeOfFailure(cause: unknown): SessionOutcome {
  if (!(cause instanceof ApplicationFailure)) return { kind: 'closed' };
  switch (cause.type) {
    case 'conflict':
      return { kind: 'conflict', actualRevision: revisionIn(cause.details) };
    case 'precondition':
    case 'AcceptedUpdateCompletedWorkflow':
      return { kind: 'closed' };
    default:
      return { kind: 'failed', code: cause.type ?? 'unexpected', message: cause.message };
  }
}

function revisionIn(details: unknown): number {
  const [first]: unknown[] = Array.isArray(details) ? details : [];
  const revision = typeof first === 'object' && first !== null && 'actualRevision' in first ? first.actualRevision : null;
  return typeof revision === 'number' ? revision : 0;
}

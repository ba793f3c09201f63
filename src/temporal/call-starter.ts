import {
  ApplicationFailure,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { taskQueues, timeoutsMs } from '../domain/declaration.ts';
import { staticDetails, staticSummary } from '../workflows/call/details.ts';
import {
  awaitDialUpdate,
  callStateQuery,
  carrierEventSignal,
  endSessionUpdate,
  interveneUpdate,
  mediaBeganSignal,
  openSessionUpdate,
  rewindUpdate,
  seatLostSignal,
  sendMessageUpdate,
  takeCallUpdate,
  type CallInput,
  type DialAnswer,
  type SessionAnswer,
} from '../workflows/call/messages.ts';
import { attributesAtStart } from '../workflows/call/search-attributes.ts';
import type { TemporalClient } from './connection.ts';
import { callWorkflowId } from '../domain/temporal-ids.ts';
import type { CallStarter, SessionOutcome } from './port.ts';
import { isAlreadyStarted } from './start-once.ts';
import { callUiLink } from './ui-link.ts';
import { translateUnavailable } from './unavailable.ts';

export interface CallStarterOptions {
  temporal: TemporalClient;
  uiUrl?: string | undefined;
  taskQueue?: string;
  /** How long a request waits for the Workflow's answer. */
  updateWaitMs?: number;
  /** How long to wait for the result of a dial. */
  dialAnswerMs?: number;
}

/** Starts and controls calls in Temporal. */
export function createCallStarter({
  temporal,
  uiUrl,
  taskQueue = taskQueues.call,
  updateWaitMs = timeoutsMs.updateWait,
  dialAnswerMs = timeoutsMs.dialAnswer,
}: CallStarterOptions): CallStarter {
  const ask = (work: (client: Client) => Promise<SessionAnswer>) =>
    outcomeOf(() => temporal.wait(updateWaitMs, work));
  const handleOf = (client: Client, callUuid: string): WorkflowHandle =>
    client.workflow.getHandle(callWorkflowId(callUuid));
  const signalCall = (callUuid: string, signal: (handle: WorkflowHandle) => Promise<void>) =>
    signalOrGone(() => temporal.request((client) => signal(handleOf(client, callUuid))));

  return {
    openTextSession: (input, failures = 0) =>
      ask((client) =>
        client.workflow.executeUpdateWithStart(openSessionUpdate, {
          startWorkflowOperation: startOperation(input, taskQueue),
          updateId: failures === 0 ? 'open' : `open-${failures}`,
        }),
      ),
    sendMessage: ({ callUuid, text, expectedRevision, updateId, requestId }) =>
      ask((client) =>
        // guarantee: repeated-message-gets-same-answer
        handleOf(client, callUuid).executeUpdate(sendMessageUpdate, {
          updateId,
          args: [{ text, expectedRevision, requestId }],
        }),
      ),
    rewind: ({ callUuid, cursorTurnUuid, expectedRevision, updateId, requestId }) =>
      ask((client) =>
        handleOf(client, callUuid).executeUpdate(rewindUpdate, {
          updateId,
          args: [{ cursorTurnUuid, expectedRevision, requestId }],
        }),
      ),
    endSession: ({ callUuid, expectedRevision, updateId }) =>
      ask((client) =>
        handleOf(client, callUuid).executeUpdate(endSessionUpdate, {
          updateId,
          args: [{ expectedRevision }],
        }),
      ),
    async intervene({ callUuid, intervention, updateId }) {
      try {
        await temporal.wait(updateWaitMs, (client) =>
          // guarantee: repeated-intervention-acts-once
          handleOf(client, callUuid).executeUpdate(interveneUpdate, { updateId, args: [intervention] }),
        );
        return 'delivered';
      } catch (error) {
        if (isOverAlready(error)) return 'gone';
        throw translateUnavailable(error);
      }
    },
    startPhoneCall: (input) => startAndAwaitDial({ temporal, input, taskQueue, waitMs: dialAnswerMs }),
    startCall: (input) => startUnlessStarted(temporal, input, taskQueue),
    cancelCall: (callUuid) =>
      signalOrGone(() =>
        temporal.request(async (client) => void (await handleOf(client, callUuid).cancel())),
      ),
    async takeInbound(input, eventId) {
      try {
        return await temporal.request((client) =>
          client.workflow.executeUpdateWithStart(takeCallUpdate, {
            startWorkflowOperation: startOperation(input, taskQueue),
            updateId: eventId,
          }),
        );
      } catch (error) {
        if (isOverAlready(error)) return 'taken'; // and has ended already
        throw translateUnavailable(error);
      }
    },
    signalCarrierEvent: (callUuid, event) =>
      signalCall(callUuid, (handle) => handle.signal(carrierEventSignal, event)),
    mediaBegan: (callUuid, media) => signalCall(callUuid, (handle) => handle.signal(mediaBeganSignal, media)),
    seatLost: (callUuid, seat) => signalCall(callUuid, (handle) => handle.signal(seatLostSignal, seat)),
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

/** A call has one Workflow: a second start finds the running one, or is refused if it has ended. */
function startOptions(input: CallInput, taskQueue: string) {
  return {
    workflowId: callWorkflowId(input.callUuid),
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    // guarantee: one-workflow-per-call
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    taskQueue,
    args: [input] as [CallInput],
    workflowTaskTimeout: timeoutsMs.workflowTask,
    typedSearchAttributes: attributesAtStart(input),
    staticSummary: staticSummary(input),
    staticDetails: staticDetails(input),
  };
}

function startOperation(input: CallInput, taskQueue: string) {
  return new WithStartWorkflowOperation('callWorkflow', startOptions(input, taskQueue));
}

/**
 * One request starts the call and waits for the dial. After a timeout it still finds out whether the call was
 * started, because the row of a call that was not is refused.
 */
async function startAndAwaitDial({
  temporal,
  input,
  taskQueue,
  waitMs,
}: {
  temporal: TemporalClient;
  input: CallInput;
  taskQueue: string;
  waitMs: number;
}): Promise<DialAnswer> {
  try {
    return await temporal.wait(waitMs, (client) =>
      client.workflow.executeUpdateWithStart(awaitDialUpdate, {
        startWorkflowOperation: startOperation(input, taskQueue),
        updateId: 'dial',
      }),
    );
  } catch (error) {
    if (isOverAlready(error)) return { kind: 'unknown' };
    if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw translateUnavailable(error);
  }
  await startUnlessStarted(temporal, input, taskQueue);
  return { kind: 'unknown' };
}

async function startUnlessStarted(
  temporal: TemporalClient,
  input: CallInput,
  taskQueue: string,
): Promise<void> {
  try {
    await temporal.request((client) => client.workflow.start('callWorkflow', startOptions(input, taskQueue)));
  } catch (error) {
    if (!isOverAlready(error)) throw error;
  }
}

/** The call ended before it could answer, or had ended before the request. */
function isOverAlready(error: unknown): boolean {
  return (
    isAlreadyStarted(error) ||
    error instanceof WorkflowUpdateFailedError ||
    error instanceof WorkflowNotFoundError
  );
}

async function signalOrGone(send: () => Promise<void>): Promise<'delivered' | 'gone'> {
  try {
    await send();
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'gone';
    throw error;
  }
}

async function outcomeOf(work: () => Promise<SessionAnswer>): Promise<SessionOutcome> {
  try {
    const { revision } = await work();
    return { kind: 'answered', revision };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return outcomeOfFailure(error.cause);
    if (error instanceof WorkflowNotFoundError || isAlreadyStarted(error)) return { kind: 'closed' };
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'slow' };
    throw translateUnavailable(error);
  }
}

/**
 * Outcomes of failed Updates by their type (src/workflows/call/failures.ts). An Update that ended with its
 * Workflow means a closed call.
 */
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
  const revision =
    typeof first === 'object' && first !== null && 'actualRevision' in first ? first.actualRevision : null;
  return typeof revision === 'number' ? revision : 0;
}

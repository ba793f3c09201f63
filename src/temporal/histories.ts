import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { UnavailableError } from '../domain/errors.ts';
import type { TemporalClient } from './connection.ts';
import type { Histories } from './histories-port.ts';

const grpcNotFound = 5;
const pauseMs = 200;

export interface HistoriesOptions {
  temporal: TemporalClient;
  /**
   * How long to wait for Temporal's deletion in the background; it takes about 20 s for a Run that has just
   * ended.
   */
  deletedWithinMs?: number;
}

/** Deletes histories in Temporal. */
export function createHistories({ temporal, deletedWithinMs = 90_000 }: HistoriesOptions): Histories {
  const { namespace } = temporal;
  const remove = (workflowId: string, runId: string) =>
    temporal
      .request(
        async (client) =>
          await client.workflowService.deleteWorkflowExecution({
            namespace,
            workflowExecution: { workflowId, runId },
          }),
      )
      .catch(unlessNotFound);

  return {
    async forget(workflowId) {
      const deleted = new Set<string>();
      let wasRunning = false;
      for (const until = Date.now() + deletedWithinMs; ;) {
        const { runIds, isRunning } = await temporal.request((client) => runsOf(client, workflowId));
        wasRunning ||= isRunning;
        if (runIds.length === 0) return { runs: deleted.size, wasRunning };
        if (Date.now() > until)
          throw new UnavailableError(`Temporal has not deleted ${workflowId} within ${deletedWithinMs} ms`, {
            dependency: 'temporal',
          });
        // Delete the newest Run last, because it leads to the earlier ones.
        for (const runId of runIds.filter((each) => !deleted.has(each))) {
          await remove(workflowId, runId);
          deleted.add(runId);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
  };
}

interface Runs {
  /** Newest last. */
  runIds: string[];
  isRunning: boolean;
}

/**
 * Every Run of a Workflow Id: those that visibility lists, and those in the chain of the newest one, because
 * visibility lags.
 */
async function runsOf(client: Client, workflowId: string): Promise<Runs> {
  const listed: { runId: string; startedMs: number }[] = [];
  for await (const { runId, startTime } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
    listed.push({ runId, startedMs: startTime.getTime() });
  const inOrder = listed.toSorted((one, other) => one.startedMs - other.startedMs).map(({ runId }) => runId);
  const newest = await newestRun(client, workflowId);
  const chain = newest === null ? [] : await chainTo(client, workflowId, newest.runId);
  return {
    runIds: [...inOrder.filter((runId) => !chain.includes(runId)), ...chain],
    isRunning: newest?.status.name === 'RUNNING',
  };
}

/** A Run and the Runs that it continues. */
async function chainTo(client: Client, workflowId: string, last: string): Promise<string[]> {
  const chain: string[] = [];
  let runId: string | null | undefined = last;
  while (typeof runId === 'string' && runId !== '' && !chain.includes(runId)) {
    chain.unshift(runId);
    runId = await runBefore(client, { workflowId, runId });
  }
  return chain;
}

async function runBefore(
  client: Client,
  execution: { workflowId: string; runId: string },
): Promise<string | null | undefined> {
  const { namespace } = client.options;
  const answer = await client.workflowService
    .getWorkflowExecutionHistory({ namespace, execution, maximumPageSize: 1 })
    .catch(unlessNotFound);
  return answer?.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
}

async function newestRun(client: Client, workflowId: string) {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function unlessNotFound(error: unknown): null {
  if (!isGrpcServiceError(error)) throw error;
  const code: number = error.code;
  if (code !== grpcNotFound) throw error;
  return null;
}

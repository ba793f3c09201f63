import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { UnavailableError } from '../domain/errors.ts';
import type { TemporalClient } from './connection.ts';
import type { Histories } from './histories-port.ts';

const grpcNotFound = 5;
const pauseMs = 200;

export interface HistoriesOptions {
  temporal: TemporalClient;
  /**
   * How long to wait until Temporal has deleted what it was told to, in the background: at once, or 20 s
   * where the run had just ended.
   */
  deletedWithinMs?: number;
}

/** Executions over Temporal. */
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
      const told = new Set<string>();
      let wasRunning = false;
      for (const until = Date.now() + deletedWithinMs; ;) {
        const { runIds, isRunning } = await temporal.request((client) => runsOf(client, workflowId));
        wasRunning ||= isRunning;
        if (runIds.length === 0) return { runs: told.size, wasRunning };
        if (Date.now() > until)
          throw new UnavailableError(`Temporal has not deleted ${workflowId} within ${deletedWithinMs} ms`, {
            dependency: 'temporal',
          });
        // The newest one leads to those before it: it goes last.
        for (const runId of runIds.filter((each) => !told.has(each))) {
          await remove(workflowId, runId);
          told.add(runId);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
  };
}

interface Runs {
  /** The newest last. */
  runIds: string[];
  isRunning: boolean;
}

/**
 * Every run of a Workflow Id: what visibility lists, and what the newest run says that it continues, because
 * visibility lags behind.
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

/** A run and those before it that went on in it. */
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

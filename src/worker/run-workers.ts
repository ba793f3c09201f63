import { NativeConnection, TransportError, type Worker } from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';
import { createWorkers, type CreateWorkersOptions } from './create-workers.ts';
import { pause } from '../runtime/pause.ts';

/**
 * The life of a process's workers: connecting → running → stopped, or failed.
 *
 * W1. If Temporal is unavailable at start, the process retries; once workers run, the SDK reconnects.
 * W2. A worker that fails ends the process, and a supervisor starts a new one. No process runs with some of
 * its workers.
 * W3. A stop lets running activities end within the grace time, then closes the connection.
 */

export interface RunWorkersOptions extends KeepWorkersOptions, Omit<CreateWorkersOptions, 'connection'> {}

export interface KeepWorkersOptions {
  temporal: { address: string; apiKey?: string | undefined };
  log: Logger;
  /** Aborted when the process begins to stop. */
  signal: AbortSignal;
  retryDelayMs?: number;
}

export interface RunningWorkers {
  /** Resolves when every worker polls; rejects only when `signal` was aborted before. */
  readonly started: Promise<void>;
  /** Resolves after `stop`, rejects when a worker fails. */
  readonly ended: Promise<void>;
  /** Throws the reason why the workers cannot take work now. */
  check(): void;
  stop(): Promise<void>;
}

/** Starts the workers of the declared roles and keeps them running; never throws. */
export function runWorkers(options: RunWorkersOptions): RunningWorkers {
  return keepWorkers(options, (connection) => createWorkers({ ...options, connection }));
}

/** Does the same for the workers that `create` makes on a connection. */
export function keepWorkers(options: KeepWorkersOptions, create: Create): RunningWorkers {
  let workers: Worker[] = [];
  let lastFault = 'connecting to Temporal';

  const begin = async (): Promise<{ connection: NativeConnection; running: Promise<void>[] }> => {
    const { connection, created } = await connectWhenThere(options, create, (fault) => (lastFault = fault));
    workers = created;
    options.log.info(
      { taskQueues: created.map((each) => each.options.taskQueue) },
      'The workers are polling',
    );
    return { connection, running: created.map((each) => each.run()) };
  };
  const begun = begin();
  const live = async () => {
    const { connection, running } = await begun;
    try {
      await Promise.all(running);
    } finally {
      shutdownAll(workers);
      await Promise.allSettled(running);
      await connection.close();
    }
  };
  const [started, ended] = [begun.then(() => undefined), live()];
  // Callers that await it get the reason; it must not become an unhandled rejection.
  started.catch(() => undefined);
  ended.catch(() => undefined);

  return {
    started,
    ended,
    check() {
      const idle = workers.find((each) => each.getState() !== 'RUNNING');
      if (workers.length === 0) throw new Error(`no worker is polling yet: ${lastFault}`);
      if (idle !== undefined)
        throw new Error(`the worker of ${idle.options.taskQueue} is ${idle.getState().toLowerCase()}`);
    },
    async stop() {
      shutdownAll(workers);
      await Promise.allSettled([ended]);
    },
  };
}

function shutdownAll(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** Retries until Temporal and the namespace are available, or the process stops. */
async function connectWhenThere(
  options: KeepWorkersOptions,
  create: Create,
  onFault: (fault: string) => void,
) {
  const { temporal, log, signal, retryDelayMs = 1000 } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const outcome = await connect(temporal, create);
    if (outcome.kind === 'connected') return outcome;
    onFault(outcome.fault);
    if (attempt === 1 || attempt % 30 === 0)
      log.warn({ attempt, fault: outcome.fault }, 'Temporal is not available yet; retrying');
    await pause(retryDelayMs, signal);
  }
}

type Create = (connection: NativeConnection) => Promise<Worker[]>;

type Connected =
  | { kind: 'connected'; connection: NativeConnection; created: Worker[] }
  | { kind: 'away'; fault: string };

async function connect(
  { address, apiKey }: KeepWorkersOptions['temporal'],
  create: Create,
): Promise<Connected> {
  let connection: NativeConnection | undefined;
  try {
    connection = await NativeConnection.connect({
      address,
      ...(apiKey === undefined ? {} : { apiKey, tls: true }),
    });
    return { kind: 'connected', connection, created: await create(connection) };
  } catch (error) {
    await connection?.close();
    if (!isAway(error)) throw error;
    return { kind: 'away', fault: error instanceof Error ? error.message : 'unknown' };
  }
}

/** Whether retrying can help: errors of the connection or the namespace, not of the bundle or an option. */
const isAway = (error: unknown): boolean => error instanceof TransportError;

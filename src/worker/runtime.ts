import { createServer } from 'node:net';
import {
  LogTimestamp,
  makeTelemetryFilterString,
  Runtime,
  type LogLevel,
  type LogMetadata,
} from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';

const levels = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, keyof Logger>;

/**
 * Installs Temporal's process-wide runtime, once per process and before any worker. Its log lines, including
 * those of the native core, become ours: JSON with ids and without payloads. Our own shutdown handles
 * signals, to stop everything in order. With `metricsAddress` the SDK serves its own metrics there.
 */
export function installTemporalRuntime(
  log: Logger,
  { metricsAddress }: { metricsAddress?: string } = {},
): void {
  const write = (level: LogLevel, message: string, meta?: LogMetadata) => {
    const { [LogTimestamp]: _, error, ...fields } = meta ?? {};
    log[levels[level]](
      {
        // guarantee: errors-logged-without-secrets
        ...scalarsOf(fields),
        ...(error instanceof Error ? { failure: `${error.name}: ${error.message}` } : {}),
      },
      message,
    );
  };
  Runtime.install({
    logger: {
      log: write,
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metricsAddress === undefined
        ? {}
        : {
            metrics: {
              attachServiceName: false,
              prometheus: {
                bindAddress: metricsAddress,
                useSecondsForDurations: true,
                countersTotalSuffix: true,
                unitSuffix: true,
                histogramBucketOverrides,
              },
            },
          }),
    },
    shutdownSignals: [],
  });
}

/** Objects hold the SDK's data, at `trace` whole activations with plain payloads, and must not be logged. */
const scalarsOf = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== 'object'));

/**
 * In seconds. The SDK's own buckets begin at 50 ms, already a fifth of the delay that people notice in a
 * turn.
 */
const shortSeconds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1, 2.5, 5, 10, 30,
];

/** Every histogram of the SDK with values usually below a quarter of a second. */
const histogramBucketOverrides: Record<string, number[]> = Object.fromEntries(
  [
    'request_latency',
    'long_request_latency',
    'workflow_task_schedule_to_start_latency',
    'workflow_task_execution_latency',
    'workflow_task_replay_latency',
    'activity_schedule_to_start_latency',
    'activity_execution_latency',
    'activity_succeed_endtoend_latency',
  ].map((name) => [name, shortSeconds]),
);

/** A free loopback address for the SDK's metrics, because the SDK does not accept port 0. */
export async function freeLoopbackAddress(): Promise<string> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(`127.0.0.1:${port}`));
    });
  });
}

import { LogTimestamp, makeTelemetryFilterString, Runtime, type LogLevel, type LogMetadata } from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const satisfies Record<LogLevel, keyof Logger>;

/**
 * Temporal's process-wide runtime, once per process and before any worker. Its log lines, those of the native core included,
 * become ours: JSON with ids. Signals are left to our own shutdown, which stops things in order.
 */
export function installTemporalRuntime(log: Logger): void {
  const write = (level: LogLevel, message: string, meta?: LogMetadata) => {
    const { [LogTimestamp]: _, error, ...fields } = meta ?? {};
    log[levels[level]]({ ...fields, ...(error instanceof Error ? { failure: `${error.name}: ${error.message}` } : {}) }, message);
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
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} } },
    shutdownSignals: [],
  });
}

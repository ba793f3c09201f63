import { Runtime } from '@temporalio/worker';

const nothing = () => undefined;

/** For parts of Temporal that would write to the terminal. */
export const silentLogger = {
  log: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

let installed = false;

/** Temporal's runtime without its log lines; once per process. */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: silentLogger,
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
    shutdownSignals: [],
  });
}

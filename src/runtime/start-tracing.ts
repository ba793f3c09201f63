import type { OpenTelemetryOptions } from './open-telemetry.ts';
import { noTracing, type Tracing } from './tracing.ts';

/** Starts tracing if an endpoint is configured; otherwise OpenTelemetry is not even loaded. */
export async function startTracing({
  config,
  ...options
}: { config: Pick<OpenTelemetryOptions, 'endpoint' | 'sampler'> | undefined } & Omit<
  OpenTelemetryOptions,
  'endpoint' | 'sampler'
>): Promise<Tracing> {
  if (config === undefined) return noTracing;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry({ ...options, endpoint: config.endpoint, sampler: config.sampler });
}

import { readReadiness, type HealthCheck } from './health-server.ts';
import type { Metrics } from './metrics.ts';

/** Checks every dependency as readiness does, and sets its gauge. */
export async function gaugeDependencies({
  checks,
  metrics,
  timeoutMs,
}: {
  checks: Record<string, HealthCheck>;
  metrics: Metrics;
  timeoutMs?: number;
}): Promise<void> {
  const readiness = await readReadiness(checks, timeoutMs);
  for (const [dependency, outcome] of Object.entries(readiness.checks))
    metrics.gauge('parlance_dependency_up', { dependency }, outcome === 'ok' ? 1 : 0);
}

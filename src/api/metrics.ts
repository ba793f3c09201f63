import { routes } from '../contract/routes.ts';
import { gaugeDependencies } from '../runtime/dependency-gauges.ts';
import type { HealthCheck } from '../runtime/health-server.ts';
import { createPrometheus, type Prometheus } from '../runtime/prometheus.ts';
import { gaugePool } from '../services/operations/index.ts';

export interface ApiMetricsOptions {
  version: string;
  checks: Record<string, HealthCheck>;
  db: Parameters<typeof gaugePool>[1];
  /** Services and models that labels may name. */
  models?: readonly string[];
  withProcess?: boolean;
}

/** Creates the metrics of an API process. */
export function createApiMetrics({
  version,
  checks,
  db,
  models = [],
  withProcess = true,
}: ApiMetricsOptions): Prometheus {
  const prometheus = createPrometheus({
    role: 'api',
    labelValues: { version: [version], model: models, route: Object.values(routes).map(({ path }) => path) },
    withProcess,
  });
  const { metrics } = prometheus;
  metrics.gauge('parlance_build_info', { version }, 1);
  prometheus.onScrape(() => gaugeDependencies({ checks, metrics }));
  prometheus.onScrape(() => gaugePool(metrics, db));
  return prometheus;
}

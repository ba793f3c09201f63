import { activityFailureCodes } from '../activities/measured.ts';
import { dispositions } from '../domain/call/dispositions.ts';
import { targetOutcomes } from '../domain/campaign/outcome.ts';
import { cachedFor } from '../runtime/cached.ts';
import type { Clock } from '../runtime/clock.ts';
import { gaugeDependencies } from '../runtime/dependency-gauges.ts';
import type { HealthCheck } from '../runtime/health-server.ts';
import { createPrometheus, type Prometheus } from '../runtime/prometheus.ts';
import { gaugeLoad, gaugePool, readLoad, shownWaits } from '../services/operations/index.ts';

/** Counts from MySQL are cached for this long, so that several scrapers cost no more than one. */
const loadKeptMs = 10_000;

type Database = Parameters<typeof readLoad>[0]['db'];

export interface WorkerMetricsOptions {
  version: string;
  checks: Record<string, HealthCheck>;
  clock: Clock;
  /** The pool, once it is open. */
  db: () => Database | undefined;
  /** The SDK's own metrics, in the same text format. */
  temporalMetrics?: () => Promise<string>;
  withProcess?: boolean;
}

/** The metrics of a worker process, followed by Temporal's own metrics. */
export function createWorkerMetrics({
  version,
  checks,
  clock,
  db,
  temporalMetrics,
  withProcess = true,
}: WorkerMetricsOptions): Prometheus {
  const prometheus = createPrometheus({
    role: 'worker',
    labelValues: {
      version: [version],
      disposition: dispositions,
      code: activityFailureCodes,
      target_outcome: targetOutcomes,
      wait_reason: shownWaits,
    },
    withProcess,
  });
  const { metrics } = prometheus;
  metrics.gauge('parlance_build_info', { version }, 1);
  prometheus.onScrape(() => gaugeDependencies({ checks, metrics }));
  prometheus.onScrape(() => {
    const pool = db();
    if (pool !== undefined) gaugePool(metrics, pool);
  });
  const load = cachedFor(loadKeptMs, async () => {
    const source = db();
    return source === undefined ? null : await readLoad({ db: source, clock });
  });
  prometheus.onScrape(async () => gaugeLoad(metrics, await load().catch(() => null)));
  return {
    ...prometheus,
    async scrape() {
      const [own, temporal] = await Promise.all([
        prometheus.scrape(),
        temporalMetrics?.().catch(() => '') ?? '',
      ]);
      return { ...own, text: `${own.text}\n${temporal}` };
    },
  };
}

/** Reads the metrics that Temporal's SDK serves in this process. */
export async function fetchTemporalMetrics(address: string): Promise<string> {
  const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(2000) });
  return await answer.text();
}

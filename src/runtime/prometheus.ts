import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  closedLabels,
  counters,
  gauges,
  histograms,
  type Described,
  type givenLabels,
  type LabelName,
  type Role,
} from './metric-catalog.ts';
import type { MetricsAnswer } from './health-server.ts';
import type { Metrics } from './metrics.ts';

export interface PrometheusOptions {
  role: Role;
  /**
   * The closed lists of labels that the catalog does not define; without a list, every value becomes `other`.
   */
  labelValues: Partial<Record<(typeof givenLabels)[number], readonly string[]>>;
  /** Memory, processor time and event loop delay of this process. */
  withProcess?: boolean;
}

export interface Prometheus {
  metrics: Metrics;
  /** Adds words of the program to a label's closed list, once they are known. */
  allow: (label: LabelName, values: readonly string[]) => void;
  /** Runs before each scrape; if it fails, its metrics are missing from that scrape. */
  onScrape: (refresh: () => Promise<void> | void) => void;
  scrape: () => Promise<MetricsAnswer>;
}

/**
 * Maximum number of series per metric that start at 0, so that a first event is an increase and not a new
 * series.
 */
const maxBegun = 1000;

/** The delay of timers is measured this often, and reads as at least this long. The alert begins at 250 ms. */
const loopSampleMs = 50;

/** The catalog's metrics of one role, in a separate registry. */
export function createPrometheus({ role, labelValues, withProcess = false }: PrometheusOptions): Prometheus {
  const registry = new Registry();
  const allowed: Partial<Record<LabelName, readonly string[]>> = { ...closedLabels, ...labelValues };
  const kept = (labels: Readonly<Partial<Record<string, string>>>) => bounded(labels, allowed);
  const common = (name: string, { help, labels }: Described) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });

  const counting = new Map(
    ofRole(role, counters).map(([name, each]) => [name, new Counter(common(name, each))]),
  );
  const observing = new Map(
    ofRole(role, histograms).map(([name, each]) => [
      name,
      new Histogram({ ...common(name, each), buckets: [...(each.buckets ?? [])] }),
    ]),
  );
  const standing = new Map(ofRole(role, gauges).map(([name, each]) => [name, new Gauge(common(name, each))]));
  const begun = new Set<string>();
  const begin = () => {
    for (const [name, each] of ofRole(role, counters))
      for (const labels of combinations(each, allowed)) counting.get(name)?.inc(labels, 0);
    for (const [name, each] of ofRole(role, histograms))
      for (const labels of combinations(each, allowed)) beginOnce(name, labels);
  };
  /** Starting a series twice would reset it. */
  const beginOnce = (name: string, labels: Record<string, string>) => {
    const series = JSON.stringify([name, labels]);
    if (!begun.has(series)) observing.get(name)?.zero(labels);
    begun.add(series);
  };
  begin();
  // Each sample wakes the process: a hundred a second were a third of what an idle one takes.
  if (withProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSampleMs });

  const refreshes: (() => Promise<void> | void)[] = [];
  return {
    metrics: {
      count: (name, labels, by = 1) => counting.get(name)?.inc(kept(labels), usable(by)),
      observe: (name, labels, value) => observing.get(name)?.observe(kept(labels), usable(value)),
      gauge: (name, labels, value) =>
        value === null
          ? standing.get(name)?.remove(kept(labels))
          : standing.get(name)?.set(kept(labels), value),
    },
    allow(label, values) {
      allowed[label] = [...new Set([...(allowed[label] ?? []), ...values])];
      begin();
    },
    onScrape: (refresh) => void refreshes.push(refresh),
    async scrape() {
      await Promise.allSettled(refreshes.map(async (refresh) => await refresh()));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Clocks may go back and estimates may be wrong: a negative or infinite value counts as 0. */
const usable = (value: number): number => (value > 0 && Number.isFinite(value) ? value : 0);

function ofRole(role: Role, all: Readonly<Record<string, Described>>): [string, Described][] {
  return Object.entries(all).filter(([, { roles }]) => roles.includes(role));
}

/** Every label with a value of its list; any other value becomes `other`. */
function bounded(
  labels: Readonly<Partial<Record<string, string>>>,
  allowed: Readonly<Partial<Record<string, readonly string[]>>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([label, value]) => [
      label,
      value !== undefined && allowed[label]?.includes(value) === true ? value : 'other',
    ]),
  );
}

/** All label values of a metric, or none when there are too many to start at 0. */
function combinations(
  { labels, buckets = [] }: Described,
  allowed: Readonly<Partial<Record<LabelName, readonly string[]>>>,
): Record<string, string>[] {
  const all = labels.reduce<Record<string, string>[]>(
    (rows, label) =>
      rows.flatMap((row) => (allowed[label] ?? []).map((value) => ({ ...row, [label]: value }))),
    [{}],
  );
  return all.length * (buckets.length + 1) > maxBegun ? [] : all;
}

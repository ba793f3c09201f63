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
   * The closed lists of the labels that are not in the catalog; of a list that is absent, every value is
   * `other`.
   */
  labelValues: Partial<Record<(typeof givenLabels)[number], readonly string[]>>;
  /** Memory, processor time and lag of the event loop of this process. */
  withProcess?: boolean;
}

export interface Prometheus {
  metrics: Metrics;
  /** Extends a label's closed list by words of the program, once they are known. */
  allow: (label: LabelName, values: readonly string[]) => void;
  /** Runs before each scrape; one that fails is left out of that scrape. */
  onScrape: (refresh: () => Promise<void> | void) => void;
  scrape: () => Promise<MetricsAnswer>;
}

/**
 * Series per metric that are shown as 0 from the start, so that a first event is an increase and not a
 * beginning.
 */
const maxBegun = 1000;

/** The catalog's metrics of one role, in a registry of its own. */
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
  /** To begin a second time would forget what was observed. */
  const beginOnce = (name: string, labels: Record<string, string>) => {
    const series = JSON.stringify([name, labels]);
    if (!begun.has(series)) observing.get(name)?.zero(labels);
    begun.add(series);
  };
  begin();
  if (withProcess) collectDefaultMetrics({ register: registry });

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

/** Clocks go back and estimates go wrong: what is no amount counts as none. */
const usable = (value: number): number => (value > 0 && Number.isFinite(value) ? value : 0);

function ofRole(role: Role, all: Readonly<Record<string, Described>>): [string, Described][] {
  return Object.entries(all).filter(([, { roles }]) => roles.includes(role));
}

/** Every label with a value of its list; what is not in it is `other`. */
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

/** All label values of a metric, or none when they are too many to begin with. */
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

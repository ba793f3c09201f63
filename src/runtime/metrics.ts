import type {
  CounterLabels,
  CounterName,
  GaugeLabels,
  GaugeName,
  HistogramLabels,
  HistogramName,
} from './metric-catalog.ts';

/**
 * Where numbers about the service go. Never throws: measuring must not break what is measured. Durations are
 * in seconds.
 */
export interface Metrics {
  count<Name extends CounterName>(name: Name, labels: CounterLabels<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>, value: number): void;
  /** A value that goes up and down; null takes it away until it is known again. */
  gauge<Name extends GaugeName>(name: Name, labels: GaugeLabels<Name>, value: number | null): void;
}

/** For processes and tests that nobody scrapes. */
export const noMetrics: Metrics = {
  count: () => undefined,
  observe: () => undefined,
  gauge: () => undefined,
};

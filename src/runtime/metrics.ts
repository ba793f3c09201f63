import type {
  CounterLabels,
  CounterName,
  GaugeLabels,
  GaugeName,
  HistogramLabels,
  HistogramName,
} from './metric-catalog.ts';

/**
 * Receives the measurements of the service. Never throws, so that measuring cannot break the measured code.
 * Durations are in seconds.
 */
export interface Metrics {
  count<Name extends CounterName>(name: Name, labels: CounterLabels<Name>, by?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>, value: number): void;
  /** A value that goes up and down; null removes it until it is known again. */
  gauge<Name extends GaugeName>(name: Name, labels: GaugeLabels<Name>, value: number | null): void;
}

/** For processes and tests without a scraper. */
export const noMetrics: Metrics = {
  count: () => undefined,
  observe: () => undefined,
  gauge: () => undefined,
};

/** A few figures of many measured values. */
export interface Summary {
  count: number;
  p50: number;
  p95: number;
  max: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A straight line through points, by least squares. */
export interface Trend {
  /** Growth of y per 1 of x. */
  slope: number;
  /** y at x = 0. */
  start: number;
  /** Standard error of the slope: the true slope is within two standard errors with 95 % probability. */
  slopeError: number;
}

/**
 * The value that `share` (0 to 1) of the values do not exceed, interpolated linearly. Throws RangeError
 * without values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) throw new RangeError('A quantile needs at least one value');
  return below + (above - below) * (place - Math.floor(place));
}

export function summarize(values: readonly number[]): Summary {
  return {
    count: values.length,
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    max: quantile(values, 1),
  };
}

/**
 * Throws RangeError for fewer than three points, or points with the same x, whose slope has no standard
 * error.
 */
export function trendOf(points: readonly Point[]): Trend {
  const count = points.length;
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const spread = sum(points.map(({ x }) => (x - meanX) ** 2));
  if (count < 3 || spread === 0) throw new RangeError('A trend needs three points, at different places');
  const slope = sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread;
  const start = meanY - slope * meanX;
  const unexplained = sum(points.map(({ x, y }) => (y - start - slope * x) ** 2));
  return { slope, start, slopeError: Math.sqrt(unexplained / (count - 2) / spread) };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

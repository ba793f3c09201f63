/** The 95th percentile by nearest rank; null without values. */
export function percentile95(values: readonly number[]): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}

import { UsageError } from '../failures.ts';

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `30m`, `2h` or `3d` before now, or an ISO 8601 timestamp with a time zone. Throws UsageError. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0));
  const timestamp = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (Number.isNaN(timestamp.getTime()))
    throw new UsageError(`"${text}" is not a time`, 'For example 30m, 2h, 3d, or 2026-01-31T10:00:00Z.');
  return timestamp;
}

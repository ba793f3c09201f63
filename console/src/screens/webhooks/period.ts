const hourMs = 3_600_000;
const periodsMs = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;

export const periods = ['hour', 'day', 'week', 'between'] as const;
export type Period = (typeof periods)[number];

/** A minute in the zone of the browser, as a field for it has it: `2026-11-27T09:30`. */
const minute = /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d$/;

/** The minute if it is one. */
export const minuteOf = (value: unknown): string | undefined =>
  typeof value === 'string' && minute.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** The bounds of a period as the API takes them. Open ends are left out. */
export function boundsOf(
  { period, from, to }: { period?: Period | undefined; from?: string | undefined; to?: string | undefined },
  nowMs: number,
): { from?: string; to?: string } {
  if (period === undefined) return {};
  if (period !== 'between') return { from: new Date(nowMs - periodsMs[period]).toISOString() };
  return {
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}

const dayMs = 24 * 3_600_000;

/** Converts the dates of a query to timestamps. `from` is inclusive, `until` exclusive. */
export function createdBetween(query: { start_date?: string | undefined; end_date?: string | undefined }): {
  from: Date | undefined;
  until: Date | undefined;
} {
  return { from: timestampOf(query.start_date, 0), until: timestampOf(query.end_date, dayMs) };
}

/** A day becomes its midnight plus `afterMidnightMs`. Text without a time zone is in UTC. */
function timestampOf(text: string | undefined, afterMidnightMs: number): Date | undefined {
  if (text === undefined) return undefined;
  if (!text.includes('T')) return new Date(new Date(`${text}T00:00:00Z`).getTime() + afterMidnightMs);
  return new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

const dayMs = 24 * 3_600_000;

/** The dates of a query as moments: `from` is included, `until` is not. */
export function createdBetween(query: { start_date?: string | undefined; end_date?: string | undefined }): {
  from: Date | undefined;
  until: Date | undefined;
} {
  return { from: timestampOf(query.start_date, 0), until: timestampOf(query.end_date, dayMs) };
}

/** A day begins at midnight, plus what is given; a moment is itself. UTC where no zone is named. */
function timestampOf(text: string | undefined, afterMidnightMs: number): Date | undefined {
  if (text === undefined) return undefined;
  if (!text.includes('T')) return new Date(new Date(`${text}T00:00:00Z`).getTime() + afterMidnightMs);
  return new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

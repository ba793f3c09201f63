/** The state of the list of calls in its URL. */
export interface CallsSearch {
  /** Filters in the language of `filters.ts`. */
  q?: string | undefined;
  page?: number | undefined;
  /** Absent: by creation. */
  sort?: 'duration' | undefined;
  /** Absent: newest or longest first. */
  order?: 'asc' | undefined;
}

/** Reads search parameters; what is unknown or wrong is left out. */
export function callsSearch({ q, page, sort, order }: Record<string, unknown>): CallsSearch {
  const number = Number(page);
  return {
    // The router reads `q=42` as a number.
    ...(typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {}),
    ...(Number.isInteger(number) && number > 1 ? { page: number } : {}),
    ...(sort === 'duration' ? { sort } : {}),
    ...(order === 'asc' ? { order } : {}),
  };
}

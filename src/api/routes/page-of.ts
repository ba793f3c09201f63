/** The highest page number that is used. */
const maxPages = 1_000_000_000;

/** The requested page, by default the first. */
export function pageOf(page: number | undefined): number {
  return Math.min(page ?? 1, maxPages);
}

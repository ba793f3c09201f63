/** The last page that can hold anything. */
const maxPages = 1_000_000_000;

/** The page that is asked for; the first one when none is. */
export function pageOf(page: number | undefined): number {
  return Math.min(page ?? 1, maxPages);
}

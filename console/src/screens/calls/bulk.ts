/** What the actions on several calls send, and what came of them. */

/** The API's filters for exactly these calls (contract 6.2). */
export const filtersOfCalls = (ids: readonly number[]): string =>
  JSON.stringify([{ attribute: 'runId', type: 'number', value: { ids } }]);

/** More calls than this are not judged at a time: each one is a request, and costs what its models cost. */
export const maxJudged = 500;

/** Reasons with the number of calls that they stood in the way of, most frequent first. */
export function tally(reasons: readonly string[]): readonly { reason: string; calls: number }[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, calls]) => ({ reason, calls }))
    .toSorted((one, other) => other.calls - one.calls || one.reason.localeCompare(other.reason));
}

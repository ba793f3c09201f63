import type { LiveRun } from '../../../src/contract/calls.ts';

/**
 * What is known of a call with what its stream says: from the index `from` on, its events replace the known ones. Null if
 * something between them is missing, so that all of it must be read again.
 */
export function withNews(known: LiveRun | undefined, data: Record<string, unknown>): LiveRun | null {
  const { from, events, ...news } = data as unknown as LiveRun & { from: number };
  const before = known?.events ?? [];
  return from > before.length ? null : { ...news, events: [...before.slice(0, from), ...events] };
}

import { rowWait, type WaitingCampaign } from './row-wait.ts';

/** Rows of a campaign that wait for the same thing. */
export interface WaitGroup {
  /** Their own reason; null = none. */
  waitReason: string | null;
  zoneKey: string;
  /** When the first of them is due; null if they are due now. */
  dueAt: Date | null;
  rows: number;
}

/** How many rows show a reason, and when it ends for the first of them; null = unknown. */
export interface WaitCount {
  rows: number;
  nextAt: Date | null;
}

/** Waiting rows by the reason that each shows (`rowWait`). Rows that show none are left out. */
export function countWaits(
  groups: readonly WaitGroup[],
  {
    campaign,
    zonesOf,
    now,
  }: { campaign: WaitingCampaign; zonesOf: (zoneKey: string) => readonly string[]; now: Date },
): ReadonlyMap<string, WaitCount> {
  const counts = new Map<string, WaitCount>();
  for (const { waitReason, zoneKey, dueAt, rows } of groups) {
    const row = { state: 'waiting' as const, dueAt, waitReason, zones: zonesOf(zoneKey), isInDoubt: false };
    const { reason, until } = rowWait(row, campaign, now);
    if (reason === null) continue;
    const known = counts.get(reason);
    counts.set(reason, {
      rows: rows + (known?.rows ?? 0),
      nextAt: known === undefined ? until : earlier(known.nextAt, until),
    });
  }
  return counts;
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

import { rowWait, type WaitingCampaign } from './row-wait.ts';
import { clocksOf } from './windows.ts';

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

/** Rows that wait for their hours by the same clocks. */
export interface ClosedZone {
  zones: readonly string[];
  rows: number;
  /** Null = unknown. */
  opensAt: Date | null;
}

interface Seen {
  campaign: WaitingCampaign;
  zonesOf: (zoneKey: string) => readonly string[];
  now: Date;
}

/** Waiting rows by the reason that each shows (`rowWait`). Rows that show none are left out. */
export function countWaits(groups: readonly WaitGroup[], seen: Seen): ReadonlyMap<string, WaitCount> {
  const counts = new Map<string, WaitCount>();
  for (const group of groups) {
    const { rows } = group;
    const { reason, until } = waitOf(group, seen);
    if (reason === null) continue;
    const known = counts.get(reason);
    counts.set(reason, {
      rows: rows + (known?.rows ?? 0),
      nextAt: known === undefined ? until : earlier(known.nextAt, until),
    });
  }
  return counts;
}

/** The rows that wait for their hours, by the clocks that these follow; most rows first. */
export function closedZones(groups: readonly WaitGroup[], seen: Seen): readonly ClosedZone[] {
  const { window } = seen.campaign;
  const found = new Map<string, ClosedZone>();
  for (const group of groups) {
    const { reason, until } = waitOf(group, seen);
    if (reason !== 'outside_window') continue;
    const zones = window.isByContact ? clocksOf(window, seen.zonesOf(group.zoneKey)) : [window.campaignZone];
    const known = found.get(zones.join());
    found.set(zones.join(), {
      zones,
      rows: group.rows + (known?.rows ?? 0),
      opensAt: known === undefined ? until : earlier(known.opensAt, until),
    });
  }
  return [...found.values()].toSorted((one, other) => other.rows - one.rows);
}

const waitOf = ({ waitReason, zoneKey, dueAt }: WaitGroup, { campaign, zonesOf, now }: Seen) =>
  rowWait({ state: 'waiting', dueAt, waitReason, zones: zonesOf(zoneKey), isInDoubt: false }, campaign, now);

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

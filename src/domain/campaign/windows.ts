import moment from 'moment-timezone';
import type { WeeklyHours } from './weekly-hours.ts';
import { stretchAt } from './zone-clock.ts';

/** When a campaign may dial: its own hours and the organization's must both be open. */
export interface CallingWindow {
  /** Null = at any hour. */
  campaign: WeeklyHours | null;
  /** The campaign's hours are in the contact's zone, not in the campaign's. */
  isInContactZone: boolean;
  /** IANA name; also the zone of contacts whose zone is unknown. */
  campaignZone: string;
  /** The organization's hours, always in the contact's zone; null = it has none. */
  policy: WeeklyHours | null;
  /** Whether the answer depends on the contact's zones. */
  isByContact: boolean;
}

export type WindowState =
  /** `closesAt` is the first time outside the hours; null if there is none within the days searched. */
  | { isOpen: true; closesAt: Date | null }
  /** Null = never: the hours do not open within the days searched. */
  | { isOpen: false; opensAt: Date | null };

/**
 * Long enough for a weekly slot that clock changes skip: a slot of one hour can be skipped one night of the
 * year, in two zones on different nights.
 */
const searchedMs = 31 * 86_400_000;
const weekMs = 7 * 86_400_000;
/** 1970 began on a Thursday. */
const mondayMs = 3 * 86_400_000;
const minuteMs = 60_000;

interface Hours {
  hours: WeeklyHours;
  zone: string;
}

/**
 * Whether a contact may be dialed at a time, and when that changes. `zones` are all zones that the contact
 * may be in (src/domain/phone/zones.ts): the hours must be open in every one of them. Without zones, the
 * campaign's zone counts. Hours are half-open and in local time: a skipped hour opens nothing, a repeated one
 * is open twice. An unknown time zone has no open window.
 */
export function windowAt(
  window: CallingWindow,
  { zones, at }: { zones: readonly string[]; at: Date },
): WindowState {
  const all = hoursOf(window, zones);
  const endMs = at.getTime() + searchedMs;
  const opensMs = firstOpen(all, at.getTime(), endMs);
  if (opensMs !== at.getTime())
    return { isOpen: false, opensAt: opensMs === null ? null : new Date(opensMs) };
  const closesMs = firstClosed(all, opensMs, endMs);
  return { isOpen: true, closesAt: closesMs === null ? null : new Date(closesMs) };
}

/** The first time within the window, `at` or later; null = never. */
export function intoWindow(
  window: CallingWindow,
  { zones, at }: { zones: readonly string[]; at: Date },
): Date | null {
  const state = windowAt(window, { zones, at });
  return state.isOpen ? at : state.opensAt;
}

/**
 * Whether no contact can ever be dialed, in any zone. Checked when hours are chosen; usually the first zone
 * that opens answers it.
 */
export function neverOpens(window: CallingWindow, at: Date): boolean {
  const possible = window.isByContact ? [[], ...moment.tz.names().map((zone) => [zone])] : [[]];
  return possible.every((zones) => intoWindow(window, { zones, at }) === null);
}

/** The zones of a contact's hours: the contact's own, otherwise the campaign's. */
export function clocksOf({ campaignZone }: CallingWindow, zones: readonly string[]): readonly string[] {
  return zones.length === 0 ? [campaignZone] : zones;
}

function hoursOf(window: CallingWindow, zones: readonly string[]): Hours[] {
  const { campaign, isInContactZone, campaignZone, policy } = window;
  const own = clocksOf(window, zones);
  const inZones = (hours: WeeklyHours | null, names: readonly string[]) =>
    hours === null ? [] : names.map((zone) => ({ hours, zone }));
  return [...inZones(campaign, isInContactZone ? own : [campaignZone]), ...inZones(policy, own)];
}

/**
 * The first time at which all hours are open. Each closed set of hours gives a time until which it stays
 * closed; the search continues at the latest of these.
 */
function firstOpen(all: readonly Hours[], fromMs: number, endMs: number): number | null {
  let atMs = fromMs;
  while (atMs < endMs) {
    let latestMs = atMs;
    for (const each of all) {
      const { isOpen, untilMs } = stateOf(each, atMs);
      if (!isOpen) latestMs = Math.max(latestMs, untilMs);
    }
    if (latestMs === atMs) return atMs;
    atMs = latestMs;
  }
  return null;
}

function firstClosed(all: readonly Hours[], fromMs: number, endMs: number): number | null {
  let atMs = fromMs;
  while (atMs < endMs) {
    let earliestMs = Infinity;
    for (const each of all) {
      const { isOpen, untilMs } = stateOf(each, atMs);
      if (!isOpen) return atMs;
      earliestMs = Math.min(earliestMs, untilMs);
    }
    atMs = earliestMs;
  }
  return null;
}

/** The state holds at least until `untilMs`: the next edge of the hours, or the next clock change. */
function stateOf({ hours, zone }: Hours, atMs: number): { isOpen: boolean; untilMs: number } {
  const stretch = stretchAt(zone, atMs);
  if (stretch === null) return { isOpen: false, untilMs: Infinity };
  const inWeekMs = (((atMs + stretch.offsetMs + mondayMs) % weekMs) + weekMs) % weekMs;
  const { isOpen, edgeMs } = placeOf(hours, inWeekMs);
  // guarantee: calling-window-edges-exact
  return { isOpen, untilMs: Math.min(atMs + edgeMs - inWeekMs, stretch.untilMs) };
}

function placeOf({ ranges }: WeeklyHours, inWeekMs: number): { isOpen: boolean; edgeMs: number } {
  for (const { from, until } of ranges) {
    if (inWeekMs < from * minuteMs) return { isOpen: false, edgeMs: from * minuteMs };
    if (inWeekMs < until * minuteMs) return { isOpen: true, edgeMs: until * minuteMs };
  }
  return { isOpen: false, edgeMs: weekMs };
}

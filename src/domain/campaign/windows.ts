import moment from 'moment-timezone';
import type { WeeklyHours } from './weekly-hours.ts';
import { stretchAt } from './zone-clock.ts';

/** When a campaign may dial: its own hours and the organization's, both of which must be open. */
export interface CallingWindow {
  /** Null = at any hour. */
  campaign: WeeklyHours | null;
  /** The campaign's hours are by the clock of the contact, not by the campaign's. */
  isInContactZone: boolean;
  /** IANA name; also the clock of contacts whose zone nobody knows. */
  campaignZone: string;
  /** The organization's hours, always by the clock of the contact; null = it has none. */
  policy: WeeklyHours | null;
  /** The answer depends on the contact's zones: else it is the same for all. */
  isByContact: boolean;
}

export type WindowState =
  /**
   * `closesAt` is the first moment at which it is closed; null = none within the days that are looked
   * through.
   */
  | { isOpen: true; closesAt: Date | null }
  /** Null = never: no moment of the days that are looked through is within all hours. */
  | { isOpen: false; opensAt: Date | null };

/** A slot of one hour a week is left out by one night of the year; two zones change on different nights. */
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
 * Whether a contact may be dialed at a moment, and when that changes. `zones` are all that the contact may be
 * in (src/domain/phone/zones.ts): it must be allowed in every one of them; none = unknown, the campaign's
 * counts. Hours are half-open, by the clock on the wall: an hour that a night leaves out opens nothing, one
 * that it has twice is open twice. A zone that is no zone is never open.
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

/** The first moment, `at` or later, within the window; null = never. */
export function intoWindow(
  window: CallingWindow,
  { zones, at }: { zones: readonly string[]; at: Date },
): Date | null {
  const state = windowAt(window, { zones, at });
  return state.isOpen ? at : state.opensAt;
}

/**
 * No contact can ever be dialed, wherever they are. Asked where hours are chosen: the first zone that opens
 * answers it, none is the exception.
 */
export function neverOpens(window: CallingWindow, at: Date): boolean {
  const possible = window.isByContact ? [[], ...moment.tz.names().map((zone) => [zone])] : [[]];
  return possible.every((zones) => intoWindow(window, { zones, at }) === null);
}

/** The zones by whose clocks a contact's hours are told: its own, else the campaign's. */
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
 * Each closed one says until when it is at least closed: the latest of these moments is the next at which all
 * may be open.
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

/** Until when it is so at least: the next edge of the hours, or the next change of the clocks. */
function stateOf({ hours, zone }: Hours, atMs: number): { isOpen: boolean; untilMs: number } {
  const stretch = stretchAt(zone, atMs);
  if (stretch === null) return { isOpen: false, untilMs: Infinity };
  const inWeekMs = (((atMs + stretch.offsetMs + mondayMs) % weekMs) + weekMs) % weekMs;
  const { isOpen, edgeMs } = placeOf(hours, inWeekMs);
  // guarantee: windows-exact-moment-also
  return { isOpen, untilMs: Math.min(atMs + edgeMs - inWeekMs, stretch.untilMs) };
}

function placeOf({ ranges }: WeeklyHours, inWeekMs: number): { isOpen: boolean; edgeMs: number } {
  for (const { from, until } of ranges) {
    if (inWeekMs < from * minuteMs) return { isOpen: false, edgeMs: from * minuteMs };
    if (inWeekMs < until * minuteMs) return { isOpen: true, edgeMs: until * minuteMs };
  }
  return { isOpen: false, edgeMs: weekMs };
}

import type { CampaignEstimate } from '../../../contract/campaigns.ts';
import type { EstimatedCalls, UsualCalls } from '../../../domain/campaign/estimate.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import { clocksOf, windowAt } from '../../../domain/campaign/windows.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { RowsToCall } from '../targets/rows-to-call.ts';
import type { Room } from './estimate.ts';

interface ShownEstimate {
  /** Null = the file was not checked. */
  left: RowsToCall | null;
  isOver: boolean;
  room: Room;
  rules: CampaignRules;
  usual: UsualCalls;
  /** By the zones of `left`. */
  estimated: EstimatedCalls;
  /** When everybody was called if fewer or more answer; null if it cannot be said. */
  ends: readonly (Date | null)[];
  /** The latest timestamp at which a row is due; null when no row waits. */
  latestDueAt: Date | null;
  now: Date;
}

const timestampOrNull = (timestamp: Date | null) => (timestamp === null ? null : wireTimestamp(timestamp));
const later = (one: Date | null, other: Date | null) =>
  one !== null && other !== null && other > one ? other : one;

export function toEstimate(shown: ShownEstimate): CampaignEstimate {
  const { left, room, rules, usual, estimated, latestDueAt } = shown;
  const bounds = shown.ends
    .map((end) => later(end, latestDueAt))
    .toSorted((one, other) => Number(one) - Number(other));
  const [earliestAt = null, latestAt = null] = bounds.includes(null) ? [] : bounds;
  const fault = faultOf(shown);
  const { startsPerSecond, organizationStartsPerSecond: ofAll } = rules;
  const rowsWhere = (is: (index: number) => boolean) =>
    (left?.zones ?? []).reduce((sum, { rows }, index) => sum + (is(index) ? rows : 0), 0);
  return {
    rows: left === null ? null : rowsWhere(() => true),
    suppressed: left?.suppressed ?? 0,
    recently_called: left?.recentlyCalled ?? 0,
    never_called: rowsWhere((index) => estimated.groups[index]?.neverOpens === true),
    begins_at: fault === null ? timestampOrNull(estimated.beginsAt) : null,
    all_called_at: fault === null ? timestampOrNull(later(estimated.allCalledAt, latestDueAt)) : null,
    earliest_at: fault === null ? timestampOrNull(earliestAt) : null,
    latest_at: fault === null ? timestampOrNull(latestAt) : null,
    dialing_seconds: fault === null ? Math.round(estimated.dialingMs / 1000) : 0,
    unknown_because: fault,
    lines: room.lines,
    lines_limited_by: room.limitedBy,
    starts_per_second: Math.min(ofAll, startsPerSecond ?? ofAll),
    zones: zonesShown(shown, fault !== null),
    assumptions: {
      answered_share: rounded(usual.answeredShare, 100),
      answered_seconds: rounded(usual.answeredSeconds, 10),
      unanswered_seconds: rounded(usual.unansweredSeconds, 10),
      calls: usual.calls,
    },
  };
}

function faultOf({ left, isOver, room, estimated }: ShownEstimate): CampaignEstimate['unknown_because'] {
  if (isOver) return 'over';
  if (left === null) return 'not_checked';
  if (left.zones.length === 0) return 'nobody';
  if (!room.hasConnection) return 'no_connection';
  if (room.lines === 0) return 'no_lines';
  if (estimated.groups.every(({ neverOpens }) => neverOpens)) return 'hours_never_open';
  return estimated.allCalledAt === null ? 'beyond_a_year' : null;
}

/** Rows that share their zones are one entry, also if some are due later than others. */
function zonesShown(
  { left, rules: { window }, estimated, now }: ShownEstimate,
  isUnknown: boolean,
): CampaignEstimate['zones'] {
  const byNames = new Map<string, { names: readonly string[]; rows: number; ends: (Date | null)[] }>();
  for (const [index, { zoneKey, rows }] of (left?.zones ?? []).entries()) {
    const names = clocksOf(window, zonesOf(zoneKey));
    const known = byNames.get(names.join()) ?? { names, rows: 0, ends: [] };
    byNames.set(names.join(), {
      names,
      rows: known.rows + rows,
      ends: [...known.ends, estimated.groups[index]?.endsAt ?? null],
    });
  }
  return [...byNames.values()]
    .toSorted((one, other) => other.rows - one.rows)
    .map(({ names, rows, ends }) => {
      const state = windowAt(window, { zones: names, at: now });
      return {
        time_zones: [...names],
        rows,
        is_open: state.isOpen,
        opens_at: state.isOpen ? null : timestampOrNull(state.opensAt),
        closes_at: state.isOpen ? timestampOrNull(state.closesAt) : null,
        all_called_at: isUnknown ? null : timestampOrNull(latest(ends)),
      };
    });
}

/** Null if one of them is. */
function latest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((each) => each !== null);
  return known.length < times.length
    ? null
    : (known.toSorted((one, other) => Number(other) - Number(one))[0] ?? null);
}

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;

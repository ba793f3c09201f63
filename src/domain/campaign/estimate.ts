import { dialThrough, type DialedThrough, type RowsToDial } from './dial-through.ts';
import { linesOfRamp } from './pace.ts';
import type { CampaignRules } from './rules.ts';
import type { CallingWindow } from './windows.ts';

/** Rows that ended recently, while the campaign dialed. */
export interface RecentPace {
  from: Date;
  to: Date;
  /** After `from`. */
  ended: number;
}

interface Estimating {
  /** Rows that have not ended. */
  remaining: number;
  /** Null if nothing ended yet. */
  recent: RecentPace | null;
  window: CallingWindow;
  /** The latest timestamp at which a row is due again; null when no row waits. */
  latestDueAt: Date | null;
  now: Date;
}

/** Fewer ended rows allow no estimate. */
const minEnded = 5;
const minSpanMs = 10_000;

/**
 * When a campaign will be complete at its recent pace. Rows end at that pace while its hours are open by its
 * own clock, and the campaign does not end before its latest waiting row is due. Null if no estimate is
 * possible.
 */
export function estimateCompletion({ remaining, recent, window, latestDueAt, now }: Estimating): Date | null {
  if (recent === null || recent.ended < minEnded || remaining === 0) return null;
  const eachMs = Math.max(minSpanMs, recent.to.getTime() - recent.from.getTime()) / recent.ended;
  const { endsAt: at } = dialThrough({
    groups: [{ zones: [], rows: remaining, from: null }],
    window,
    rate: () => ({ perSecond: 1000 / eachMs, untilMs: Infinity }),
    now,
  });
  if (at === null) return null;
  return latestDueAt !== null && latestDueAt > at ? latestDueAt : at;
}

/** What calls are like, on average. */
export interface UsualCalls {
  /** Of the dials, how many are answered: 0 to 1. */
  answeredShare: number;
  /** From the dial to the end of a call that is answered. */
  answeredSeconds: number;
  /** The same of a call that is not. */
  unansweredSeconds: number;
  /** How many calls this was measured from; 0 = assumed. */
  calls: number;
}

/** What is assumed of an agent that has made too few calls. */
export const assumedCalls: UsualCalls = {
  answeredShare: 0.4,
  answeredSeconds: 90,
  unansweredSeconds: 25,
  calls: 0,
};

/** Fewer calls say too little. */
export const minMeasuredCalls = 20;

/** How long a dial uses a line, on average. */
export const lineSeconds = ({ answeredShare, answeredSeconds, unansweredSeconds }: UsualCalls): number =>
  Math.max(1, answeredShare * answeredSeconds + (1 - answeredShare) * unansweredSeconds);

/**
 * The same calls if fewer or more of them are answered: the bounds within which the answered share lies with 95 %,
 * by the number of calls that it was measured from. What is assumed is as unsure as if the least number was measured.
 */
export function boundsOf(usual: UsualCalls): { fewest: UsualCalls; most: UsualCalls } {
  const { answeredShare: share, calls } = usual;
  const margin = 1.96 * Math.sqrt((share * (1 - share)) / Math.max(minMeasuredCalls, calls));
  return {
    fewest: { ...usual, answeredShare: Math.max(0, share - margin) },
    most: { ...usual, answeredShare: Math.min(1, share + margin) },
  };
}

interface EstimatingCalls {
  groups: readonly RowsToDial[];
  rules: Pick<
    CampaignRules,
    'window' | 'ramp' | 'startOrder' | 'startsPerSecond' | 'organizationStartsPerSecond'
  >;
  /** Lines that it can use; at least 1. */
  lines: number;
  usual: UsualCalls;
  /** The ramp counts from here. */
  since: Date;
  now: Date;
}

export interface EstimatedCalls extends Omit<DialedThrough, 'endsAt'> {
  /** When the last of the calls ends; null if it cannot be said. */
  allCalledAt: Date | null;
}

/**
 * When everybody of these rows will have been called once: their hours, the lines with the ramp, and the pace
 * decide. The lines are the limit if calls last long, the pace if they are short.
 */
export function estimateCalls({ groups, rules, lines, usual, since, now }: EstimatingCalls): EstimatedCalls {
  const { ramp, startOrder, organizationStartsPerSecond: ofAll } = rules;
  const pace = Math.min(ofAll, rules.startsPerSecond ?? ofAll);
  const seconds = lineSeconds(usual);
  const { endsAt, ...dialed } = dialThrough({
    groups,
    window: rules.window,
    isClosingFirst: startOrder === 'closing_window',
    rate: (atMs) => {
      const ramped = linesOfRamp({ ramp, since, now: new Date(atMs) });
      const isRamp = ramped !== null && ramped < lines && (ramp?.eachMinute ?? 0) > 0;
      return {
        perSecond: Math.min(pace, Math.min(lines, ramped ?? lines) / seconds),
        untilMs: isRamp ? nextMinute(since.getTime(), atMs) : Infinity,
      };
    },
    now,
  });
  // Lines that are all in use end their calls at the rate at which they begin; at a slower pace the last call
  // only begins at the end.
  const isByPace = pace < lines / seconds;
  const callMs = Math.round(seconds * 1000);
  return {
    ...dialed,
    allCalledAt:
      endsAt === null || dialed.beginsAt === null
        ? null
        : isByPace
          ? new Date(endsAt.getTime() + callMs)
          : new Date(Math.max(endsAt.getTime(), dialed.beginsAt.getTime() + callMs)),
  };
}

/** The first time after `atMs` at which whole minutes have passed since then. */
function nextMinute(sinceMs: number, atMs: number): number {
  const minuteMs = 60_000;
  return sinceMs + (Math.floor(Math.max(0, atMs - sinceMs) / minuteMs) + 1) * minuteMs;
}

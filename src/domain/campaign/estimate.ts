import { windowAt, type CallingWindow } from './windows.ts';

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
/** Maximum number of openings and closings to look through: about half a year with two a day. */
const maxEdges = 400;

/**
 * When a campaign will be complete at its recent pace. Rows end at that pace while its hours are open by its
 * own clock, and the campaign does not end before its latest waiting row is due. Null if no estimate is
 * possible.
 */
export function estimateCompletion({ remaining, recent, window, latestDueAt, now }: Estimating): Date | null {
  if (recent === null || recent.ended < minEnded || remaining === 0) return null;
  const eachMs = Math.max(minSpanMs, recent.to.getTime() - recent.from.getTime()) / recent.ended;
  const at = afterOpenTime(window, now, remaining * eachMs);
  if (at === null) return null;
  return latestDueAt !== null && latestDueAt > at ? latestDueAt : at;
}

/**
 * When the window will have been open for `openMs`; null if not within the months that are looked through.
 */
function afterOpenTime(window: CallingWindow, from: Date, openMs: number): Date | null {
  let at = from;
  let leftMs = Math.ceil(openMs);
  for (let edge = 0; edge < maxEdges; edge += 1) {
    const state = windowAt(window, { zones: [], at });
    if (state.isOpen) {
      const { closesAt } = state;
      if (closesAt === null || at.getTime() + leftMs <= closesAt.getTime())
        return new Date(at.getTime() + leftMs);
      leftMs -= closesAt.getTime() - at.getTime();
      at = closesAt;
    } else if (state.opensAt === null) return null;
    else at = state.opensAt;
  }
  return null;
}

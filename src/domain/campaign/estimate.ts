import { windowAt, type CallingWindow } from './windows.ts';

/** Rows that came to their end lately, while the campaign dialed. */
export interface RecentPace {
  from: Date;
  to: Date;
  /** After `from`. */
  ended: number;
}

interface Estimating {
  /** Rows that are not over. */
  remaining: number;
  /** Null = nothing ended yet. */
  recent: RecentPace | null;
  window: CallingWindow;
  /** The latest moment at which a row is due again; null = none waits. */
  latestDueAt: Date | null;
  now: Date;
}

/** Fewer say nothing of the rest. */
const minEnded = 5;
const minSpanMs = 10_000;
/** Openings and closings that are looked through: about half a year of two a day. */
const maxEdges = 400;

/**
 * When a campaign is over if it goes on as lately: as many rows come to their end in each minute in which its
 * hours are open by its own clock, and none before the last row that waits for its time. Null while nothing
 * can be said.
 */
export function estimateCompletion({ remaining, recent, window, latestDueAt, now }: Estimating): Date | null {
  if (recent === null || recent.ended < minEnded || remaining === 0) return null;
  const eachMs = Math.max(minSpanMs, recent.to.getTime() - recent.from.getTime()) / recent.ended;
  const at = afterOpenTime(window, now, remaining * eachMs);
  if (at === null) return null;
  return latestDueAt !== null && latestDueAt > at ? latestDueAt : at;
}

/**
 * The moment at which the window was open for so long; null = not within the months that are looked through.
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

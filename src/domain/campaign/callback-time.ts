import moment from 'moment-timezone';
import { wallClock } from './zone-clock.ts';

/** When the person wants to be called, or why that cannot be promised. */
export type CallbackTime =
  | { kind: 'at'; at: Date }
  | { kind: 'none'; reason: 'absent' | 'unreadable' | 'past' | 'too_far' };

/** The furthest callback that is promised. */
const maxAheadMs = 30 * 86_400_000;
/** Models answer with the minute in which they were asked. */
const graceMs = 60_000;
const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Reads the variable `callback_at` of a call: ISO 8601, in `zone` (the contact's) if it has no offset. When
 * the clocks go forward, a skipped hour becomes the following one. When they go back, the first of the two
 * hours counts. Rejects invalid dates, the past, and times more than 30 days ahead.
 */
export function readCallbackTime({
  value,
  zone,
  now,
}: {
  value: unknown;
  zone: string;
  now: Date;
}): CallbackTime {
  if (typeof value !== 'string' || value.trim() === '') return { kind: 'none', reason: 'absent' };
  const at = momentOf(value.trim(), zone);
  if (at === null) return { kind: 'none', reason: 'unreadable' };
  if (at.getTime() < now.getTime() - graceMs) return { kind: 'none', reason: 'past' };
  if (at.getTime() > now.getTime() + maxAheadMs) return { kind: 'none', reason: 'too_far' };
  return { kind: 'at', at: at < now ? now : at };
}

function momentOf(text: string, zone: string): Date | null {
  const [, day, time, offset] = isoTime.exec(text) ?? [];
  if (day === undefined || time === undefined) return null;
  const wall = moment.utc(`${day}T${time}`, moment.ISO_8601, true);
  if (!wall.isValid()) return null;
  if (offset !== undefined) return new Date(wall.valueOf() - offsetMs(offset));
  if (wallClock(zone, wall.toDate()) === null) return null;
  return moment.tz(`${day}T${time}`, zone).toDate();
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

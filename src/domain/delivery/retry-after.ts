import { maxRetryAfterMs } from './schedule.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const imfFixdate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/**
 * A `Retry-After` header in milliseconds from `now`: seconds or an HTTP date (RFC 9110 10.2.3, the preferred
 * form), 0 for a date in the past, at most 24 hours. Null if the header is absent or invalid.
 */
export function readRetryAfter(value: string | null | undefined, now: Date): number | null {
  const text = (value ?? '').trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : untilDate(text, now);
  return waitMs === null ? null : Math.min(Math.max(waitMs, 0), maxRetryAfterMs);
}

function untilDate(text: string, now: Date): number | null {
  const [, day, month, year, hours, minutes, seconds] = imfFixdate.exec(text) ?? [];
  const monthIndex = months.indexOf(month ?? '');
  if (monthIndex < 0) return null;
  return (
    Date.UTC(Number(year), monthIndex, Number(day), Number(hours), Number(minutes), Number(seconds)) -
    now.getTime()
  );
}

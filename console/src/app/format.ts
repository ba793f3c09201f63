import { nowDate } from './clock.ts';
import { dayOf } from './days.ts';
import { locale } from './words.ts';
import { ownZone } from './zone.ts';

const language = locale === 'ar' ? 'ar' : 'en';
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
const numbers = new Intl.NumberFormat(language);

/** A format that is made once for each time zone. */
export function zoned(options: Intl.DateTimeFormatOptions): (at: Date, zone: string) => string {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (at, zone) => {
    const format = made.get(zone) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
    made.set(zone, format);
    return format.format(at);
  };
}

const clock = zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const day = zoned({ day: 'numeric', month: 'short' });
const dayAndYear = zoned({ day: 'numeric', month: 'short', year: 'numeric' });

export const count = (value: number): string => numbers.format(value);
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** `m:ss` of seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Seconds of milliseconds with one or two decimals: `1.04 s`, at least `<0.01 s`. One unit can be compared. */
export const seconds = (ms: number): string =>
  ms < 5 ? '<0.01 s' : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** Words as they stand within a sentence. */
export const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

export { ownZone } from './zone.ts';

/** The time of day in the organization's zone, or in another one. */
export const timeOfDay = (at: Date, zone = ownZone): string => clock(at, zone);

/** A day in the organization's zone or another one, with its year if that is not the present one. */
export const date = (at: Date, zone = ownZone): string =>
  (dayOf(at, zone).slice(0, 4) === dayOf(nowDate(), zone).slice(0, 4) ? day : dayAndYear)(at, zone);

/** The words of a day such as `2026-11-20`. */
export const dayWords = (text: string): string => date(new Date(`${text}T12:00:00Z`), 'UTC');

/** Whether it is today in the organization's zone, or in another one. */
export const isToday = (at: Date, zone = ownZone): boolean => dayOf(at, zone) === dayOf(nowDate(), zone);

/** How long ago: `2 min ago`, `yesterday`; older than a week, the day. */
export function ago(at: Date, now = nowDate()): string {
  const secondsAgo = (at.getTime() - now.getTime()) / 1000;
  const size = Math.abs(secondsAgo);
  if (size < 45) return relative.format(Math.round(secondsAgo), 'second');
  if (size < 2700) return relative.format(Math.round(secondsAgo / 60), 'minute');
  if (size < 72_000) return relative.format(Math.round(secondsAgo / 3600), 'hour');
  if (size < 604_800) return relative.format(Math.round(secondsAgo / 86_400), 'day');
  return date(at);
}

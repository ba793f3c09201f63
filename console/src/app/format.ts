import { nowDate } from './clock.ts';
import { locale } from './words.ts';

const language = locale === 'ar' ? 'ar' : 'en';
const clock = new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
const numbers = new Intl.NumberFormat(language);

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

/** The zone of the browser, which all times and days are shown in. */
export const { timeZone: ownZone } = new Intl.DateTimeFormat().resolvedOptions();

/** The time of day, in the zone of the browser. */
export const timeOfDay = (at: Date): string => clock.format(at);

/** A day, with its year if that is not the present one. */
export const date = (at: Date): string =>
  (at.getFullYear() === nowDate().getFullYear() ? day : dayAndYear).format(at);

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

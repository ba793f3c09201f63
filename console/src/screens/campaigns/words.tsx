import {
  CheckCircle2,
  CircleDashed,
  CirclePlay,
  CircleStop,
  Clock3,
  type LucideIcon,
  OctagonAlert,
  PauseCircle,
  PhoneCall,
  RotateCw,
} from 'lucide-react';
import { nowDate } from '../../app/clock.ts';
import { count, date, isToday, lowered, ownZone, zoned } from '../../app/format.ts';
import { hasWords, locale, t } from '../../app/words.ts';
import { type Meaning, Tag } from '../../parts/badge.tsx';
import {
  type Campaign,
  isHeldByHours,
  isReached,
  listedRows,
  type Part,
  partsOf,
  type Progress,
  type RowState,
  type Said,
  type Standing,
  standingOf,
} from './facts.ts';
import { groupsOf, type Range, timeText, type Week } from './hours.ts';
import { type Plan, type Settings, waitsText } from './settings.ts';

const language = locale === 'ar' ? 'ar' : 'en';
const clock = zoned({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayOfWeek = zoned({ weekday: 'short' });
const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' });
const dayNames = Array.from({ length: 7 }, (_, day) => weekday.format(new Date(2026, 0, 5 + day)));
const dayMs = 86_400_000;

/** A moment near today: `14:30`, `Thu 9:00`, else with its day. By a contact's clock, with its place. */
export function moment(at: string, contactZone?: string): string {
  const words = momentIn(at, contactZone ?? ownZone);
  return contactZone === undefined
    ? words
    : t('campaigns.momentIn', { at: words, city: zoneName(contactZone.split('/').at(-1) ?? contactZone) });
}

function momentIn(at: string, zone: string): string {
  const when = new Date(at);
  const time = clock(when, zone);
  if (isToday(when, zone)) return time;
  const isNear = Math.abs(when.getTime() - nowDate().getTime()) < 6 * dayMs;
  return isNear ? `${dayOfWeek(when, zone)} ${time}` : `${date(when, zone)}, ${time}`;
}

/** The words of a fact; one about a contact whose zone is known, by the contact's clock. */
export function say({ id, values = {}, names = {}, until = null, zone }: Said, contactZone?: string): string {
  if (!hasWords(id)) return '';
  const at =
    until === null ? 'none' : zone === undefined ? moment(until, contactZone) : momentIn(until, zone);
  return t(id, { ...values, ...names, until: at });
}

const wordOr = (id: string, code: string): string => (hasWords(id) ? t(id) : code.replaceAll('_', ' '));

export const reasonText = (reason: string): string => wordOr(`campaigns.reason.${reason}`, reason);
export const outcomeText = (outcome: string): string => wordOr(`campaigns.outcome.${outcome}`, outcome);

const looks: Readonly<Record<Standing, { is: Meaning; icon: LucideIcon }>> = {
  created: { is: 'machine', icon: CircleDashed },
  syncing: { is: 'agent', icon: CirclePlay },
  running: { is: 'agent', icon: CirclePlay },
  stopping: { is: 'warn', icon: CircleStop },
  paused: { is: 'warn', icon: PauseCircle },
  tripped: { is: 'bad', icon: PauseCircle },
  stopped: { is: 'machine', icon: CircleStop },
  completed: { is: 'ok', icon: CheckCircle2 },
  failed: { is: 'bad', icon: OctagonAlert },
};

/** How a campaign stands: shape, word and color. */
export const StandingTag = ({ of }: { of: Standing }) => (
  <Tag is={looks[of].is} icon={looks[of].icon}>
    {t(`campaigns.state.${of}`)}
  </Tag>
);

/** The color of a part of the bar; waiting is grey. */
export const partLook: Readonly<Record<Part, string>> = {
  reached: 'is-ok',
  calls: 'is-agent',
  queued: 'is-next',
  waiting: 'is-wait',
  ended: 'is-machine',
  failed: 'is-bad',
};

/** Rows by what became of them, in one bar. Its figures stand beside it. */
export function PartsBar({
  parts,
  label,
  hasTitle = false,
}: {
  parts: readonly { part: Part; rows: number }[];
  label: string;
  /** Its words are shown to who points at it. */
  hasTitle?: boolean;
}) {
  return (
    <span className="segbar" role="img" aria-label={label} title={hasTitle ? label : undefined}>
      {parts
        .filter(({ rows }) => rows > 0)
        .map(({ part, rows }) => (
          <i key={part} className={partLook[part]} style={{ flex: rows }} />
        ))}
    </span>
  );
}

/** Every part of the bar in words. */
export const partsText = (progress: Progress): string =>
  partsOf(progress)
    .map(({ part, rows: n }) => t(`campaigns.part.${part}`, { n }))
    .join(', ');

/** How far a listed campaign is: a bar, and the same in words. */
export function ListedProgress({
  of: campaign,
  progress,
}: {
  of: Campaign;
  /** Says who was reached and who is in a call. */
  progress?: Progress | undefined;
}) {
  const { processed_rows: done, failed_rows: failed } = campaign;
  const total = listedRows(campaign);
  const words = t('campaigns.progressOf', { done: count(done + failed), total: count(total), failed });
  return (
    <span className="campaign-progress">
      {progress === undefined || campaign.state === 'created' || campaign.state === 'syncing' ? (
        <PartsBar
          label={words}
          parts={[
            { part: 'ended', rows: done },
            { part: 'waiting', rows: Math.max(0, total - done - failed) },
            { part: 'failed', rows: failed },
          ]}
        />
      ) : (
        <PartsBar label={partsText(progress)} parts={partsOf(progress)} hasTitle />
      )}
      <span className="text-muted text-12">{words}</span>
    </span>
  );
}

/** What a listed campaign does now, in one sentence; empty if its state says all. */
export function waitText(campaign: Campaign): string {
  const standing = standingOf(campaign);
  if ((standing === 'running' || standing === 'syncing') && campaign.wait_reason !== null)
    return say({ id: `campaigns.because.${campaign.wait_reason}`, until: campaign.wait_until });
  if (isHeldByHours(campaign)) return say({ id: 'campaigns.because.window_never_opens' });
  if (standing === 'tripped') return t('campaigns.tripped');
  if (standing === 'failed') return campaign.logs.findLast(({ level }) => level === 'error')?.message ?? '';
  return '';
}

/** Where a row stands. */
export function rowLook({ state, reason, outcome, attempts }: RowState): {
  icon: LucideIcon;
  color: string;
  words: string;
} {
  if (state === 'processing')
    return {
      icon: PhoneCall,
      color: 'text-agent',
      words: reason === null ? t('campaigns.row.calls') : reasonText(reason),
    };
  if (state === 'processed' || state === 'failed')
    return {
      icon: state === 'failed' ? OctagonAlert : isReached(outcome) ? CheckCircle2 : CircleDashed,
      color: state === 'failed' ? 'text-bad' : isReached(outcome) ? 'text-ok' : 'text-icon',
      words: outcome === null ? reasonText(reason ?? state) : outcomeText(outcome),
    };
  if (state === 'left_out')
    return { icon: CircleDashed, color: 'text-icon', words: reasonText(reason ?? state) };
  const isRetry = reason === 'retry' && outcome !== null;
  return {
    icon: attempts > 0 ? RotateCw : Clock3,
    color: 'text-icon',
    words: isRetry
      ? t('campaigns.row.retry', { outcome: outcomeText(outcome) })
      : reason === null
        ? t('campaigns.row.next')
        : reasonText(reason),
  };
}

/** By whose clock hours are meant, within a line of facts. */
export const clockText = ({ clock: whose, timeZone }: Settings): string =>
  whose === 'contact' ? lowered(t('campaigns.clock.contact')) : zoneName(timeZone);

/** A time zone without the signs of its id: `America/New York`. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

export const dayName = (day: number): string => dayNames[day] ?? '';
export const rangeText = ({ from, to }: Range): string => `${timeText(from)}–${timeText(to)}`;

/** `Mon–Fri 09:00–20:00, Sat 10:00–14:00`. */
export const weekText = (week: Week): string =>
  groupsOf(week)
    .map(
      ({ first, last, ranges }) =>
        `${dayName(first)}${last === first ? '' : `–${dayName(last)}`} ${ranges.map(rangeText).join(' & ')}`,
    )
    .join(', ');

/** When a campaign pauses by itself. */
export const breakerText = ({
  breaker: { isOn, share, calls, seconds },
}: Pick<Settings, 'breaker'>): string =>
  isOn ? t('campaigns.breakerText', { share, calls, seconds }) : t('campaigns.off');

/** `10 min, 30 min; at most 3`. */
export function planText({ retries, waits, isNextDay, isOtherPart }: Plan): string {
  if (retries === 0) return t('campaigns.plan.never');
  return [
    isNextDay ? t('campaigns.plan.nextDay') : waitsText(waits),
    ...(isOtherPart ? [t('campaigns.plan.otherPart')] : []),
    t('campaigns.plan.atMost', { n: retries }),
  ].join(' · ');
}

import type { Campaign } from './facts.ts';
import { sameOn, slotsOf, type Week, weekOf } from './hours.ts';

/** The settings of a campaign as its forms hold them, and the way to the API and back. */

/** Outcomes whose plan can be changed. */
export const planned = [
  'no_answer',
  'busy',
  'declined',
  'voicemail',
  'voicemail_message',
  'short_answer',
  'reached',
] as const;
export type Planned = (typeof planned)[number];

export interface Plan {
  /** Further calls at most; 0 is never. */
  retries: number;
  /** Minutes before the first further call, the second, and so on. The last repeats. */
  waits: readonly number[];
  isNextDay: boolean;
  isOtherPart: boolean;
}

const plan = (retries: number, waits: readonly number[], more: Partial<Plan> = {}): Plan => ({
  retries,
  waits,
  isNextDay: false,
  isOtherPart: false,
  ...more,
});

/** What the service does without a plan (docs/campaigns.md). */
export const usualPlan: Readonly<Record<Planned, Plan>> = {
  no_answer: plan(3, [120], { isOtherPart: true }),
  busy: plan(3, [10, 30]),
  declined: plan(1, [], { isNextDay: true }),
  voicemail: plan(2, [240]),
  voicemail_message: plan(0, []),
  short_answer: plan(1, [], { isNextDay: true }),
  reached: plan(0, []),
};

export interface Caps {
  per_hour: number | null;
  per_day: number | null;
  per_week: number | null;
}
export const usualCaps: Caps = { per_hour: 1, per_day: 3, per_week: 7 };

/** When a campaign pauses by itself because calls fail. */
export interface Breaker {
  isOn: boolean;
  /** Percent of the calls. */
  share: number;
  /** Of at least so many calls that ended within so many seconds. */
  calls: number;
  seconds: number;
}
export const usualBreaker: Breaker = { isOn: true, share: 50, calls: 5, seconds: 120 };

export interface Settings {
  name: string;
  /** Null: as many as the organization may have. */
  lines: number | null;
  /** Whose clock the hours follow. */
  clock: 'campaign' | 'contact';
  timeZone: string;
  isAnyHour: boolean;
  week: Week;
  plan: Readonly<Record<Planned, Plan>>;
  caps: Caps;
  /** Dials per second; null: the organization's. */
  pace: number | null;
  /** Lines at first, and more in each minute; null: all at once. */
  rampLines: number | null;
  rampMore: number | null;
  weight: number | null;
  /** Ids of caller numbers; none: all of the connection. */
  numbers: readonly number[];
  version: 'published' | 'pinned';
  order: 'file' | 'priority' | 'latest_first' | 'closing_window';
  /** Days within which another campaign's call keeps a number out; null: none. */
  skipDays: number | null;
  breaker: Breaker;
}

const weekdays = [0, 1, 2, 3, 4];

/** The form of a new campaign: weekdays, in each contact's time zone. */
export const newSettings = (timeZone: string): Settings => ({
  name: '',
  lines: null,
  clock: 'contact',
  timeZone,
  isAnyHour: false,
  week: sameOn(weekdays, { from: 540, to: 1200 }),
  plan: usualPlan,
  caps: usualCaps,
  pace: null,
  rampLines: null,
  rampMore: null,
  weight: null,
  numbers: [],
  version: 'published',
  order: 'file',
  skipDays: null,
  breaker: usualBreaker,
});

interface GivenRules {
  window_zone?: 'campaign' | 'contact';
  retry_plan?: Partial<
    Record<
      string,
      {
        waits_seconds: number[];
        max_retries: number;
        next_day?: boolean;
        other_part_of_day?: boolean;
      }
    >
  >;
  caps?: Partial<Caps>;
  starts_per_second?: number;
  ramp?: { lines: number; each_minute: number };
  weight?: number;
  from_phone_number_ids?: number[];
  agent_version?: Settings['version'];
  start_order?: Settings['order'];
  skip_recently_called?: number;
}

type Given = Pick<Campaign, 'name' | 'max_concurrency' | 'schedule_config' | 'circuit_breaker' | 'rules'>;

/** What a campaign has. Rules that its form does not show stay as they are (`rulesOf`). */
export function settingsOf({
  name,
  max_concurrency: lines,
  schedule_config: hours,
  circuit_breaker: breaker,
  rules,
}: Given): Settings {
  const given: GivenRules = rules ?? {};
  const isOn = hours?.enabled === true;
  return {
    ...newSettings(hours?.timezone ?? 'UTC'),
    name,
    lines,
    clock: given.window_zone ?? 'campaign',
    isAnyHour: !isOn,
    week: isOn ? weekOf(hours.slots) : sameOn(weekdays, { from: 540, to: 1200 }),
    plan: {
      ...usualPlan,
      ...Object.fromEntries(
        planned.flatMap((outcome) => {
          const one = given.retry_plan?.[outcome];
          return one === undefined
            ? []
            : [
                [
                  outcome,
                  plan(
                    one.max_retries,
                    one.next_day === true && one.waits_seconds.every((each) => each <= 30)
                      ? []
                      : one.waits_seconds.map((each) => each / 60),
                    { isNextDay: one.next_day ?? false, isOtherPart: one.other_part_of_day ?? false },
                  ),
                ],
              ];
        }),
      ),
    },
    caps: { ...usualCaps, ...given.caps },
    pace: given.starts_per_second ?? null,
    rampLines: given.ramp?.lines ?? null,
    rampMore: given.ramp?.each_minute ?? null,
    weight: given.weight ?? null,
    numbers: given.from_phone_number_ids ?? [],
    version: given.agent_version ?? 'published',
    order: given.start_order ?? 'file',
    skipDays: given.skip_recently_called ?? null,
    breaker: {
      isOn: breaker.enabled,
      share: Math.round(breaker.failure_threshold * 100),
      calls: breaker.min_calls_in_window,
      seconds: breaker.window_seconds,
    },
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** The shortest wait that the API takes: of a plan that names only the next day. */
const leastSeconds = 30;

const planBody = ({ retries, waits, isNextDay, isOtherPart }: Plan) => ({
  waits_seconds: waits.length === 0 ? [leastSeconds] : waits.map((each) => Math.round(each * 60)),
  max_retries: retries,
  ...(isNextDay ? { next_day: true } : {}),
  ...(isOtherPart ? { other_part_of_day: true } : {}),
});

/** The rules of the API: what differs from what it does without them, and what the form does not show. */
export function rulesOf(settings: Settings, before: Record<string, unknown> | null = null) {
  const { plan: plans, caps, pace, rampLines, rampMore, weight, numbers, skipDays } = settings;
  const changed = planned.filter((outcome) => !isSame(plans[outcome], usualPlan[outcome]));
  const kept: GivenRules = before ?? {};
  const provider = kept.retry_plan?.['provider'];
  const rest = Object.fromEntries(
    Object.entries(kept).filter(([name]) => name === 'max_attempts' || name === 'opt_out_tool'),
  );
  return {
    ...rest,
    window_zone: settings.clock,
    ...(changed.length === 0 && provider === undefined
      ? {}
      : {
          retry_plan: {
            ...Object.fromEntries(changed.map((outcome) => [outcome, planBody(plans[outcome])])),
            ...(provider === undefined
              ? {}
              : { provider: { waits_seconds: provider.waits_seconds, max_retries: provider.max_retries } }),
          },
        }),
    ...(isSame(caps, usualCaps) ? {} : { caps }),
    ...(pace === null ? {} : { starts_per_second: pace }),
    ...(rampLines === null || rampMore === null ? {} : { ramp: { lines: rampLines, each_minute: rampMore } }),
    ...(weight === null ? {} : { weight }),
    ...(numbers.length === 0 ? {} : { from_phone_number_ids: [...numbers] }),
    ...(settings.order === 'file' ? {} : { start_order: settings.order }),
    agent_version: settings.version,
    ...(skipDays === null ? {} : { skip_recently_called: skipDays }),
  };
}

export const scheduleOf = ({ timeZone, week, isAnyHour }: Settings) =>
  isAnyHour ? null : { enabled: true, timezone: timeZone, slots: slotsOf(week) };

/** The circuit breaker of the API. */
export const breakerOf = ({ breaker: { isOn, share, calls, seconds } }: Settings) => ({
  enabled: isOn,
  failure_threshold: share / 100,
  window_seconds: seconds,
  min_calls_in_window: calls,
});

export type SettingName =
  | 'name'
  | 'lines'
  | 'hours'
  | 'plan'
  | 'caps'
  | 'pace'
  | 'ramp'
  | 'weight'
  | 'numbers'
  | 'skip'
  | 'breaker';

const groups: Readonly<Record<SettingName, readonly (keyof Settings)[]>> = {
  name: ['name'],
  lines: ['lines'],
  hours: ['week', 'clock', 'timeZone', 'isAnyHour'],
  plan: ['plan'],
  caps: ['caps'],
  pace: ['pace'],
  ramp: ['rampLines', 'rampMore'],
  weight: ['weight'],
  numbers: ['numbers'],
  skip: ['skipDays'],
  breaker: ['breaker'],
};

/** What differs between two settings, in the order of the form. */
export const changesOf = (before: Settings, after: Settings): readonly SettingName[] =>
  (Object.keys(groups) as SettingName[]).filter((name) =>
    groups[name].some((key) => !isSame(before[key], after[key])),
  );

/** What one person has changed from `before`, over what another has stored meanwhile. */
export function merged(before: Settings, { mine, stored }: { mine: Settings; stored: Settings }): Settings {
  const keys = changesOf(before, mine).flatMap((name) => groups[name]);
  return { ...stored, ...Object.fromEntries(keys.map((key) => [key, mine[key]])) };
}

/** The body of `PATCH /campaign/{id}`: only what was changed. */
export function updateOf(before: Settings, after: Settings, rules: Record<string, unknown> | null) {
  const changes = changesOf(before, after);
  const has = (...names: SettingName[]) => names.some((name) => changes.includes(name));
  const isClock = before.clock !== after.clock;
  return {
    ...(has('name') ? { name: after.name } : {}),
    ...(has('lines') && after.lines !== null ? { max_concurrency: after.lines } : {}),
    ...(has('hours')
      ? {
          schedule_config: {
            enabled: !after.isAnyHour,
            timezone: after.timeZone,
            slots: slotsOf(after.week),
          },
        }
      : {}),
    ...(has('breaker') ? { circuit_breaker: breakerOf(after) } : {}),
    ...(has('plan', 'caps', 'pace', 'ramp', 'weight', 'numbers', 'skip') || isClock
      ? { rules: rulesOf(after, rules) }
      : {}),
  };
}

const units: Readonly<Record<string, number>> = { min: 1, m: 1, h: 60, d: 1440, s: 1 / 60 };

/** Minutes of `10 min, 30 min` or `2 h`; a bare number is minutes. Null if a part cannot be read. */
export function readWaits(text: string): readonly number[] | null {
  const parts = text.split(/[,;]|\bthen\b/).filter((each) => each.trim() !== '');
  const minutes = parts.map((part) => {
    const [, number = '', unit = 'min'] = /^\s*(\d+(?:\.\d+)?)\s*(min|m|h|d|s)?\s*$/.exec(part) ?? [];
    const each = number === '' ? Number.NaN : Number(number) * (units[unit] ?? 1);
    return each * 60 < leastSeconds || each > 43_200 ? Number.NaN : each;
  });
  return parts.length === 0 || parts.length > 20 || minutes.some(Number.isNaN) ? null : minutes;
}

/** `10 min, 30 min`. */
export const waitsText = (waits: readonly number[]): string =>
  waits
    .map((each) =>
      each < 1 || each % 1 !== 0
        ? `${Math.round(each * 60)} s`
        : each % 1440 === 0
          ? `${each / 1440} d`
          : each % 60 === 0
            ? `${each / 60} h`
            : `${each} min`,
    )
    .join(', ');

/** A section of the form of a campaign, and its fields that a refusal can name. */
export type Place =
  | 'name'
  | 'directory'
  | 'agent'
  | 'connection'
  | 'numbers'
  | 'hours'
  | 'timeZone'
  | 'plan'
  | 'caps'
  | 'lines'
  | 'pace'
  | 'ramp'
  | 'weight'
  | 'skip'
  | 'breaker';

const places: readonly (readonly [string, Place])[] = [
  ['from_phone_number', 'numbers'],
  ['max_concurrency', 'lines'],
  ['starts_per_second', 'pace'],
  ['skip_recently_called', 'skip'],
  ['retry_plan', 'plan'],
  ['circuit_breaker', 'breaker'],
  ['ramp', 'ramp'],
  ['weight', 'weight'],
  ['caps', 'caps'],
  ['timezone', 'timeZone'],
  ['schedule_config', 'hours'],
  ['slots', 'hours'],
  ['hours of this campaign', 'hours'],
  ['telephony_configuration', 'connection'],
  ['telephony configuration', 'connection'],
  ['workflow_id', 'agent'],
  ['source_id', 'directory'],
  ['The file', 'directory'],
  ['The column', 'directory'],
  ['encoding', 'directory'],
  ['name', 'name'],
];

/**
 * Where a refusal belongs: the fields of a 422 by their place, and the sentences of a 400 by what they name.
 * What has no place is `rest`.
 */
export function placeRefusal(refusal: {
  message: string;
  faults: readonly { loc: readonly (string | number)[]; msg: string }[];
}): { at: Partial<Record<Place, string>>; rest: readonly string[] } {
  const at: Partial<Record<Place, string>> = {};
  const rest: string[] = [];
  const put = (where: string, words: string) => {
    const place = places.find(([named]) => where.includes(named))?.[1];
    if (place === undefined) rest.push(words);
    else at[place] = at[place] === undefined ? words : `${at[place]}. ${words}`;
  };
  for (const { loc, msg } of refusal.faults) {
    const words = msg.replace(/^Value error, /, '');
    put(loc.join('.'), words.charAt(0).toUpperCase() + words.slice(1));
  }
  if (refusal.faults.length === 0) put(refusal.message, refusal.message);
  return { at, rest };
}

import type { PersonaInput } from '../../../emulators/carrier/persona.ts';
import type { Random } from '../seed.ts';

/** Rows of the file: CAMPAIGN_CHAOS_ROWS, for a short run by hand, or all. */
export const rowsOfRun = (all: number): number => Number(process.env['CAMPAIGN_CHAOS_ROWS'] ?? all);

/** How somebody takes one call. */
type Take = 'declined' | 'busy' | 'no_answer' | 'invalid_number' | 'short_answer';

/** Where somebody lives: open for the whole run, from its middle on, until its middle, never. */
export type Place = 'open' | 'opens' | 'closes' | 'closed';

/** A line of the contact file, and all that is known of it before anybody is called. */
export interface Contact {
  /** From 1, as the campaign counts. */
  row: number;
  /** As it is in the file. */
  written: string;
  place: Place;
  /**
   * What becomes of the row without a call; `callable` = it is to be called. `suppressed_later`: while the
   * campaign runs, before its place opens.
   */
  kind: 'callable' | 'duplicate' | 'invalid' | 'suppressed' | 'suppressed_later';
  /** Of the calls that the plan asks for, one after the other. */
  takes: readonly Take[];
}

/**
 * Zones without daylight saving, six hours from one to the next: hours that open one of them open no other.
 */
export const zones: Record<Place, { name: string; offsetHours: number }> = {
  open: { name: 'Africa/Abidjan', offsetHours: 0 },
  opens: { name: 'Asia/Dhaka', offsetHours: 6 },
  closed: { name: 'Pacific/Tarawa', offsetHours: 12 },
  closes: { name: 'America/Costa_Rica', offsetHours: -6 },
};

/** Who is called again, with the shortest wait that there is: busy and nobody there, once. */
export const retryPlan = {
  busy: { waits_seconds: [30], max_retries: 1 },
  no_answer: { waits_seconds: [30], max_retries: 1 },
  declined: { waits_seconds: [30], max_retries: 0 },
  short_answer: { waits_seconds: [30], max_retries: 0 },
};
const retryWaitMs = 30_000;

/** Persons by how often they are drawn. */
const persons: readonly { share: number; takes: readonly Take[] }[] = [
  { share: 0.67, takes: ['declined'] },
  { share: 0.1, takes: ['busy', 'declined'] },
  { share: 0.06, takes: ['busy', 'busy'] },
  { share: 0.06, takes: ['no_answer', 'busy'] },
  { share: 0.04, takes: ['no_answer', 'declined'] },
  { share: 0.05, takes: ['invalid_number'] },
  { share: 0.02, takes: ['short_answer'] },
];

export function makeContacts(count: number, random: Random): Contact[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = kindOf(index);
    return {
      row: index + 1,
      written: writtenOf(index, kind),
      place: kind === 'suppressed_later' ? 'opens' : placeOf(index),
      kind,
      takes: kind === 'callable' ? drawn(random) : [],
    };
  });
}

const kinds: Readonly<Record<number, Contact['kind']>> = {
  7: 'duplicate',
  13: 'invalid',
  21: 'suppressed',
  33: 'suppressed_later',
};
const kindOf = (index: number): Contact['kind'] => kinds[index % 100] ?? 'callable';

function placeOf(index: number): Place {
  const places: Readonly<Record<number, Place>> = { 2: 'closed', 5: 'closes', 9: 'opens', 16: 'opens' };
  return places[index % 20] ?? 'open';
}

/** Invented numbers that ring nobody. */
function writtenOf(index: number, kind: Contact['kind']): string {
  if (kind === 'invalid') return '12';
  const nth = kind === 'duplicate' ? index - 1 : index;
  return `+1${nth < 10_000 ? '202' : '415'}555${String(nth % 10_000).padStart(4, '0')}`;
}

function drawn(random: Random): readonly Take[] {
  let left = random();
  for (const { share, takes } of persons) {
    left -= share;
    if (left < 0) return takes;
  }
  return ['declined'];
}

export const contactFile = (contacts: readonly Contact[]): string =>
  [
    'phone_number,name,time_zone',
    ...contacts.map(({ row, written, place }) => `${written},Person ${row},${zones[place].name}`),
  ].join('\n');

/**
 * How the person takes their calls at the simulated carrier, one after the other. Without audio: nobody of
 * them says or hears anything.
 */
export function personasOf({ row, takes }: Contact): PersonaInput[] {
  return takes.map((take, index) => ({
    name: `row ${row}, call ${index + 1}: ${take}`,
    steps: stepsOf(take),
  }));
}

const causes = {
  declined: 'call_rejected',
  busy: 'user_busy',
  no_answer: 'no_answer',
  invalid_number: 'not_found',
} as const;

function stepsOf(take: Take): PersonaInput['steps'] {
  if (take === 'short_answer')
    return [{ do: 'ring', ms: 1500 }, { do: 'answer' }, { do: 'hangup', after: 0 }];
  return [
    { do: 'ring', ms: 1500 },
    { do: 'end', cause: causes[take] },
  ];
}

/** Moments of the windows, in milliseconds since 1970, at full minutes. */
export interface Hours {
  opensAt: number;
  closesAt: number;
}

interface Slot {
  day_of_week: number;
  start_time: string;
  end_time: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The hours of all places as one schedule by the clocks of the contacts. */
export function scheduleOf(
  { opensAt, closesAt }: Hours,
  now: number,
): { enabled: boolean; timezone: string; slots: Slot[] } {
  return {
    enabled: true,
    timezone: 'UTC',
    slots: [
      ...slots('open', now - hourMs, now + 3 * hourMs),
      ...slots('opens', opensAt, now + 3 * hourMs),
      ...slots('closes', now - hourMs, closesAt),
    ],
  };
}

/** One slot for each day that the time touches. */
function slots(place: Place, fromMs: number, untilMs: number): Slot[] {
  const shift = zones[place].offsetHours * hourMs;
  const found: Slot[] = [];
  for (let at = fromMs + shift; at < untilMs + shift;) {
    const midnight = (Math.floor(at / dayMs) + 1) * dayMs;
    const end = Math.min(midnight, untilMs + shift);
    found.push({
      day_of_week: (new Date(at).getUTCDay() + 6) % 7,
      start_time: timeOf(at),
      end_time: end === midnight ? '24:00' : timeOf(end),
    });
    at = end;
  }
  return found;
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** Whether a person there may be rung at that moment. */
export function isOpenAt(place: Place, at: number, { opensAt, closesAt }: Hours): boolean {
  if (place === 'opens') return at >= opensAt;
  if (place === 'closes') return at < closesAt;
  return place === 'open';
}

/** The least time from the beginning of one call of a row to the next. */
export const minBetweenMs = retryWaitMs;

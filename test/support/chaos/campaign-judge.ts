import type { Ring } from './carrier-file.ts';
import { isOpenAt, minBetweenMs, type Contact, type Hours } from './campaign-contacts.ts';
import type { Death } from './campaign-fleet.ts';

/** Where a row ended, as the API tells. */
export interface RowEnd {
  row: number;
  state: string;
  outcome: string | null;
  attempts: number;
  /** Milliseconds since 1970. */
  settledAt: number;
}

/** One attempt of a row, as the API tells. */
export interface Attempt {
  outcome: string | null;
  begunAt: number;
  settledAt: number;
}

export interface Evidence {
  contacts: readonly Contact[];
  /** What the carrier has rung. */
  rings: readonly Ring[];
  ends: ReadonlyMap<number, RowEnd>;
  /** Attempts of the rows that are not plainly as planned. */
  attempts: ReadonlyMap<number, readonly Attempt[]>;
  deaths: readonly Death[];
  hours: Hours;
  /** Times in which nothing was to be rung: paused, and the moment that a pause may take is over. */
  pauses: readonly { from: number; until: number }[];
}

export interface Verdict {
  /** What went wrong; empty after a good run. */
  violations: string[];
  /**
   * Rows of which nobody knows whether the carrier was asked: a process died in the instant of the dial. None
   * of them is rung again.
   */
  inDoubt: number[];
  /**
   * Attempts that came to nothing through a death and were made again, so that the person was rung as planned
   * all the same.
   */
  repeated: number[];
  /**
   * Rows whose call was rung, and whose news a death has swallowed: the outcome is another one than the
   * person's.
   */
  misheard: number[];
  /** By what a death makes of a row: the most at one death. */
  maxAtOneDeath: number;
}

/**
 * A death harms what begins so soon after it: a host is waited for for 12 s, and whoever died starts anew on
 * a busy machine.
 */
const harmMs = 60_000;
/** What is asked of the clocks at the end of a window: the last look comes before the request. */
const lastLookMs = 2000;

/** Judges a run by the carrier's log: each row's calls are those of its plan. */
export function judgeCampaign(evidence: Evidence): Verdict {
  const { contacts, rings, deaths, hours, pauses } = evidence;
  const verdict: Verdict = { violations: [], inDoubt: [], repeated: [], misheard: [], maxAtOneDeath: 0 };
  const byPhone = Map.groupBy(rings, ({ to }) => to);
  const harmedBy = new Map<Death, number>();
  const references = Map.groupBy(rings, ({ reference }) => reference);
  for (const [reference, same] of references)
    if (same.length > 1) verdict.violations.push(`the attempt ${reference} was dialed ${same.length} times`);
  for (const { to, at } of rings)
    if (pauses.some(({ from, until }) => at >= from && at < until))
      verdict.violations.push(`${to} was rung in a pause`);
  const known = new Set(contacts.filter(({ kind }) => kind === 'callable').map(({ written }) => written));
  for (const to of byPhone.keys())
    if (!known.has(to)) verdict.violations.push(`${to} was rung, and nobody asked for it`);
  for (const contact of contacts) if (contact.kind === 'callable') judgeRow(contact);
  verdict.maxAtOneDeath = Math.max(0, ...harmedBy.values());
  return verdict;

  function judgeRow(contact: Contact): void {
    const own = (byPhone.get(contact.written) ?? []).toSorted((one, other) => one.at - other.at);
    const say = (what: string): void =>
      void verdict.violations.push(
        `row ${contact.row} (${contact.place}, ${contact.takes.join(', ')}; ${JSON.stringify(evidence.ends.get(contact.row))}; rung ${own.length} times) ${what}; attempts ${JSON.stringify(evidence.attempts.get(contact.row) ?? null)}`,
      );
    for (const { at } of own)
      if (!isOpenAt(contact.place, contact.place === 'closes' ? at - lastLookMs : at, hours))
        say(`was rung outside its window, at ${new Date(at).toISOString()}`);
    for (const [index, { at }] of own.entries())
      if (index > 0 && at - (own[index - 1]?.at ?? 0) < minBetweenMs) say('was rung again too soon');
    const end = evidence.ends.get(contact.row);
    if (end === undefined) return say('does not belong to the campaign');
    if (isAsPlanned(contact, end, own.length)) return;
    judgeHarm(contact, { end, rung: own.length, say });
  }

  function judgeHarm(
    { row, takes, place }: Contact,
    { end, rung, say }: { end: RowEnd; rung: number; say: (what: string) => void },
  ): void {
    const attempts = evidence.attempts.get(row) ?? [];
    // The last look before the dial said no: paused, or the window had closed.
    const dialed = attempts.filter(({ outcome }) => outcome !== 'not_dialed');
    if (isAsPlanned({ takes, place }, { ...end, attempts: dialed.length }, rung)) return;
    if (rung > dialed.length) return say('was rung more often than it was tried');
    // What comes behind the first harm may follow from it.
    const harmed = dialed.find((each, index) => each.outcome !== takes[index]);
    // A dial is in doubt only through what happened while it was under way, and media hosts dial nobody.
    const isInDoubt = end.outcome === 'unknown';
    const cause =
      harmed === undefined
        ? undefined
        : deaths.findLast(
            ({ who, at }) =>
              at >= harmed.begunAt - (isInDoubt ? 0 : harmMs) &&
              at <= harmed.settledAt &&
              !(isInDoubt && who === 'media'),
          );
    if (cause === undefined) return say('is not as planned, and no death explains it');
    harmedBy.set(cause, (harmedBy.get(cause) ?? 0) + 1);
    const list = isInDoubt
      ? verdict.inDoubt
      : rung === takes.length && end.outcome === takes.at(-1)
        ? verdict.repeated
        : verdict.misheard;
    list.push(row);
  }
}

/**
 * Rung as often as the person's plan says, tried no more often, and over with the last thing that happened.
 * One of whom a stop came first was rung less often.
 */
export function isAsPlanned(
  { place, takes }: Pick<Contact, 'place' | 'takes'>,
  { outcome, attempts, state }: Pick<RowEnd, 'outcome' | 'attempts' | 'state'>,
  rung: number,
): boolean {
  if (rung !== attempts) return false;
  if (rung === takes.length) return outcome === takes.at(-1) && state !== 'queued';
  if (place !== 'closes' && place !== 'closed') return false;
  return (
    rung < takes.length &&
    (place !== 'closed' || rung === 0) &&
    (rung === 0 ? ['canceled', 'not_dialed'] : [takes[rung - 1], 'not_dialed']).includes(outcome ?? '')
  );
}

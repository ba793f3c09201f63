import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { reachedOutcomes } from '../../../src/domain/campaign/outcome.ts';
import type { RowEnd } from './campaign-judge.ts';

/** What the page of a campaign shows, beside what its numbers are to be. */

export const Progress = z.looseObject({
  state: z.string(),
  stop_mode: z.string().nullable(),
  wait_reason: z.string().nullable(),
  total_rows: z.int().nullable(),
  source_sync: z.looseObject({ status: z.string() }),
  rows: z.object({
    queued: z.int(),
    waiting: z.int(),
    processing: z.int(),
    processed: z.int(),
    failed: z.int(),
    left_out: z.int(),
  }),
  outcomes: z.record(z.string(), z.int()),
  reasons: z.record(z.string(), z.looseObject({ rows: z.int() })),
});
export type Progress = z.infer<typeof Progress>;

/** Every number of rows on the screen, with the words beside it. */
const Numbers = z.object({
  standing: z.string(),
  reached: z.array(z.string()),
  calls: z.string(),
  waiting: z.array(z.string()),
  ended: z.string(),
  failed: z.array(z.string()),
  bar: z.string(),
  waits: z.string(),
  reasons: z.array(z.string()),
  finished: z.string(),
  outcomes: z.array(z.string()),
  leftOut: z.string(),
});
const Screen = z.object({
  numbers: Numbers,
  /** Sentences, in which moments may stand between the numbers. */
  truth: z.string(),
  rest: z.string(),
});
export type Screen = z.infer<typeof Screen>;

const Seen = z.object({
  /** Answers to `/progress` in the order in which they came. */
  answers: z.array(
    z.object({
      /** The number of its request. */
      asked: z.int(),
      body: Progress,
      /** The page has given it up. */
      isDropped: z.boolean(),
      /** The screen when the next one came; null = none came, or nothing was shown yet. */
      left: Screen.nullable(),
    }),
  ),
  /** Every screen that differs from the one before, with the number of answers that there were. */
  screens: z.array(z.object({ at: z.number(), answers: z.int(), screen: Screen })),
  /** When the answer to a pause came, and how many requests for `/progress` had been sent. */
  pauses: z.array(z.object({ at: z.number(), asked: z.int() })),
});
export type Seen = z.infer<typeof Seen>;

/** Runs in the browser before the console does: sees its answers before it does, and each of its screens. */
const watching = `(() => {
  const texts = (from, selector) => [...from.querySelectorAll(selector)].map((each) => each.textContent.trim());
  const text = (from, selector) => texts(from, selector).join(' ');
  const read = () => {
    const room = document.querySelector('.room.campaign');
    const [why, ends] = room?.querySelectorAll('.campaign-two > .card') ?? [];
    if (ends === undefined) return null;
    const figure = (id) => texts(room, '[data-figure="' + id + '"] dd :is(b, span:not(.row))');
    return {
      numbers: {
        standing: text(room, '.campaign-head .tag'),
        reached: figure('reached'),
        calls: figure('calls')[0],
        waiting: figure('waiting'),
        ended: figure('ended')[0],
        failed: figure('failed'),
        bar: room.querySelector('.campaign-bar [role=img]').getAttribute('aria-label'),
        waits: text(why, '.card-h > .num'),
        reasons: [...why.querySelectorAll('.whys > li')]
          .map((each) => text(each, 'b') + ' ' + text(each, '.min-w-0 > :first-child'))
          .sort(),
        finished: text(ends, '.card-h > .num'),
        outcomes: [...ends.querySelectorAll('.campaign-outcomes > li')]
          .map((each) => text(each, '.num') + ' ' + text(each, 'a'))
          .sort(),
        leftOut: text(room, '.filter-line > a.link'),
      },
      truth: text(room, '.campaign-truth'),
      rest: text(room, '.campaign-rest'),
    };
  };
  const seen = { asked: 0, answers: [], screens: [], pauses: [], read };
  window.seen = seen;
  seen.paused = () => seen.pauses.push({ at: performance.now(), asked: seen.asked });
  const ask = window.fetch;
  window.fetch = async (url, options) => {
    const isProgress = /\\/campaign\\/\\d+\\/progress$/.test(url);
    const asked = isProgress ? (seen.asked += 1) : 0;
    const answer = await ask(url, options);
    if (answer.ok && /\\/pause$/.test(url)) seen.paused();
    if (answer.ok && isProgress) {
      const body = await answer.clone().json();
      const last = seen.answers.at(-1);
      if (last !== undefined) Object.assign(last, { left: read(), isDropped: last.signal?.aborted === true });
      seen.answers.push({ asked, body, left: null, isDropped: false, signal: options?.signal });
    }
    return answer;
  };
  new MutationObserver(() => {
    const screen = read();
    if (screen === null || JSON.stringify(screen) === JSON.stringify(seen.screens.at(-1)?.screen)) return;
    seen.screens.push({ at: performance.now(), answers: seen.answers.length, screen });
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})()`;

/** From the next page on. */
export async function watchRoom(page: Page): Promise<void> {
  await page.addInitScript(`if (location.pathname.startsWith('/campaigns/')) ${watching}`);
}

export const seenIn = async (page: Page): Promise<Seen> =>
  Seen.parse(
    await page.evaluate(
      '({ ...seen, answers: seen.answers.map(({ signal, ...rest }) => rest), read: null, paused: null })',
    ),
  );

/** What is on the screen now. */
export const shownNow = async (page: Page): Promise<Screen> =>
  Screen.parse(await page.evaluate('seen.read()'));

/** Row, where it stands and number of calls, of the rows that are in view. */
export const rowsInView = async (page: Page): Promise<string[][]> =>
  z
    .array(z.array(z.string()))
    .parse(
      await page.evaluate(
        `[...document.querySelectorAll('.campaign-rows tbody tr[aria-rowindex]')].map((row) => ['td', '.cut', '.col-attempts'].map((cell) => row.querySelector(cell).textContent))`,
      ),
    );

/** Somebody else has paused the campaign, and has the answer. */
export const othersPaused = async (page: Page): Promise<void> => void (await page.evaluate('seen.paused()'));

const words: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../../console/src/locales/en/campaigns.json', import.meta.url), 'utf8'),
);
const outcomeWords = (outcome: string): string => words[`campaigns.outcome.${outcome}`] ?? outcome;
const reasonWords = (reason: string): string => words[`campaigns.reason.${reason}`] ?? reason;

/** `1 row`, `2 rows`. */
const n = (count: number, one: string, other = `${one}s`): string => `${count} ${count === 1 ? one : other}`;
const sum = (counts: Iterable<number>): number => [...counts].reduce((all, each) => all + each, 0);
const waitingOf = ({ rows }: Progress): number => rows.queued + rows.waiting;
const reasonsOf = ({ reasons }: Progress): number => sum(Object.values(reasons).map(({ rows }) => rows));
const isOver = ({ state }: Progress): boolean => state === 'completed' || state === 'failed';

function standingOf({ state, stop_mode: stopMode }: Progress): string {
  if (stopMode !== null)
    return words[`campaigns.state.${state === 'completed' ? 'stopped' : 'stopping'}`] ?? '';
  return words[`campaigns.state.${state}`] ?? '';
}

/** What the screen is to show of an answer. */
export function numbersOf(progress: Progress): Screen['numbers'] {
  const { rows, outcomes, reasons } = progress;
  const waiting = waitingOf(progress);
  const called = sum(Object.values(rows)) - rows.left_out;
  const reached = sum(reachedOutcomes.map((each) => outcomes[each] ?? 0));
  const finished = sum(Object.values(outcomes));
  const leftOut = `${n(rows.left_out, 'row')} left out`;
  const next = waiting - reasonsOf(progress);
  return {
    standing: standingOf(progress),
    reached: [
      String(reached),
      ...(called === 0 ? [] : [`${Math.round((reached / called) * 100)}%`]),
      `of ${n(called, 'contact')}`,
    ],
    calls: String(rows.processing),
    waiting: [
      String(waiting),
      waiting === 0 ? 'nobody waits' : `${rows.queued} not called, ${rows.waiting} called before`,
    ],
    ended: String(rows.processed - reached),
    failed: [String(rows.failed), rows.left_out === 0 ? 'no row left out' : leftOut],
    bar: `${reached} reached, ${rows.processing} in a call, ${rows.queued} not called yet, ${rows.waiting} waiting for another call, ${rows.processed - reached} not reached, ${rows.failed} failed`,
    waits: waiting === 0 ? '' : n(waiting, 'waits', 'wait'),
    reasons: isOver(progress)
      ? []
      : [
          ...Object.entries(reasons).map(([reason, each]) => `${each.rows} ${reasonWords(reason)}`),
          ...(next === 0 ? [] : [`${next} ${reasonWords('next')}`]),
        ].toSorted(),
    finished: n(finished, 'finished row'),
    outcomes: Object.entries(outcomes)
      .map(([outcome, each]) => `${each} ${outcomeWords(outcome)}`)
      .toSorted(),
    leftOut: rows.left_out === 0 ? '' : leftOut,
  };
}

/** Sentences with numbers that are to be on the screen. */
function sentencesOf(progress: Progress): string[] {
  const { state, stop_mode: stopMode, rows } = progress;
  if (state === 'completed') return [`${n(rows.processed, 'contact')} finished, ${rows.failed} failed`];
  const areRead = sum(Object.values(rows)) > rows.left_out;
  if (stopMode !== null || !areRead || !['running', 'paused'].includes(state)) return [];
  const calls =
    state === 'paused'
      ? n(rows.processing, 'call continues', 'calls continue')
      : `${n(rows.processing, 'contact is', 'contacts are')} in a call`;
  const queued =
    rows.queued === 0 ? 'Everybody was called once' : `${n(rows.queued, 'was', 'were')} not called yet`;
  const again = rows.waiting === 0 ? '' : `; ${n(rows.waiting, 'waits', 'wait')} for another call`;
  return [
    rows.processing === 0 ? 'Nobody is in a call.' : `${calls}.`,
    waitingOf(progress) === 0 ? 'Nobody else is to be called.' : `${queued}${again}.`,
  ];
}

/**
 * How many are still to be called is said as soon as there is an estimate, while the campaign runs. Until all rows are
 * read, it is the number of contacts in the file.
 */
function isRestRight(progress: Progress, { rest }: Screen): boolean {
  const said = /^(\d+) (?:person is|people are) still to be called/.exec(rest)?.[1];
  if (said === undefined || progress.state !== 'running') return true;
  return progress.source_sync.status === 'completed'
    ? Number(said) === waitingOf(progress)
    : Number(said) > waitingOf(progress);
}

/** Whether a screen is that of an answer, in all numbers. */
export const isShown = (progress: Progress, screen: Screen): boolean =>
  isDeepStrictEqual(numbersOf(progress), screen.numbers) &&
  sentencesOf(progress).every((each) => screen.truth.includes(each)) &&
  isRestRight(progress, screen);

/** What the progress of a campaign that stands still is to count, by its rows. */
export function countsOf(
  all: readonly RowEnd[],
  file: { rows: number },
): Pick<Progress, 'rows' | 'outcomes'> {
  const of = (state: string) => all.filter((each) => each.state === state);
  const [open, ended] = [of('queued'), [...of('processed'), ...of('failed')]];
  return {
    rows: {
      queued: open.filter(({ attempts }) => attempts === 0).length,
      waiting: open.filter(({ attempts }) => attempts > 0).length,
      processing: of('processing').length,
      processed: of('processed').length,
      failed: of('failed').length,
      left_out: file.rows - all.length,
    },
    outcomes: Object.fromEntries(
      [...Map.groupBy(ended, ({ outcome }) => outcome ?? 'none')].map(([outcome, { length }]) => [
        outcome,
        length,
      ]),
    ),
  };
}

/** How a row of a paused or ended campaign is to be shown. */
export const shownRow = ({ row, state, outcome, attempts }: RowEnd): string[] => [
  String(row),
  state === 'queued' ? reasonWords('paused') : outcomeWords(outcome ?? ''),
  String(attempts),
];

/** In which way the numbers of an answer do not agree with each other. */
export function disagreementsOf(progress: Progress, file: { rows: number; leftOut: number }): string[] {
  const { rows, outcomes, state, stop_mode: stopMode, wait_reason: reason } = progress;
  const [because, waiting] = [reasonsOf(progress), waitingOf(progress)];
  // While somebody is being called and nothing holds the others, those whose turn is next have no reason.
  const mayBeNext = reason === null && stopMode === null && state === 'running';
  const faults = [
    ...(because === waiting || (mayBeNext && because < waiting)
      ? []
      : [`${because} rows have a reason, and ${waiting} wait`]),
    ...(sum(Object.values(outcomes)) === rows.processed + rows.failed
      ? []
      : [`the outcomes are not those of ${rows.processed + rows.failed} rows`]),
    ...(progress.source_sync.status !== 'completed' ||
    (sum(Object.values(rows)) === file.rows &&
      progress.total_rows === file.rows &&
      rows.left_out === file.leftOut)
      ? []
      : [`the file has ${file.rows} rows, ${file.leftOut} of them left out`]),
  ];
  return faults.map((each) => `${each}: ${JSON.stringify(progress)}`);
}

/** Screens that are not those of the last answer or of the one before, and answers that were not shown in time. */
export function wrongScreens({ answers, screens }: Seen): unknown[] {
  return [
    ...screens.flatMap(({ screen, answers: count }) => {
      const last = answers.slice(Math.max(0, count - 2), count);
      return last.some(({ body }) => isShown(body, screen)) ? [] : [{ screen, last }];
    }),
    ...answers.flatMap(({ body, left, isDropped }) =>
      left === null || isDropped || isShown(body, left) ? [] : [{ body, left }],
    ),
  ];
}

/**
 * For each pause, the milliseconds until the screen said so, and whether that was before a second answer came.
 * The first `/progress` that is asked for after the pause says that it is paused, or this throws.
 */
export function pausesShown({ answers, screens, pauses }: Seen): { ms: number; isAtOnce: boolean }[] {
  return pauses.map(({ at, asked }) => {
    const first = answers.findIndex((each) => each.asked > asked && !each.isDropped);
    if (answers[first]?.body.state !== 'paused')
      throw new Error(`the answer after the pause is ${JSON.stringify(answers[first])}`);
    const shown = screens.find(
      ({ screen }, index) =>
        screen.numbers.standing === 'Paused' && (screens[index + 1]?.at ?? Number.POSITIVE_INFINITY) > at,
    );
    if (shown === undefined) throw new Error('the pause was not shown');
    return { ms: Math.max(0, Math.round(shown.at - at)), isAtOnce: shown.answers <= first + 1 };
  });
}

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { buildConsole } from '../../tools/bootstrap/console-build.mjs';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import { newSignInLink } from '../../tools/bootstrap/sign-in-link.mjs';
import {
  contactFile,
  makeContacts,
  personasOf,
  retryPlan,
  rowsOfRun,
  scheduleOf,
  type Contact,
} from '../support/chaos/campaign-contacts.ts';
import { CampaignDesk } from '../support/chaos/campaign-desk.ts';
import { CampaignFleet } from '../support/chaos/campaign-fleet.ts';
import { pause } from '../support/chaos/caller.ts';
import { chooseCarrier } from '../support/chaos/choose-carrier.ts';
import {
  countsOf,
  disagreementsOf,
  isShown,
  numbersOf,
  othersPaused,
  pausesShown,
  Progress,
  rowsInView,
  seenIn,
  shownNow,
  shownRow,
  watchRoom,
  wrongScreens,
} from '../support/chaos/control-room.ts';
import { startConsoleWorld, type ConsoleTab, type ConsoleWorld } from '../support/console.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import { seededRandom } from '../support/seed.ts';

/**
 * The control room of a campaign in a browser while processes of every role die, at each of their points and at
 * random. The browser keeps every screen that it has shown and every answer that it got.
 */
const rows = Math.min(300, rowsOfRun(300));
const lines = 10;
/** Between two random kills. */
const betweenMs = { min: 8000, max: 14_000 };
const windowAfterMs = 60_000;
/** A call whose dial is in doubt ends a minute later. */
const endOfCallsMs = 240_000;
/** At rest the page reads the progress every five seconds. */
const restMs = 20_000;
/** Long enough for a page at rest to notice it. */
const apiAwayMs = 8000;

const tracePath = join(folder(statePath('test', 'logs')), 'control-room-roles.log');
const ofThisRun = folder(statePath('test', `run-${process.pid}`));
const random = seededRandom('control room');

let service: PhoneService;
let world: ConsoleWorld;
let desk: CampaignDesk;
let fleet: CampaignFleet;

beforeAll(async () => {
  await buildConsole();
  service = await startPhoneService({
    env: { PARLANCE_LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: folder(join(ofThisRun, 'compile-cache')) },
  });
  desk = new CampaignDesk(service);
  await desk.prepare({ numbers: lines });
  world = await startConsoleWorld({ service });
  await service.api.stop();
  fleet = new CampaignFleet({
    start: (_, env) => service.startRole('test/support/chaos/deadly-role.ts', env),
    random,
  });
  for (const role of ['api', 'worker', 'worker', 'media', 'media'] as const) await fleet.add(role);
  await desk.ready();
}, 300_000);

afterAll(async () => {
  fleet?.end();
  await world?.close();
  await service?.stop();
}, 120_000);

test('under kill -9 of workers, API and media hosts, every number of the control room is that of the progress and of the rows, the reasons add up to what waits, and a pause is shown at once', async () => {
  const contacts = makeContacts(rows, random);
  const id = await makeCampaign(contacts);
  const tab = await openRoom(id);
  const { page } = tab;
  const isOver = { value: false };
  let kills = Promise.resolve();
  try {
    await desk.verb('start');
    await eventually('all rows are read', async () => ((await desk.rows()).length > 0 ? true : undefined), {
      limitMs: 120_000,
      everyMs: 500,
    });
    await desk.suppress(written(contacts, 'suppressed_later'));
    kills = killAtRandom(isOver);
    // Lives of the API end at one of its points each, the last one when somebody changes the campaign.
    await eventually(
      'the API has died at each of its points',
      async () => {
        await desk.change({ max_concurrency: lines - Math.floor(random() * 2) });
        return fleet.remaining(['api']).length === 0 ? true : undefined;
      },
      { limitMs: 300_000, everyMs: 1000 },
    );
    await seeApiReturn(page);
    await press(page, 'Pause');
    await standsStill(page, contacts);
    await killApi(page);
    await standsStill(page, contacts);
    await press(page, 'Resume');

    await eventually('the middle', () => isInMiddle(contacts), { limitMs: 300_000, everyMs: 500 });
    fleet.killOne('worker');
    fleet.killOne('media');
    await desk.verb('pause');
    await othersPaused(page);
    await standsStill(page, contacts);
    await desk.verb('resume');
    await killApi(page);

    await eventually('only rows wait whose hours are closed', () => isAtEnd(contacts), {
      limitMs: 600_000,
      everyMs: 1000,
    });
    isOver.value = true;
    await kills;
    await desk.verb('stop', { mode: 'finish' });
    await eventually(
      'the completion',
      async () => ((await desk.progress()).state === 'completed' ? true : undefined),
      { limitMs: 120_000, everyMs: 500 },
    );
    await standsStill(page, contacts);
    await judge(page, contacts);
    expect(tab.complaints.filter((each) => !each.startsWith('Failed to load'))).toEqual([]);
  } catch (error) {
    writeFileSync(tracePath, service.logs());
    process.stderr.write(`control room: the logs of the roles are in ${tracePath}\n`);
    throw error;
  } finally {
    isOver.value = true;
    await kills;
  }
}, 1_800_000);

const written = (contacts: readonly Contact[], kind: Contact['kind']): string[] =>
  contacts.filter((each) => each.kind === kind).map((each) => each.written);

/** Rows of the file that the campaign does not have. */
const leftOutOf = (contacts: readonly Contact[]): number =>
  contacts.filter(({ kind }) => ['duplicate', 'invalid', 'suppressed'].includes(kind)).length;

async function makeCampaign(contacts: readonly Contact[]): Promise<number> {
  await chooseCarrier(service, { random, title: 'control room' });
  await desk.suppress(written(contacts, 'suppressed'));
  await desk.seatPersons(
    contacts
      .filter(({ kind }) => kind === 'callable')
      .map((contact) => ({ number: contact.written, personas: personasOf(contact) })),
  );
  const begunAt = Date.now();
  const windowAt = Math.ceil((begunAt + windowAfterMs) / 60_000) * 60_000;
  return await desk.create(contactFile(contacts), {
    max_concurrency: lines,
    circuit_breaker: { enabled: false },
    schedule_config: scheduleOf({ opensAt: windowAt, closesAt: windowAt }, begunAt),
    rules: {
      window_zone: 'contact',
      retry_plan: retryPlan,
      caps: { per_hour: null, per_day: null, per_week: null },
    },
  });
}

/** The room, opened by the user of the organization that has the campaign. */
async function openRoom(id: number): Promise<ConsoleTab> {
  const link = await newSignInLink({ apiUrl: '', databaseUrl: service.env['DATABASE_URL'] ?? '' });
  const tab = await world.open(link ?? '', { isSignedOut: true, width: 1440, height: 900 });
  const { page } = tab;
  await eventually('the sign-in', async () =>
    (await page.evaluate('"parlance.session" in localStorage')) === true ? true : undefined,
  );
  await watchRoom(page);
  await page.goto(`${service.apiUrl}/campaigns/${id}`);
  await page.locator('.campaign-truth', { hasText: 'Nobody has been called yet.' }).waitFor();
  return tab;
}

async function killAtRandom(isOver: { value: boolean }): Promise<void> {
  while (!isOver.value) {
    await pause(betweenMs.min + random() * (betweenMs.max - betweenMs.min));
    if (!isOver.value) fleet.killOne(random() < 0.5 ? 'worker' : 'media');
  }
}

const seeApiReturn = async (page: Page): Promise<void> => {
  await desk.ready();
  await page.locator('#away').waitFor({ state: 'detached' });
};

/** The page says that the API is away, and that it is back. */
async function killApi(page: Page): Promise<void> {
  await eventually(
    'an API that has worked for a while',
    () => fleet.killOne('api', { awayMs: apiAwayMs }) || undefined,
    { limitMs: 120_000 },
  );
  await page.locator('#away', { hasText: 'What you see is as of' }).waitFor();
  await seeApiReturn(page);
}

async function press(page: Page, verb: 'Pause' | 'Resume'): Promise<void> {
  await page.keyboard.press('s');
  await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Half of the rows have ended. */
async function isInMiddle(contacts: readonly Contact[]): Promise<true | undefined> {
  const { processed, failed } = (await desk.progress()).rows;
  return processed + failed > (contacts.length - leftOutOf(contacts)) / 2 ? true : undefined;
}

async function isAtEnd(contacts: readonly Contact[]): Promise<true | undefined> {
  const open = (await desk.rows()).filter(({ state }) => state === 'queued' || state === 'processing');
  return open.every(
    ({ row, state }) => state === 'queued' && ['closed', 'closes'].includes(contacts[row - 1]?.place ?? ''),
  )
    ? true
    : undefined;
}

/** After the last call, the screen has the numbers of the progress, and these are those of all rows. */
async function standsStill(page: Page, contacts: readonly Contact[]): Promise<void> {
  const progress = await eventually(
    'the last call ends',
    async () => {
      const now = Progress.parse(await desk.progress());
      return now.rows.processing === 0 ? now : undefined;
    },
    { limitMs: endOfCallsMs, everyMs: 500 },
  );
  const all = await desk.rows();
  const { state, outcomes, reasons } = progress;
  const { queued, waiting } = progress.rows;
  expect({ rows: progress.rows, outcomes, reasons }).toEqual({
    ...countsOf(all, { rows: contacts.length }),
    reasons: state === 'paused' ? { paused: { rows: queued + waiting, next_at: null } } : {},
  });
  const shown = async () => {
    const inView = await rowsInView(page);
    return { ...(await shownNow(page)), inView, expected: all.slice(0, inView.length).map(shownRow) };
  };
  // At rest the page asks less often.
  await eventually(
    'the screen stands still, too',
    async () => {
      const { inView, expected, ...screen } = await shown();
      return isShown(progress, screen) && isDeepStrictEqual(inView, expected) ? true : undefined;
    },
    { limitMs: restMs },
  ).catch(() => undefined);
  const { inView, expected, ...screen } = await shown();
  expect(screen.numbers).toEqual(numbersOf(progress));
  expect(inView).toEqual(expected);
  expect(inView.length).toBeGreaterThan(0);
  expect(isShown(progress, screen)).toBe(true);
}

/** What was shown all the time, and what the page was told. */
async function judge(page: Page, contacts: readonly Contact[]): Promise<void> {
  const seen = await seenIn(page);
  const pauses = pausesShown(seen);
  const { deaths } = fleet;
  process.stderr.write(
    `control room: ${rows} rows, ${seen.answers.length} answers and ${seen.screens.length} screens; deaths ${deaths.map(({ who, why }) => `${who} ${why}`).join(', ')}; pauses shown after ${pauses.map(({ ms }) => ms).join(' and ')} ms\n`,
  );
  const file = { rows: contacts.length, leftOut: leftOutOf(contacts) };
  expect(seen.answers.flatMap(({ body }) => disagreementsOf(body, file)).slice(0, 3)).toEqual([]);
  expect(wrongScreens(seen).slice(0, 3)).toEqual([]);
  expect(pauses.map(({ isAtOnce }) => isAtOnce)).toEqual([true, true]);
  expect(new Set(deaths.map(({ who }) => who))).toEqual(new Set(['api', 'worker', 'media']));
  const reasons = new Set(seen.answers.flatMap(({ body }) => Object.keys(body.reasons)));
  expect([...reasons]).toEqual(expect.arrayContaining(['outside_window', 'retry', 'paused']));
}

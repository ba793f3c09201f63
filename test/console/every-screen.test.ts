import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import {
  emptyScreens,
  fillConsole,
  filledScreens,
  linkScreens,
  type Screen,
  signedOutScreens,
} from '../support/console-screens.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleTab,
  type ConsoleWorld,
  type ViewOptions,
} from '../support/console.ts';
import { startReceiver, statuses, type Receiver } from '../support/receiver.ts';
import { isEverythingGenerated, seededRandom } from '../support/seed.ts';

let world: ConsoleWorld;
let receiver: Receiver;
/** The tests without data do not wait for it. */
let filled: Promise<readonly Screen[]>;

beforeAll(async () => {
  receiver = await startReceiver({ answer: statuses(503, 200) });
  world = await startConsoleWorld();
  filled = fillConsole(world, receiver).then(filledScreens);
  filled.catch(() => undefined); // each test that waits for it fails
});
afterAll(async () => {
  await Promise.allSettled([filled]);
  await world.close();
  await receiver.close();
});

interface View {
  theme: 'light' | 'dark';
  width: number;
}
const everyView: readonly View[] = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
];
const random = seededRandom('views');
const firstView = Math.floor(random() * everyView.length);
/** A usual run sees a screen in one view, and each view on a quarter of them; `npm run test:all` sees all. */
const viewsOf = (position: number): readonly View[] => {
  const at = (firstView + position) % everyView.length;
  return isEverythingGenerated ? everyView : everyView.slice(at, at + 1);
};

const firstScreen = Math.floor(random() * 40);
/** Every eighth or tenth screen in a usual run, all in `npm run test:all`. */
const everyNth = (n: 8 | 10, screens: readonly Screen[]): readonly Screen[] =>
  screens.filter((_, position) => isEverythingGenerated || position % n === firstScreen % n);

interface Visit {
  screens: readonly Screen[];
  options?: ViewOptions;
  /** Before the first screen. */
  prepare?: (tab: ConsoleTab) => Promise<unknown>;
  /** The faults of a screen in its present view. */
  faults: (tab: ConsoleTab, screen: Screen) => Promise<string[]>;
}

/** The faults of each screen in its views, by screen and view. */
async function visit({ screens, options, prepare, faults }: Visit) {
  const found: Record<string, string[]> = {};
  const tab = await world.open('/', options);
  const { page, settled, close } = tab;
  await page.locator('h1').waitFor();
  await prepare?.(tab);
  for (const [position, screen] of screens.entries()) {
    const { name, path, ready, act } = screen;
    const views = viewsOf(position);
    await page.setViewportSize({ width: views[0]?.width ?? 1280, height: 800 });
    await page.goto(`${world.service.apiUrl}${path}`);
    await page.locator(ready).first().waitFor();
    await act?.(page);
    await settled();
    for (const { theme, width } of views) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate(`(async () => {
        // A page that asks for the window's width draws itself anew after a frame.
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        await Promise.allSettled(document.getAnimations().map((each) => each.finished));
      })()`);
      const present = await faults(tab, screen);
      if (present.length > 0) found[`${name} ${theme} ${width}`] = present;
    }
  }
  await close();
  return found;
}

/** The screen as it opens. */
const untouched = ({ name, path, ready }: Screen): Screen => ({ name, path, ready });

/** Accessibility, layout, and what the browser complained about since the last look. */
const allFaults = async ({ page, complaints }: ConsoleTab, { expects }: Screen): Promise<string[]> => [
  ...(await accessibilityFaults(page)),
  ...(await layoutFaults(page)),
  ...complaints.splice(0).filter((each) => expects?.test(each) !== true),
];

test.concurrent('the pages of people who are not signed in have no accessibility fault, fit the window and complain about nothing', async () => {
  const options = { isSignedOut: true };
  const screens = [...signedOutScreens, ...(await linkScreens(world))];
  expect(await visit({ screens, options, faults: allFaults })).toEqual({});
});

test.concurrent('every screen without data has no accessibility fault, fits the window and complains about nothing', async () => {
  const { session } = await world.newUser();
  expect(
    await visit({ screens: everyNth(8, emptyScreens), options: { session }, faults: allFaults }),
  ).toEqual({});
});

test.concurrent('every screen with data has no accessibility fault, fits the window and complains about nothing', async () => {
  expect(await visit({ screens: everyNth(8, await filled), faults: allFaults })).toEqual({});
});

const failing = (status: number) => async (route: Route) =>
  await route.fulfill({ status, headers: { 'x-request-id': 'f00d' }, json: { detail: 'It broke' } });
/** Ways in which the API fails, and what screens say then. */
const failures = [
  ['is away', async (route: Route) => await route.abort(), /cannot be reached/],
  ['answers 500', failing(500), /It broke[^]*Copy request ID/],
  ['answers 403', failing(403), /Not for your role[^]*Copy request ID/],
  ['answers 404', failing(404), /Not found[^]*Copy request ID/],
] as const;
const usualFailure = Math.floor(random() * failures.length);
test.concurrent.each(isEverythingGenerated ? failures : failures.slice(usualFailure, usualFailure + 1))(
  'a screen says so while the API %s, without an accessibility fault, and fits the window',
  async (_how, fail, words) => {
    const special = (await filled).filter(({ name }) => ['call', 'editor', 'versions'].includes(name));
    const failed = [...emptyScreens, ...special].map(({ name, path, isFixed = false }) => ({
      name,
      path,
      isFixed,
      ready: 'h1, [role=alert]',
      expects: /ERR_FAILED|status of (500|403|404)/, // what the browser says of the requests
    }));
    const faults = async (tab: ConsoleTab, screen: Screen): Promise<string[]> => {
      const said = screen.isFixed === true ? null : tab.page.getByText(words).first();
      const isSaid = await said?.waitFor().then(
        () => true,
        () => false,
      );
      return [
        ...(isSaid === false ? [`does not say ${words.source}`] : []),
        ...(await allFaults(tab, screen)),
      ];
    };
    const prepare = async ({ page }: ConsoleTab) => await page.route('**/api/v1/**', fail);
    expect(await visit({ screens: everyNth(10, failed), prepare, faults })).toEqual({});
  },
);

const locales = [
  ['longer words', 'en-XA'],
  ['a mirrored page', 'ar'],
] as const;
const usual = Math.floor(random() * locales.length);
test.concurrent.each(isEverythingGenerated ? locales : locales.slice(usual, usual + 1))(
  'a screen has room for %s',
  async (_what, locale) => {
    const faults = async ({ page }: ConsoleTab) => await layoutFaults(page);
    const read = (await filled).map(untouched);
    expect(await visit({ screens: everyNth(10, read), options: { locale }, faults })).toEqual({});
  },
);

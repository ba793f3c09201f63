import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { emptyScreens, fillConsole, filledScreens, type Screen } from '../support/console-screens.ts';
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

jest.setTimeout(240_000);

let world: ConsoleWorld;
let receiver: Receiver;
let screens: readonly Screen[];

beforeAll(async () => {
  receiver = await startReceiver({ answer: statuses(503, 200) });
  world = await startConsoleWorld();
  screens = filledScreens(await fillConsole(world, receiver));
}, 240_000);
afterAll(async () => {
  await world.close();
  await receiver.close();
}, 60_000);

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
/** A usual run sees two views, which differ in theme and width; `npm run test:all` sees all. */
const views = isEverythingGenerated ? everyView : everyView.slice(0, 2);
const random = seededRandom('views');
const chosen = Math.floor(random() * everyView.length);
/** Screens with less on them: a usual run sees one view. */
const oneView = isEverythingGenerated ? everyView : everyView.slice(chosen, chosen + 1);

interface Visit {
  screens: readonly Screen[];
  options?: ViewOptions;
  /** Before the first screen. */
  prepare?: (tab: ConsoleTab) => Promise<unknown>;
  /** The faults of a screen in its present view. */
  faults: (tab: ConsoleTab) => Promise<string[]>;
  views: readonly View[];
}

/** The faults of each screen in each view, by screen and view. */
async function visit({ screens: visited, options, prepare, faults, views: seen }: Visit) {
  const found: Record<string, string[]> = {};
  const tab = await world.open('/', options);
  const { page, close } = tab;
  await page.locator('h1').waitFor();
  await prepare?.(tab);
  for (const { name, path, ready, act } of visited) {
    await page.goto(`${world.service.apiUrl}${path}`);
    await page.locator(ready).first().waitFor();
    await act?.(page);
    await page.waitForLoadState('networkidle');
    for (const { theme, width } of seen) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))');
      const present = await faults(tab);
      if (present.length > 0) found[`${name} ${theme} ${width}`] = present;
    }
  }
  await close();
  return found;
}

/** The screen as it opens. */
const untouched = ({ name, path, ready }: Screen): Screen => ({ name, path, ready });

/** Accessibility, layout, and what the browser complained about since the last look. */
const allFaults = async ({ page, complaints }: ConsoleTab): Promise<string[]> => [
  ...(await accessibilityFaults(page)),
  ...(await layoutFaults(page)),
  ...complaints.splice(0),
];

test('every screen with data has no accessibility fault, fits the window and complains about nothing', async () => {
  expect(await visit({ screens, faults: allFaults, views })).toEqual({});
});

test('every screen without data has no accessibility fault, fits the window and complains about nothing', async () => {
  const session = await world.signUp('new@brightsmile.example');
  expect(
    await visit({ screens: emptyScreens, options: { session }, faults: allFaults, views: oneView }),
  ).toEqual({});
});

test('every screen says so while the API is away, without an accessibility fault, and fits the window', async () => {
  const special = screens.filter(({ name }) => ['call', 'editor', 'versions'].includes(name));
  const away = [...emptyScreens, ...special].map((each) => ({
    name: each.name,
    path: each.path,
    ready: 'h1, [role=alert]',
  }));
  const faults = async (tab: ConsoleTab): Promise<string[]> => {
    const all = await allFaults(tab);
    return all.filter((each) => !each.includes('ERR_FAILED')); // what the browser says of the lost requests
  };
  const prepare = async ({ page }: ConsoleTab) =>
    await page.route('**/api/v1/**', async (route) => await route.abort());
  expect(await visit({ screens: away, prepare, faults, views: oneView })).toEqual({});
});

const locales = [
  ['longer words', 'en-XA'],
  ['a mirrored page', 'ar'],
] as const;
const usual = Math.floor(random() * locales.length);
test.each(isEverythingGenerated ? locales : locales.slice(usual, usual + 1))(
  'every screen has room for %s',
  async (_what, locale) => {
    const faults = async ({ page }: ConsoleTab) => await layoutFaults(page);
    const read = screens.map(untouched);
    expect(await visit({ screens: read, options: { locale }, faults, views: oneView })).toEqual({});
  },
);

import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  emptyScreens,
  fillConsole,
  filledScreens,
  firstCallScreens,
  linkScreens,
  type Screen,
  signedOutScreens,
} from '../../test/support/console-screens.ts';
import { startConsoleService } from '../../test/support/console-service.ts';
import { startConsoleWorld, type ConsoleWorld, type ViewOptions } from '../../test/support/console.ts';
import { startReceiver, statuses } from '../../test/support/receiver.ts';

/**
 * Pictures of every screen of the console with data and without, light and dark, at three widths, in
 * `.parlance/screenshots/console`. A part of a screen's name as argument takes only those.
 */
const folder = join(import.meta.dirname, '../../.parlance/screenshots/console');
const wanted = process.argv[2] ?? '';
const sizes = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const views = (['light', 'dark'] as const).flatMap((theme) => sizes.map((size) => ({ theme, ...size })));

/** The pictures of docs/console.md, docs/campaign-managers.md and README. */
const inDocs = new Map([
  ['first-run-ring', 'light'],
  ['home', 'light'],
  ['agents', 'light'],
  ['agent-new', 'light'],
  ['editor', 'dark'],
  ['editor-test', 'light'],
  ['versions', 'light'],
  ['calls', 'light'],
  ['call', 'light'],
  ['webhooks', 'light'],
  ['contacts-checked', 'light'],
  ['campaign-new', 'light'],
  ['campaign', 'light'],
]);
const images = join(import.meta.dirname, '../../docs/images');

mkdirSync(folder, { recursive: true });
const receiver = await startReceiver({ answer: statuses(503, 200) });
const service = await startConsoleService();
try {
  const world = await startConsoleWorld({ service, mark: '' });
  try {
    const fresh = { session: await world.signUp('new@brightsmile.example') };
    await takePictures(
      world,
      emptyScreens.map((each) => ({ ...each, name: `empty-${each.name}` })),
      fresh,
    );
    const byLink = await linkScreens(world);
    await takePictures(world, [...signedOutScreens, ...byLink], { isSignedOut: true });
    await takePictures(world, [...filledScreens(await fillConsole(world, receiver)), ...firstCallScreens]);
  } finally {
    await world.close();
  }
} finally {
  await service.stop();
  await receiver.close();
}

async function takePictures(
  world: ConsoleWorld,
  screens: readonly Screen[],
  options: ViewOptions = {},
): Promise<void> {
  for (const { name, path, ready, act } of screens.filter(({ name }) => name.includes(wanted)))
    for (const { theme, width, height } of views) {
      const { page, complaints, settled, close } = await world.open(path, {
        ...options,
        theme,
        width,
        height,
      });
      try {
        await page.locator(ready).first().waitFor();
        await act?.(page);
      } catch (error) {
        process.stderr.write(`${name} ${theme} ${width}: ${String(error).slice(0, 300)}\n`);
      }
      await settled();
      // What was asked for last is drawn a frame later.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      const file = join(folder, `${name}-${theme}-${width}.png`);
      await page.screenshot({ path: file });
      if (width === 1280 && inDocs.get(name) === theme)
        copyFileSync(file, join(images, `console-${name}.png`));
      for (const each of complaints) process.stderr.write(`${name} ${theme} ${width}: ${each}\n`);
      await close();
    }
}

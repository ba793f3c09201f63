import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import { fillConsole } from '../support/console-screens.ts';
import { startConsoleWorld, type ConsoleWorld } from '../support/console.ts';
import { startReceiver, statuses, type Receiver } from '../support/receiver.ts';

jest.setTimeout(600_000);
let world: ConsoleWorld;
let receiver: Receiver;
beforeAll(async () => {
  mkdirSync('/tmp/w/shots-d', { recursive: true });
  receiver = await startReceiver({ answer: statuses(503, 200) });
  world = await startConsoleWorld();
}, 240_000);
afterAll(async () => {
  await world.close();
  await receiver.close();
}, 240_000);

test('pictures', async () => {
  const data = await fillConsole(world, receiver);
  const first = data.calls as unknown as Record<string, { agentId: number; runId: number }>;
  console.log(JSON.stringify(first), JSON.stringify(data.campaigns));
  await world.ask('PUT', '/organizations/preferences', { timezone: 'America/New_York' });
  const shots: [string, string][] = [
    ['home', '/'],
    ['agents', '/agents'],
    ['calls', '/calls'],
    ['nocalls', '/calls?q=dur%3A%3E600%20channel%3Aphone'],
    ['campaigns', '/campaigns'],
    ['blocked', '/contacts/blocked'],
    ['contacts', '/contacts'],
    ['telephony', '/telephony'],
    ['webhooks', '/webhooks'],
    ['reports', '/reports'],
    ['appearance', '/settings?tab=appearance'],
    ['organization', '/settings?tab=organization'],
    ['welcome', '/welcome?template=1'],
  ];
  for (const width of [1440, 390])
    for (const theme of ['light', 'dark'] as const) {
      const { page, close } = await world.open('/', { width, theme, height: 900 });
      for (const [name, path] of shots) {
        await page.goto(`${world.service.apiUrl}${path}`);
        await page.waitForTimeout(1500);
        await page.screenshot({ path: `/tmp/w/shots-d/${name}-${width}-${theme}.png` });
        if (name === 'calls') {
          await page.keyboard.press('j');
          await page.keyboard.press('p');
          await page.waitForTimeout(800);
          await page.screenshot({ path: `/tmp/w/shots-d/calls-shown-${width}-${theme}.png` });
          await page.keyboard.press('o');
          await page.waitForTimeout(2000);
          await page.screenshot({ path: `/tmp/w/shots-d/call-${width}-${theme}.png` });
          await page.keyboard.press('?');
          await page.waitForTimeout(800);
          await page.screenshot({ path: `/tmp/w/shots-d/help-${width}-${theme}.png` });
          await page.keyboard.press('Escape');
          await page.waitForTimeout(2500);
          const bell = page.locator('.bell-button');
          if ((await bell.count()) > 0) await bell.click();
          await page.waitForTimeout(1200);
          await page.screenshot({ path: `/tmp/w/shots-d/bell-${width}-${theme}.png` });
        }
        if (name === 'webhooks' && width === 1440) {
          const view = page.getByRole('button', { name: 'Columns and density' }).first();
          if ((await view.count()) > 0) {
            await view.click();
            await page.waitForTimeout(500);
            await page.screenshot({ path: `/tmp/w/shots-d/chooser-${width}-${theme}.png` });
            await page.keyboard.press('Escape');
          }
        }
      }
      await close();
      const out = await world.open('/', { width, theme, height: 900, isSignedOut: true });
      await out.page.waitForTimeout(1000);
      await out.page.screenshot({ path: `/tmp/w/shots-d/sign-in-${width}-${theme}.png` });
      await out.close();
    }
});

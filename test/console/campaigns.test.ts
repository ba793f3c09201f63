import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { connectCarrier } from '../support/console-calls.ts';
import {
  campaignPhone,
  givePersonas,
  makeCaller,
  settled,
  uploadContacts,
} from '../support/console-campaigns.ts';
import { startConsoleWorld, type ConsoleTab, type ConsoleWorld } from '../support/console.ts';
import { until } from '../support/until.ts';

let world: ConsoleWorld;
let campaignId: number;
let agentId: number;

const Made = z.looseObject({ id: z.int() });
const Progress = z.looseObject({
  state: z.string(),
  stop_mode: z.string().nullable(),
  rows: z.object({
    queued: z.int(),
    waiting: z.int(),
    processing: z.int(),
    processed: z.int(),
    failed: z.int(),
    left_out: z.int(),
  }),
});
const Rows = z.object({ rows: z.array(z.looseObject({ reason: z.string().nullable() })) });
const progressOf = async (id: number) => Progress.parse(await world.ask('GET', `/campaign/${id}/progress`));

beforeAll(async () => {
  world = await startConsoleWorld();
  await connectCarrier(world);
  await world.ask('PUT', '/organizations/dial-policy', { starts_per_second: 20 });
  const rows = [60, 61, 62, 63];
  await givePersonas(world, [...rows, 65]);
  agentId = await makeCaller(world);
  ({ id: campaignId } = Made.parse(
    await world.ask('POST', '/campaign/create', {
      name: 'Spring recall',
      workflow_id: agentId,
      source_type: 'csv',
      source_id: await uploadContacts(world, 'spring.csv', rows),
      circuit_breaker: { enabled: false },
      rules: {},
    }),
  ));
  await world.ask('POST', `/campaign/${campaignId}/start`, {});
  await settled(world, campaignId, 'running');
});
afterAll(async () => await world.close());

async function closeClean({ complaints, close }: ConsoleTab): Promise<void> {
  expect(complaints).toEqual([]);
  await close();
}

/** The number of a figure as the page shows it. */
const figure = async (page: Page, id: string): Promise<number> =>
  Number(await page.locator(`[data-figure="${id}"] .campaign-number`).textContent());

const numbersOf = (counts: number[]): string => counts.toSorted((one, other) => one - other).join();

/** How many rows wait for each reason. */
async function reasonsOf(id: number): Promise<number[]> {
  const { rows } = Rows.parse(await world.ask('GET', `/campaign/${id}/rows?state=queued&limit=100`));
  return [...Map.groupBy(rows, ({ reason }) => reason).values()].map(({ length }) => length);
}

/** Waits until the figures of the page are those of the API. */
async function figuresAgree(page: Page): Promise<void> {
  const { rows } = await progressOf(campaignId);
  await page
    .locator('[data-figure="waiting"] .campaign-number', { hasText: String(rows.queued + rows.waiting) })
    .waitFor();
  await page.locator('[data-figure="failed"] .campaign-number', { hasText: String(rows.failed) }).waitFor();
  expect((await figure(page, 'reached')) + (await figure(page, 'ended'))).toBe(rows.processed);
  expect(await figure(page, 'calls')).toBe(rows.processing);
}

test('the list leads to the control room, whose figures and reasons are those of the API, and a row shows its calls', async () => {
  const tab = await world.open('/campaigns');
  const { page } = tab;
  // The estimate is asked for less often than the figures, so its rows are those of some seconds ago.
  await page.route(`**/campaign/${campaignId}/estimate`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), rows: 99 } });
  });
  const row = page.getByRole('row', { name: /Spring recall/ });
  await row.getByText('Running').waitFor();
  await row.getByText('Everybody left waits for a retry').waitFor();
  await row.getByRole('link', { name: /Spring recall/ }).click();
  await page.locator('.campaign-truth', { hasText: 'Nobody is in a call.' }).waitFor();
  await figuresAgree(page);
  const { rows: now } = await progressOf(campaignId);
  await page.getByText(new RegExp(`^${now.queued + now.waiting} people are still to be called`)).waitFor();
  const retries = page.locator('.whys > li', { hasText: 'Retry is not due yet' });
  await retries.waitFor();
  await until('the reasons of the API', async () => {
    const shown = (await page.locator('.whys b').allTextContents()).map(Number);
    return numbersOf(shown) === numbersOf(await reasonsOf(campaignId));
  });
  await page.getByRole('link', { name: /^Row 1 / }).click();
  const panel = page.getByRole('complementary', { name: 'Row 1' });
  await panel.getByRole('link', { name: 'Open call 1' }).waitFor();
  await panel.getByText('Values of the file').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const waiting = Number(await retries.locator('b').textContent());
  await retries.getByRole('link', { name: 'Retry is not due yet' }).click();
  await page.locator(`.campaign-scroll table[aria-rowcount="${waiting + 1}"]`).waitFor();
  expect(new URL(page.url()).searchParams.get('reason')).toBe('retry');
  await page.goto(`${world.service.apiUrl}/campaigns/${campaignId}?state=failed`);
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await closeClean(tab);
});

test('home says of a campaign what the list says, and a link to a row leads to that row, also on a phone', async () => {
  const tab = await world.open('/campaigns');
  const { page } = tab;
  const progress = await page
    .locator('tr', { hasText: 'Spring recall' })
    .locator('.campaign-progress')
    .innerText();
  await page.goto(world.service.apiUrl);
  const card = page.locator('.camp', { hasText: 'Spring recall' });
  await card.getByText(progress).waitFor();
  await card.getByText('Running').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${world.service.apiUrl}/campaigns/${campaignId}?row=1`);
  await page.getByRole('complementary', { name: 'Row 1' }).waitFor();
  const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? NaN;
  await until('the row to be in view', async () => {
    const top = await topOf('.campaign-side');
    return top > 0 && top < 600;
  });
  expect(await topOf('.bar')).toBe(0);
  await closeClean(tab);
});

test('a campaign is paused and resumed with the keyboard alone, changed while it runs, and stopped', async () => {
  const tab = await world.open(`/campaigns/${campaignId}`);
  const { page } = tab;
  await page.locator('.campaign-rows tbody tr').first().waitFor();
  const confirm = async (name: string) => {
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await page.keyboard.press('s');
  await page.getByText('contacts wait until you resume').waitFor();
  await confirm('Pause');
  await page.locator('.campaign-truth', { hasText: 'Paused.' }).waitFor();
  expect((await progressOf(campaignId)).state).toBe('paused');
  await figuresAgree(page);
  await page.keyboard.press('s');
  await confirm('Resume');
  await page.locator('.campaign-truth', { hasText: 'Everybody left waits for a retry' }).waitFor();
  expect((await progressOf(campaignId)).state).toBe('running');

  await page.getByRole('button', { name: 'Change retries' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Change Spring recall' });
  await dialog.getByLabel('Wait after: No answer').fill('3 h');
  await page.keyboard.press('Tab');
  await dialog.getByText('3 h · another part of the day · at most 3').waitFor();
  // Somebody else is faster, after the dialog has looked whether anybody was.
  let isOvertaken = false;
  await page.route(`**/campaign/${campaignId}`, async (route) => {
    if (route.request().method() === 'PATCH' && !isOvertaken) {
      isOvertaken = true;
      await world.ask('PATCH', `/campaign/${campaignId}`, { rules: { weight: 3 } });
    }
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click();
  await dialog.getByRole('list', { name: 'Changes of others' }).getByText('Weight').waitFor();
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { rules } = z
    .looseObject({
      rules: z.looseObject({ weight: z.int(), retry_plan: z.looseObject({ no_answer: z.unknown() }) }),
    })
    .parse(await world.ask('GET', `/campaign/${campaignId}`));
  expect(rules.weight).toBe(3);
  expect(rules.retry_plan.no_answer).toEqual({
    waits_seconds: [10_800],
    max_retries: 3,
    other_part_of_day: true,
  });

  await page.getByRole('button', { name: 'Stop…' }).click();
  await page.getByRole('radio', { name: 'Hang up calls' }).click();
  await page.getByRole('button', { name: 'Stop, hang up' }).click();
  await page.locator('.campaign-truth', { hasText: 'Stopped.' }).waitFor();
  expect(await progressOf(campaignId)).toMatchObject({ state: 'completed', stop_mode: 'hang_up' });
  await figuresAgree(page);
  // The browser names the change that came too late.
  expect(tab.complaints.filter((each) => !each.includes('status of 412'))).toEqual([]);
  await tab.close();
});

test('a new campaign says what it will do, shows a refusal at its field, and is created', async () => {
  const tab = await world.open('/campaigns/new');
  const { page } = tab;
  await page.getByRole('textbox', { name: 'Name' }).fill('Summer recall');
  await page.getByRole('button', { name: /Directory/ }).click();
  await page.getByRole('option', { name: 'spring.csv' }).click();
  await page
    .getByRole('button', { name: /^Choose an agent|Agent/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'Appointment recall' }).click();
  await page.getByText('by Appointment recall:').waitFor();
  await page.getByText(/everybody has been called once/).waitFor();
  await page.getByText(/^1 line, because there is 1 number/).waitFor();
  await page.getByText('“Hello Maria Liu.”').waitFor();
  await page.getByRole('button', { name: 'Next contact' }).click();
  await page.getByText('“Hello Samuel Walsh.”').waitFor();
  await page.getByRole('button', { name: 'Call me with row 2' }).click();
  const mine = page.getByRole('dialog', { name: 'Call me with row 2' });
  await mine.getByRole('textbox', { name: /number/i }).fill(campaignPhone(65));
  await mine.getByRole('button', { name: 'Call now', exact: true }).click();
  await mine.getByRole('button', { name: 'Call again' }).waitFor();
  await mine.getByRole('button', { name: 'Close' }).last().click();
  const { runs } = z
    .object({
      runs: z.array(z.looseObject({ campaign_id: z.int().nullable(), initial_context: z.looseObject({}) })),
    })
    .parse(await world.ask('GET', `/workflow/${agentId}/runs?limit=1`));
  expect(runs[0]).toMatchObject({ campaign_id: null, initial_context: { name: 'Samuel Walsh' } });
  // The hours: days are chosen, painted with the mouse, and typed.
  const day = (name: string) => page.getByRole('group', { name, exact: true });
  await page.getByRole('button', { name: 'Weekdays 9–20' }).click();
  await day('Mon').getByText('Mon', { exact: true }).click();
  await day('Mon').getByText('closed').waitFor();
  await page.getByLabel('Tue until').fill('13:30');
  const bar = day('Sat').locator('.week-bar');
  await bar.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (hour: number) => [x + ((hour + 0.5) / 24) * width, y + height / 2] as const;
  await page.mouse.move(...at(10));
  await page.mouse.down();
  await page.mouse.move(...at(12), { steps: 4 });
  await page.mouse.up();
  await page.getByLabel('Sat until').waitFor();
  await page.getByLabel('Lines', { exact: true }).fill('9');
  await page.keyboard.press('Tab');
  await page.getByText('9 lines need 9 numbers, and there are 1.').waitFor();
  await page.getByRole('button', { name: 'Create without starting' }).click();
  await page.getByText(/^max_concurrency is 9/).waitFor();
  await page.getByLabel('Lines', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Create without starting' }).click();
  await page.locator('.campaign-truth', { hasText: 'Nobody has been called yet.' }).waitFor();
  const { campaigns } = z
    .object({ campaigns: z.array(z.looseObject({ name: z.string(), max_concurrency: z.int().nullable() })) })
    .parse(await world.ask('GET', '/campaign/'));
  expect(campaigns[0]).toMatchObject({
    name: 'Summer recall',
    max_concurrency: 1,
    state: 'created',
    schedule_config: {
      slots: [
        { day_of_week: 1, start_time: '09:00', end_time: '13:30' },
        ...[2, 3, 4].map((weekday) => ({
          day_of_week: weekday,
          start_time: '09:00',
          end_time: '20:00',
        })),
        { day_of_week: 5, start_time: '10:00', end_time: '13:00' },
      ],
    },
  });
  await tab.close(); // the browser reports the refused request as an error
});

test('what keeps a campaign from calling is said with its way out; all dialing stops and resumes; several are paused at once; some are redialed', async () => {
  const { ask, open } = await world.newUser();
  const people = [70, 71, 72];
  await givePersonas(world, people);
  await connectCarrier({ ...world, ask, mark: `${world.mark}-held` });
  await ask('PUT', '/organizations/dial-policy', { starts_per_second: 20 });
  const agent = await makeCaller({ ask });
  const never = { waits_seconds: [60], max_retries: 0 };
  const create = async (name: string, file: string, more: object = {}) =>
    Made.parse(
      await ask('POST', '/campaign/create', {
        name,
        workflow_id: agent,
        source_type: 'csv',
        source_id: await uploadContacts({ ask }, file, people),
        circuit_breaker: { enabled: false },
        rules: { retry_plan: { no_answer: never, busy: never, declined: never } },
        ...more,
      }),
    ).id;
  const progress = async (id: number) => Progress.parse(await ask('GET', `/campaign/${id}/progress`));

  // Everybody of this one is called once, and it is over.
  const done = await create('Done', 'done.csv');
  await ask('POST', `/campaign/${done}/start`, {});
  await settled({ ask }, done, 'completed');
  // In Washington it is never between nine and ten when it is in Tokyo.
  const slots = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
    day_of_week,
    start_time: '09:00',
    end_time: '10:00',
  }));
  await ask('PUT', '/organizations/dial-policy', { window: { slots } });
  const closed = await create('Closed', 'closed.csv', {
    schedule_config: { enabled: true, timezone: 'Asia/Tokyo', slots },
  });
  await ask('POST', `/campaign/${closed}/start`, {});
  await until('its hours to hold it', async () => (await progress(closed)).state === 'paused');
  await ask('PUT', '/organizations/dial-policy', { window: null });
  // Of this one nobody is called for now: one dial in each hundred seconds.
  const slow = await create('Slow', 'slow.csv', { rules: { starts_per_second: 0.01 } });
  await ask('POST', `/campaign/${slow}/start`, {});
  await until('it to run', async () => (await progress(slow)).state === 'running');

  const tab = await open(`/campaigns/${closed}`);
  const { page } = tab;
  await page
    .locator('.campaign-truth', { hasText: 'Paused. Nobody is in a call. Its calling hours never open.' })
    .waitFor();
  await page.locator('.whys').getByRole('button', { name: 'Extend hours' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Closed' });
  await dialog.getByText('Call at any hour that the organization allows').click();
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click();
  await dialog.waitFor({ state: 'detached' });

  // The list is read in pages and narrowed by the server.
  const isList = (url: URL) => url.pathname.endsWith('/campaign/') && url.searchParams.has('limit');
  await page.route(isList, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    await route.continue({ url: String(url) });
  });
  await page.goto(`${world.service.apiUrl}/campaigns`);
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('Slow').getByText('slow.csv').waitFor();
  await row('Done').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.keyboard.press('/');
  await page.keyboard.type('slow.csv');
  await page.getByRole('status').getByText('1 campaign', { exact: true }).waitFor();
  await row('Done').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'All states' }).click();
  await page.getByRole('option', { name: 'Completed' }).click();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('status').getByText('3 campaigns', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Filter campaigns' }).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Stop all dialing' }).click();
  await page.getByRole('button', { name: 'Stop, finish calls' }).click();
  const stopped = page.getByText('Dialing is stopped for this organization.');
  await stopped.waitFor();
  await page.getByRole('button', { name: 'Resume dialing' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume dialing' }).click();
  await stopped.waitFor({ state: 'detached' });
  for (const name of ['Slow', 'Closed']) {
    await page.getByRole('checkbox', { name: `Choose ${name}` }).focus();
    await page.keyboard.press('Space');
  }
  await page.getByRole('button', { name: 'Pause 1' }).click();
  await page.getByText('1 campaign is paused').waitFor();
  expect((await progress(slow)).state).toBe('paused');

  // Of what the page asks after somebody else has resumed and paused it, one answer is enough.
  await ask('POST', `/campaign/${slow}/resume`, {});
  await page.goto(`${world.service.apiUrl}/campaigns/${slow}`);
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  const shown = Promise.withResolvers<void>();
  let [isPaused, asked] = [false, 0];
  await page.route(`**/campaign/${slow}/progress`, async (route) => {
    if (isPaused && ++asked > 1) await shown.promise;
    await route.continue();
  });
  await ask('POST', `/campaign/${slow}/pause`, {});
  isPaused = true;
  await page.locator('.campaign-truth', { hasText: 'Paused.' }).waitFor();
  shown.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await page.locator('.campaign-log', { hasText: 'The campaign was paused · Ana Ruiz' }).waitFor();

  // It fails when its agent is gone.
  await ask('POST', `/campaign/${slow}/resume`, {});
  await ask('PUT', `/workflow/${agent}/status`, { status: 'archived' });
  // It looks around at a change, unless it has done so already and is over.
  await ask('PATCH', `/campaign/${slow}`, { name: 'Slow and lost' }).catch(() => undefined);
  await page
    .locator('.campaign-truth', { hasText: 'The campaign cannot continue.' })
    .getByText('The agent was archived, so no more calls are made')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(0);
  await ask('PUT', `/workflow/${agent}/status`, { status: 'active' });

  await page.goto(`${world.service.apiUrl}/campaigns/${done}?outcome=busy`);
  await page.locator('.campaign-scroll table[aria-rowcount="2"]').waitFor();
  await page.getByRole('searchbox', { name: 'Number' }).fill(campaignPhone(70));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await page.getByRole('button', { name: 'Redial…' }).click();
  const again = page.getByRole('dialog', { name: 'Redial' });
  await again.getByText(/^No answer/).click();
  await again.getByRole('button', { name: 'Create redial' }).click();
  await page.locator('.campaign-truth', { hasText: 'Nobody has been called yet.' }).waitFor();
  const made = Number(new URL(page.url()).pathname.split('/').at(-1));
  expect((await progress(made)).rows.queued).toBe(1);
  await closeClean(tab);
});

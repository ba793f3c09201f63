import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { connectCarrier, makeCalls, say, type MadeCall, type MadeCalls } from '../support/console-calls.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleTab,
  type ConsoleWorld,
} from '../support/console.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

// A story opens several pages, and a busy machine takes seconds for each.

let world: ConsoleWorld;
let receiver: Receiver;
let calls: MadeCalls;

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answerWith(() => ({ kind: 'answer', status: 503, body: 'The database is busy' }));
  world = await startConsoleWorld();
  await connectCarrier(world);
  calls = await makeCalls(world, `${receiver.url}/result`);
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

const byText = (one: string, other: string): number => one.localeCompare(other);

const pathOf = ({ agentId, runId }: MadeCall) => `/calls/${agentId}/${runId}`;

const read = ({ agentId, runId }: MadeCall) => world.ask('GET', `/workflow/${agentId}/runs/${runId}`);
const Judged = z.looseObject({
  annotations: z.looseObject({ qa_quality: z.looseObject({ score: z.number() }) }),
});

/** Waits until the list has as many calls. */
async function rows(page: Page, wanted: number): Promise<void> {
  await page.locator(`table[aria-rowcount="${wanted + 1}"]`).waitFor();
}

/** Chooses days by a drag and by the keyboard, and all days again. */
async function chooseDays(page: Page): Promise<void> {
  const q = () => new URL(page.url()).searchParams.get('q');
  const days = page.getByRole('group', { name: 'Calls per day' });
  await days.getByText('4 calls in the last 30 days').waitFor();
  const box = await days.locator('.volume-days').boundingBox();
  if (box === null) throw new Error('The days are not drawn');
  await page.mouse.move(box.x + box.width * (2.5 / 30), box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x - 20, box.y + 10);
  await page.mouse.up();
  await days.getByText(/^0 calls, /).waitFor();
  await page.getByText('Nothing matches these filters').waitFor();
  expect(q()).toMatch(/^after:\S+ before:\S+$/);
  await days.getByRole('slider', { name: 'Last day' }).focus();
  await page.keyboard.press('End');
  await rows(page, 4);
  expect(q()).toMatch(/^after:\S+$/);
  expect(await days.getByRole('row').count()).toBe(31);
  await days.getByRole('button', { name: 'All days' }).click();
  await days.getByText('4 calls in the last 30 days').waitFor();
  expect(q()).toBeNull();
}

async function closeClean({ complaints, close }: ConsoleTab): Promise<void> {
  expect(complaints).toEqual([]);
  await close();
}

/** The file that the browser itself saves after a press: it is the API's answer to a request with the session. */
async function savedBy(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  const address = new URL(download.url());
  expect(address.searchParams.get('ticket')).toMatch(/^[\w.-]{100,}$/);
  address.searchParams.delete('ticket');
  const { token } = world.session;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const file = await readFile(await download.path());
  expect(file.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="${download.suggestedFilename()}"`,
  );
  return file;
}

test('an export that cannot be asked for says so where it was asked for, and is saved when it is tried again', async () => {
  const { page, complaints, close } = await world.open('/calls?q=channel%3Atext');
  await rows(page, 2);
  await page.route('**/api/v1/download-tickets', async (route) => await route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Export 2 calls' }).click();
  const failed = page.getByRole('dialog', { name: 'The calls could not be exported' });
  await failed.getByText(/cannot be reached/).waitFor();
  const csv = await savedBy(page, () => failed.getByRole('button', { name: 'Try again' }).click());
  expect(csv.toString().trim().split('\n')).toHaveLength(3);
  expect(complaints).toEqual([expect.stringContaining('/api/v1/download-tickets')]);
  await close();
});

test('filters are one state of chips, facets and URL, survive a reload, and the CSV has exactly their calls', async () => {
  const tab = await world.open('/calls');
  const { page } = tab;
  await rows(page, 4);
  await chooseDays(page);
  await page.keyboard.press('/');
  await page.keyboard.type('channel:text');
  await page.keyboard.press('Enter');
  await rows(page, 2);
  expect(new URL(page.url()).searchParams.get('q')).toBe('channel:text');
  await page.getByRole('checkbox', { name: 'Live', exact: true }).click();
  await rows(page, 1);
  await page.reload();
  await rows(page, 1);
  expect(await page.getByRole('checkbox', { name: 'Live', exact: true }).getAttribute('aria-checked')).toBe(
    'true',
  );
  await page.getByRole('button', { name: 'Remove the filter status is Live' }).click();
  await rows(page, 2);
  await page.keyboard.type('length:60');
  await page.keyboard.press('Enter');
  await page.getByText('“length:60”: there is no such filter.').waitFor();
  const csv = await savedBy(page, () => page.getByRole('button', { name: 'Export 2 calls' }).click());
  expect(csv.toString().trim().split('\n')).toHaveLength(3);
  await page.getByRole('button', { name: 'Not saved' }).click();
  await page.getByRole('menuitem', { name: 'Save view' }).click();
  await page.getByLabel('Name').fill('Text sessions');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Text sessions' }).click();
  await page.getByRole('menuitem', { name: 'All calls' }).click();
  await rows(page, 4);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Cost' }).click();
  await page.getByRole('columnheader', { name: 'Cost' }).waitFor();
  for (const name of ['Version', 'Turns', 'p95', 'QA']) {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name }).click();
  }
  await page.reload();
  await page.getByRole('columnheader', { name: 'Cost' }).waitFor();
  const { score } = Judged.parse(await read(calls.phone)).annotations.qa_quality;
  const cells = page.locator(`tr[data-row="${calls.phone.runId}"] td`);
  expect((await cells.allTextContents()).slice(7, 11)).toEqual([
    'v2',
    '3',
    expect.stringMatching(/^\d+\.\d+ s$/),
    String(score),
  ]);
  await closeClean(tab);
});

test('calls that are selected by mouse or keyboard are exported exactly, and judged again, with the reasons why some cannot be', async () => {
  const tab = await world.open('/calls');
  const { page } = tab;
  await rows(page, 4);
  const bar = page.locator('.statusbar');
  const ids = await page
    .locator('tr[data-row]')
    .evaluateAll((all: { dataset: { row: string } }[]) => all.map(({ dataset }) => dataset.row));
  const exported = async () => {
    const csv = await savedBy(page, () => bar.getByRole('button', { name: 'Export' }).click());
    const lines = csv.toString().trim().split('\n').slice(1);
    return lines.map((line) => line.split(',')[0] ?? '').toSorted(byText);
  };
  const boxOf = ({ runId }: MadeCall) => page.locator(`tr[data-row="${runId}"] .pick [role=checkbox]`);
  await page.locator('.pick [role=checkbox]').nth(0).click();
  await page
    .locator('.pick [role=checkbox]')
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await bar.getByText('3 calls selected').waitFor();
  expect(await exported()).toEqual(ids.slice(0, 3).toSorted(byText));
  await page.keyboard.press('Shift+ArrowDown');
  await bar.getByText('4 calls selected').waitFor();
  await bar.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await bar.getByText('1 call selected').waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await bar.getByText('2 calls selected').waitFor();
  await bar.getByRole('button', { name: 'Select all 4 that match' }).click();
  await bar.getByText('4 calls selected').waitFor();
  expect(await exported()).toEqual(ids.toSorted(byText));
  await bar.getByRole('button', { name: 'Clear' }).click();
  for (const each of [calls.text, calls.live, calls.unanswered]) await boxOf(each).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Judge again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Judge 3 calls again' });
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Judge 3 calls' }).click();
  await dialog.getByText('1 call is being judged').waitFor();
  await dialog.getByText('2 calls cannot be judged:').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(2);
  expect(tab.complaints.filter((each) => !each.includes('/judge'))).toEqual([]);
  await tab.close();
});

test('every number of calls on the home page leads to a list of just as many, and a live call shows its node and no whole number', async () => {
  const tab = await world.open('/');
  const { page } = tab;
  await page.locator('.hours a').first().waitFor();
  await page.locator('.outs .out').first().waitFor();
  await page.locator('.hours a').first().click();
  await page.waitForURL(/q=after/);
  await page.goBack();
  await page.locator('.hours a').first().waitFor();
  await page.locator('.outs .out').first().waitFor();
  await page.locator('.now .line', { hasText: 'Maria' }).getByText('Confirm the appointment').waitFor();
  const links = await page.locator('.home a[href*="/calls?"]').evaluateAll(
    (
      all: {
        ariaLabel: string | null;
        textContent: string;
        getAttribute: (name: string) => string;
        querySelector: (of: string) => { textContent: string } | null;
      }[],
    ) =>
      all.map((link) => ({
        href: link.getAttribute('href'),
        words: link.ariaLabel ?? link.querySelector('b')?.textContent ?? link.textContent,
      })),
  );
  const counted = links.flatMap(({ href, words }) => {
    const [, number] = /(?:^|: )(\d+)(?: calls?\b.*)?$/.exec(words) ?? [];
    return number === undefined ? [] : [{ href, number: Number(number) }];
  });
  expect(counted.length).toBeGreaterThanOrEqual(5);
  for (const { href, number } of counted) {
    await page.goto(`${world.service.apiUrl}${href}`);
    await rows(page, number);
    await page
      .locator('.statusbar')
      .getByText(number === 1 ? '1 call' : `${number} calls`, { exact: true })
      .waitFor();
  }
  await closeClean(tab);
});

test('reports count the calls of each agent, outcome and day beside the days before, and open the list of just these', async () => {
  const tab = await world.open('/reports');
  const { page } = tab;
  const table = page.getByRole('table', { name: 'Comparison' });
  const rowOf = (name: string) =>
    table.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  const totals = page.locator('.report-totals');
  await totals.getByText('4', { exact: true }).waitFor();
  await table.locator('tbody .name').nth(1).waitFor();
  const names = (await table.locator('tbody .name').allTextContents()).toSorted();
  expect(names).toHaveLength(2);
  expect(await accessibilityFaults(page)).toEqual([]);
  // Two of the groups, figure by figure.
  const callsOf: (string | null)[] = [];
  for (const [index, pick] of ['Compare', 'With'].entries()) {
    const name = names[index] ?? '';
    await page.getByRole('button', { name: new RegExp(`${pick}$`) }).click();
    await page.getByRole('option', { name, exact: true }).click();
    callsOf.push(await rowOf(name).locator('td.num').first().textContent());
  }
  const pair = page.getByRole('table', { name: 'Side by side' });
  await pair.getByRole('columnheader', { name: names[1] ?? '' }).waitFor();
  expect(await pair.getByRole('columnheader').allTextContents()).toEqual(['Figure', ...names, 'Change']);
  const cells = pair.getByRole('row', { name: /^Calls/ }).getByRole('cell');
  expect((await cells.allTextContents()).slice(0, 2)).toEqual(callsOf);
  expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);

  await page.getByRole('button', { name: /Compare by/ }).click();
  await page.getByRole('option', { name: 'By outcome' }).click();
  await rowOf('Busy').waitFor();
  expect(new URL(page.url()).searchParams.get('by')).toBe('disposition');
  await page.getByRole('button', { name: /Period/ }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: /Period/ }).click();
  await page.getByRole('option', { name: 'Chosen days' }).click();
  const lastDay = await page.getByLabel('Last day').inputValue();
  await page.getByLabel('First day').fill(lastDay);
  await until('one day', () => Promise.resolve(new URL(page.url()).searchParams.get('from') === lastDay));
  await page.getByLabel('Last day').fill('2020-01-01');
  await page.getByRole('alert').getByText('The last day is before the first').waitFor();
  await rowOf('Busy').waitFor();
  await page.getByRole('button', { name: /Period/ }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.reload();
  await rowOf('Busy').getByRole('link').click();
  await rows(page, 1);
  expect(new URL(page.url()).searchParams.get('q')).toMatch(/^outcome:"busy" after:\S+ before:\S+$/);
  await page.goBack();
  await page.getByRole('button', { name: /Compare by/ }).click();
  await page.getByRole('option', { name: 'By day' }).click();
  await page.locator('table[aria-rowcount="8"]').waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  await table.getByRole('link').last().click();
  await rows(page, 4);
  await closeClean(tab);
});

test('the keyboard walks through the list, peeks, reveals numbers, selects and opens', async () => {
  const tab = await world.open('/calls?q=channel%3Aphone');
  const { page } = tab;
  await rows(page, 2);
  const address = page.url();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const peek = page.getByRole('complementary', { name: 'Call with Maria' });
  await peek.getByText('I have to travel for work', { exact: true }).waitFor();
  await peek.getByText('Welcome').waitFor();
  await peek.getByText('Yes, now is fine.').waitFor();
  await peek.getByText('Talked with Maria for').waitFor();
  await peek.getByRole('img', { name: 'Interrupted' }).waitFor();
  await peek.getByRole('button', { name: 'Play' }).click();
  await until(
    'the recording plays',
    async () =>
      await peek.locator('audio').evaluate((audio: { currentTime: number }) => audio.currentTime > 0.3),
  );
  await peek.getByRole('button', { name: 'Pause' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(page.url()).toBe(address);
  await page.keyboard.press('k');
  await peek.getByText('Nothing was said.').waitFor();
  await peek.getByText('+1 ••• ••143').waitFor();
  await page.keyboard.press('p');
  await peek.getByText('+1 202 555 0143').waitFor();
  await peek.getByRole('button', { name: 'Copy number' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('+12025550143');
  await page.keyboard.press('x');
  await page.getByText('1 call selected').waitFor();
  await page.keyboard.press('Escape');
  await peek.waitFor({ state: 'detached' });
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'Maria was not reached: busy' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(pathOf(calls.unanswered));
  await closeClean(tab);
});

test('a line seeks the recording to its moment, and a link to the moment opens there', async () => {
  const tab = await world.open(pathOf(calls.phone));
  const { page } = tab;
  const line = page.getByRole('button', { name: /travel for work/ });
  await line.click();
  const moment = Number(new URL(page.url()).searchParams.get('t'));
  expect(moment).toBeGreaterThan(3);
  const heardAt = async (other: Page) =>
    await other
      .locator('audio')
      .evaluate((audio: { currentTime: number; duration: number }) => audio.currentTime);
  await until('the recording is there', async () => Math.abs((await heardAt(page)) - moment) < 0.15);
  await page.getByRole('button', { name: 'Play' }).click();
  await until('the recording plays', async () => (await heardAt(page)) > moment + 0.3);
  await page.getByRole('button', { name: 'Pause' }).click();
  await line.hover();
  await page
    .locator('.ln-row', { hasText: 'travel for work' })
    .getByRole('button', { name: /Copy link at/ })
    .click();
  const link = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(link).toBe(`${world.service.apiUrl}${pathOf(calls.phone)}?t=${moment}`);
  await page.goto(link);
  await page.locator('.ln-row.now', { hasText: 'travel for work' }).waitFor();
  await until('the recording begins there', async () => Math.abs((await heardAt(page)) - moment) < 0.15);
  await page.getByText('interrupted').first().waitFor();
  await page.getByRole('img', { name: /^Path: Welcome, Confirm the appointment/ }).waitFor();
  await closeClean(tab);
});

test('a webhook that failed shows its attempts and is delivered when it is sent again', async () => {
  const tab = await world.open(`${pathOf(calls.phone)}?tab=webhooks`);
  const { page } = tab;
  const delivery = page.getByRole('region', { name: 'Send the result to the clinic' });
  await delivery.getByText('503').first().waitFor();
  receiver.answerWith(() => ({ kind: 'answer', status: 200 }));
  await delivery.getByRole('button', { name: 'Resend' }).click();
  await delivery.getByText('Delivered').waitFor();
  await delivery.getByText('Answered 200').waitFor();
  expect(receiver.requests.some(({ runId }) => runId === String(calls.phone.runId))).toBe(true);
  await page.getByRole('tab', { name: /Quality/ }).click();
  await page.getByText('of 10').waitFor();
  await closeClean(tab);
});

test('a call is judged again from its page, which follows the judgment and names who asked for it', async () => {
  const { agentId } = calls.phone;
  const agent = await world.ask('GET', `/workflow/fetch/${agentId}`);
  const { workflow_definition: definition } = z
    .looseObject({ workflow_definition: z.looseObject({}) })
    .parse(agent);
  const tab = await world.open(`${pathOf(calls.phone)}?tab=quality`);
  const { page } = tab;
  await page.getByText('of 10').waitFor();
  await page.getByRole('button', { name: 'Judge again' }).click();
  await page.locator('.judging p', { hasText: /^Judged again by Ana Ruiz on .+[^l]\.$/ }).waitFor();
  await world.ask('PUT', `/workflow/${agentId}`, {
    workflow_definition: { ...definition, viewport: { x: 1, y: 1, zoom: 1 } },
  });
  await world.ask('POST', `/workflow/${agentId}/publish`);
  await page.reload();
  await page.getByRole('button', { name: 'Judge again' }).click();
  await page.getByRole('menuitem', { name: /^By version \d+, which is published$/ }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('menuitem', { name: /^By version \d+, which spoke$/ }).click();
  await page.locator('.judging p', { hasText: ', 2 times in all.' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`${world.service.apiUrl}${pathOf(calls.unanswered)}?tab=quality`);
  await page.getByText('Nothing was said in this call, so there is nothing to judge.').waitFor();
  expect(await page.getByRole('button', { name: 'Judge again' }).isDisabled()).toBe(true);
  await closeClean(tab);
});

test('the page of a call shows its cost, links to Temporal and to its trace, and shows the graph of its version even if the list no longer has that version', async () => {
  const { agentId, runId } = calls.phone;
  const run = z
    .looseObject({ gathered_context: z.looseObject({}), temporal_workflow_id: z.string() })
    .parse(await world.ask('GET', `/workflow/${agentId}/runs/${runId}`));
  const health = z
    .looseObject({ links: z.looseObject({ temporal_ui: z.string() }) })
    .parse(await world.ask('GET', '/health'));
  const versions = z
    .array(z.looseObject({ id: z.int() }))
    .parse(await world.ask('GET', `/workflow/${agentId}/versions`));
  const tab = await world.open('/');
  const { page } = tab;
  const trace = 'https://traces.example.com/trace/4bf9';
  // The simulated models have no price, and nothing is traced; a hundred newer versions would take a minute.
  await page.route(`**/workflow/${agentId}/runs/${runId}`, (route) =>
    route.fulfill({
      json: {
        ...run,
        cost_info: { charge_usd: 0.0416 },
        gathered_context: { ...run.gathered_context, trace_url: trace },
      },
    }),
  );
  await page.route(`**/workflow/${agentId}/versions?*`, (route) =>
    route.fulfill({
      json: new URL(route.request().url()).searchParams.has('offset')
        ? versions
        : Array.from({ length: 100 }, (_, index) => ({ ...versions[0], id: -index - 1 })),
    }),
  );
  await page.goto(`${world.service.apiUrl}${pathOf(calls.phone)}`);
  await page.getByRole('img', { name: /^Path: Welcome, Confirm the appointment/ }).waitFor();
  await page.getByText('$0.042').waitFor();
  expect(await page.getByRole('link', { name: 'Trace' }).getAttribute('href')).toBe(trace);
  expect(await page.getByRole('link', { name: 'Temporal' }).getAttribute('href')).toBe(
    `${health.links.temporal_ui}/${encodeURIComponent(run.temporal_workflow_id)}`,
  );
  await closeClean(tab);
});

test('the page of a call shows what it began with beside what it gathered, and prints itself without the frame', async () => {
  const tab = await world.open(`${pathOf(calls.phone)}?tab=values`, { theme: 'dark', width: 1440 });
  const { page } = tab;
  const initial = page.getByRole('region', { name: 'Initial values' });
  await initial.getByText('Tuesday, 24 November').waitFor();
  await initial.getByRole('button', { name: 'Copy as JSON' }).click();
  const { initial_context: values } = z
    .looseObject({ initial_context: z.looseObject({}) })
    .parse(await read(calls.phone));
  expect(JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')))).toEqual(values);
  await page
    .getByRole('region', { name: 'Extracted values' })
    .getByText('I have to travel for work')
    .waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.locator('.printed').count()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('.printed');
  for (const words of ['Tuesday, 24 November', 'Yes, now is fine.', 'Send the result to the clinic'])
    await paper.getByText(words).first().waitFor();
  expect(await page.locator('.bar, .rail, button').filter({ visible: true }).count()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'screen' });
  await paper.waitFor({ state: 'detached' });
  await closeClean(tab);
});

test('a call that goes on grows by itself', async () => {
  const tab = await world.open(pathOf(calls.live));
  const { page } = tab;
  await page.getByRole('heading', { name: 'Chatting with Maria' }).waitFor();
  await page.getByText('Can you come to the appointment as planned?').waitFor();
  await say(world, calls.live, "I'm afraid I can't make it on Tuesday.");
  const answer = page.getByRole('button', { name: /Which day and time would suit you better/ });
  await answer.waitFor();
  expect(await answer.count()).toBe(1);
  await closeClean(tab);
});

test('a call that is over is erased from its page, which then says so, also when it is read again', async () => {
  const tab = await world.open(`${pathOf(calls.text)}?tab=webhooks`);
  const { page } = tab;
  await page.getByRole('tab', { name: /Transcript/ }).click();
  const words = page.getByText('Can you come to the appointment as planned?');
  await words.waitFor();
  await page.getByRole('button', { name: 'Actions of this call' }).click();
  await page.getByRole('menuitem', { name: 'Erase call…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this call?' });
  await dialog.getByText('This cannot be undone').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.getByText('This call is being erased.').waitFor();
  await page.getByRole('heading', { name: 'Erased call' }).waitFor();
  const saysSo = async () => {
    await page.getByRole('heading', { name: 'Erased call' }).waitFor();
    await page.getByText('The transcript was erased on').waitFor();
    await page.getByText('The values were erased on').waitFor();
    expect(await words.count()).toBe(0);
    await page.getByRole('button', { name: 'Actions of this call' }).click();
    await page.getByRole('menuitem', { name: 'Erase call…', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: /Webhooks/ }).click();
    await page.getByText('The body was erased on').waitFor();
    await page.getByRole('tab', { name: /Quality/ }).click();
    await page.getByText('The judgments were erased on').waitFor();
    await page.getByRole('tab', { name: /Transcript/ }).click();
  };
  await saysSo();
  await page.reload();
  await saysSo();
  expect(await accessibilityFaults(page)).toEqual([]);
  await closeClean(tab);
});

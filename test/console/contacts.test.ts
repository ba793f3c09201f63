import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { dropFile, latin, uglyFile, uploadContacts } from '../support/console-contacts.ts';
import { newMember } from '../support/console-members.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleWorld,
} from '../support/console.ts';
import { until } from '../support/until.ts';
import { startLosingProxy } from '../support/losing-proxy.ts';

const Kept = z.object({ mapping: z.object({ skipped: z.array(z.string()) }) });

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(async () => await world.close());

async function choose(page: Page, button: string, file: { name: string; bytes: Uint8Array }): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ]);
  await chooser.setFiles({ name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.bytes) });
}

const faultless = async (page: Page) => {
  expect([...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
};

test('a file whose upload breaks off is sent again without being chosen again, one whose answer is lost is in the list once, and the same file says so', async () => {
  const line = await startLosingProxy(world.service.apiUrl);
  const { page, complaints, close } = await world.open('/contacts', { apiUrl: line.url });
  await page.getByRole('heading', { name: 'No contact files yet' }).waitFor();
  line.lose('request');
  const long = new Uint8Array(8_000_000).fill(65);
  await choose(page, 'Choose a file', { name: 'long.csv', bytes: long });
  await page.getByText('The upload was interrupted, so nothing was stored.').waitFor();
  line.lose('answer');
  const recall = { name: 'recall.csv', bytes: latin(uglyFile()) };
  await choose(page, 'Choose a file', recall);
  await page.getByText('The file was sent, but no answer came back.', { exact: false }).waitFor();
  // The browser has sent it again by itself, as often as it likes.
  await page.getByRole('link', { name: 'recall.csv' }).waitFor();
  line.lose('nothing');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await page.waitForURL(/\/contacts\/\d+/);
  await page.goBack();
  await page.getByRole('link', { name: 'recall.csv' }).waitFor();
  expect(await page.getByRole('link', { name: 'recall.csv' }).count()).toBe(1);
  await choose(page, 'Upload a file', recall);
  await page.getByText(/^This exact file was uploaded on/).waitFor();
  // The browser names the two uploads.
  expect(complaints.filter((each) => !each.includes('/directories'))).toEqual([]);
  await close();
  line.close();
});

test('a file that is dropped beside its field, or while the API is away, leaves the page as it is', async () => {
  const { page, close } = await world.open('/contacts');
  const folder = await mkdtemp(join(tmpdir(), 'dropped-'));
  const path = join(folder, 'dropped.csv');
  await writeFile(path, 'phone_number\n+12025550143\n');
  const field = page.locator('.contacts-drop');
  await field.waitFor();
  // Chromium without a window opens no file that nobody takes, so its page is asked whether the file is refused.
  await page.evaluate(`window.addEventListener('dragover', ({ defaultPrevented, dataTransfer }) => {
    window.over = [defaultPrevented, dataTransfer.dropEffect];
  })`);
  const isRefused = async () => {
    expect(await page.evaluate('window.over')).toEqual([true, 'none']);
    await page.evaluate('window.over = undefined');
    expect(new URL(page.url()).pathname).toBe('/contacts');
  };
  await dropFile(page.getByRole('navigation').first(), path);
  await isRefused();
  await page.route('**/api/v1/**', async (route) => await route.abort());
  await page.getByText(/^Parlance cannot be reached/).waitFor();
  await dropFile(field, path);
  await isRefused();
  await page.unroute('**/api/v1/**');
  await page.getByText(/^Parlance cannot be reached/).waitFor({ state: 'hidden' });
  await dropFile(field, path);
  await page.waitForURL(/\/contacts\/\d+/);
  await close();
  await rm(folder, { recursive: true });
});

test('columns that are skipped one after the other, faster than the page reads the file again, are all skipped', async () => {
  const owner = { ...(await world.newUser()), service: world.service };
  const id = await uploadContacts(owner, latin(uglyFile()), 'Quick.csv');
  const { page, close } = await owner.open(`/contacts/${id}`);
  const head = (column: string, role: string) =>
    page.getByRole('button', { name: new RegExp(`^Column ${column}: ${role}`) });
  const columns = ['full_name', 'appointment_day', 'time_zone'];
  await head('full_name', '').waitFor();
  await page.route('**/preview*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  for (const column of columns) {
    await head(column, '').click();
    await page.getByRole('menuitem', { name: 'Skip' }).click();
  }
  for (const column of columns) await head(column, 'Skip').waitFor();
  const kept = Kept.parse(await owner.ask('GET', `/directories/${id}`));
  expect(kept.mapping.skipped.toSorted()).toEqual(columns.toSorted());

  // A later file with the same columns can use them in the same way.
  await owner.ask('POST', `/directories/${id}/check`, {});
  const State = z.looseObject({ state: z.string() });
  await until(
    'the rows to be checked',
    async () => State.parse(await owner.ask('GET', `/directories/${id}`)).state === 'ready',
  );
  const later = await uploadContacts(owner, latin(`${uglyFile()}\r\n`), 'Later.csv');
  await page.unrouteAll({ behavior: 'wait' });
  await page.goto(`${world.service.apiUrl}/contacts/${later}`);
  await page.getByText('Quick has the same columns.').waitFor();
  await page.getByRole('button', { name: 'Use its columns' }).click();
  for (const column of columns) await head(column, 'Skip').waitFor();
  await page.getByText('Quick has the same columns.').waitFor({ state: 'detached' });
  await page.goto(`${world.service.apiUrl}/contacts?q=LATER`);
  await page.getByRole('link', { name: /^Later/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Quick/ }).count()).toBe(0);
  await close();
});

test('a number that is in the file twice leads from the row that is left out to the one that is called, also out of a filter', async () => {
  const owner = { ...(await world.newUser()), service: world.service };
  const id = await uploadContacts(owner, latin(uglyFile()), 'Twice.csv');
  await owner.ask('PATCH', `/directories/${id}`, {
    reading: { encoding: 'win1252' },
    mapping: { default_country: 'US' },
  });
  await owner.ask('POST', `/directories/${id}/check`, {});
  const { page, complaints, close } = await owner.open(`/contacts/${id}`);
  const again = page.getByRole('gridcell', { name: /^\+1 202 555 0118/ });
  const first = page.getByRole('gridcell', { name: /^202\.555\.0118/ });
  const leads = async () => {
    await again.click();
    const why = page.getByRole('dialog', { name: 'Row 6 is left out' });
    await why.getByText('Row 2 has the same number.').waitFor();
    await why.getByRole('button', { name: 'Go to row 2' }).click();
    await why.waitFor({ state: 'detached' });
    await page.locator('td:focus', { hasText: '202.555.0118' }).waitFor();
  };
  await leads();
  await page.getByRole('button', { name: '1 duplicate' }).click();
  await first.waitFor({ state: 'detached' });
  await leads();
  expect(new URL(page.url()).searchParams.get('state')).toBe(null);
  await again.waitFor();
  // And back.
  await first.click();
  const why = page.getByRole('dialog', { name: 'Row 2 is called' });
  await why.getByText('Row 6 has the same number and is left out.').waitFor();
  await why.getByRole('button', { name: 'Go to row 6' }).click();
  await page.locator('td:focus', { hasText: '+1 202 555 0118' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('who may not see people sees what became of the rows, without a cell, a number or a button that does nothing', async () => {
  const owner = { ...(await world.newUser()), service: world.service };
  const email = `ivo${world.mark}@brightsmile.example`;
  const analyst = await newMember(owner, { email, role: 'analyst', name: 'Ivo Lang' });
  const id = await uploadContacts(owner, latin(uglyFile()), 'Masked.csv');
  await owner.ask('PATCH', `/directories/${id}`, { mapping: { default_country: 'US' } });
  await owner.ask('POST', `/directories/${id}/check`, {});
  const { page, complaints, close } = await owner.open('/contacts', { session: analyst, width: 390 });
  await page.getByRole('link', { name: /^Masked/ }).click();
  await page.getByText('1 duplicate').waitFor();
  const seen = [await page.locator('body').innerText()];
  expect(await page.getByRole('button', { name: /duplicate|Try again/ }).count()).toBe(0);
  expect(await page.getByLabel('Search rows').count()).toBe(0);
  await faultless(page);
  for (const path of ['/contacts/blocked', `/campaigns/new?directory=${id}`]) {
    await page.goto(`${world.service.apiUrl}${path}`);
    await page.getByRole('heading', { name: 'Not for your role' }).waitFor();
    seen.push(await page.locator('body').innerText());
  }
  expect(seen.filter((each) => /555|Möller|C-10/.test(each))).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('numbers are blocked, found and unblocked with a reason and their last digits', async () => {
  const { page, complaints, close } = await world.open('/contacts/blocked', { width: 390, height: 844 });
  await page.getByRole('button', { name: 'Block numbers' }).click();
  const adding = page.getByRole('dialog', { name: 'Block numbers' });
  await adding.getByLabel('Phone numbers, one a line').fill('call me');
  await adding.getByRole('button', { name: 'Block numbers' }).click();
  await adding.locator('[aria-invalid="true"]').waitFor();
  await faultless(page);
  await adding.getByLabel('Phone numbers, one a line').fill('+1 202 555 0176\n+44 20 7946 0199');
  await adding.getByLabel('Reason').fill('asked by letter');
  await adding.getByRole('button', { name: 'Block numbers' }).click();
  await page.getByText('2 numbers are blocked.').waitFor();

  await page.getByLabel('Find a number by its first digits').fill('+1 202');
  await page.keyboard.press('Enter');
  await page.locator('table[aria-rowcount="2"]').waitFor();
  await page.getByRole('button', { name: 'Unblock +1 ••• ••176' }).click();
  const removing = page.getByRole('dialog', { name: 'Unblock +12025550176?' });
  await removing.getByLabel('Reason').fill('asked to be called again');
  await removing.getByLabel('The last four digits of the number').fill('0176');
  await removing.getByRole('button', { name: 'Unblock' }).click();
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  const Page = z.object({ items: z.array(z.looseObject({ phone_number: z.string() })) });
  const { items } = Page.parse(await world.ask('GET', '/suppressions'));
  expect(items.map(({ phone_number: number }) => number)).toEqual(['442079460199']);
  // The browser names the refusal of a number that cannot be read.
  expect(complaints.filter((each) => !each.includes('status of 422'))).toEqual([]);
  await close();
});

test('a file of numbers is imported, and lines that cannot be read are named', async () => {
  const { session } = await world.newUser();
  const { page, complaints, close } = await world.open('/contacts/blocked', { session });
  await page.getByRole('heading', { name: 'No blocked numbers' }).waitFor();
  await page.getByRole('button', { name: 'Import' }).click();
  await choose(page, 'Choose a file', { name: 'list.csv', bytes: latin('phone\n+12025550101\nnobody\n') });
  await page.getByRole('button', { name: 'Block these numbers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import blocked numbers' });
  await dialog.getByText('1 number is blocked.').waitFor();
  await dialog.getByText('phone_letters').waitFor();
  await faultless(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('+1 ••• ••101').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

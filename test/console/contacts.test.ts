import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { latin, uglyFile } from '../support/console-contacts.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleWorld,
} from '../support/console.ts';

jest.setTimeout(300_000);

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
}, 240_000);
afterAll(async () => await world.close(), 60_000);

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

test('an ugly file is uploaded, read by keyboard, mapped at its columns, checked, and its rows are repaired', async () => {
  const { page, complaints, close } = await world.open('/contacts');
  await page.getByRole('heading', { name: 'No contact files yet' }).waitFor();
  await choose(page, 'Choose a file', { name: 'recall.csv', bytes: latin(uglyFile()) });

  const grid = page.getByRole('grid', { name: 'Rows of recall.csv' });
  await grid.getByText('Jürgen Möller').waitFor();
  await page.getByText('Windows-1252 is a guess', { exact: false }).waitFor();

  // Each encoding shows what it would make of the names; the keyboard chooses.
  await page.getByRole('button', { name: /^Encoding/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: /^Windows-1251 .*Jьrgen Mцller/ }).waitFor();
  await faultless(page);
  await page.keyboard.type('1251');
  await page.keyboard.press('Enter');
  await grid.getByText('Jьrgen Mцller').waitFor();
  await page.getByRole('button', { name: /^Encoding/ }).click();
  await page.getByRole('menuitemradio', { name: /^Windows-1252/ }).click();
  await grid.getByText('Jürgen Möller').waitFor();

  // Without a country, numbers without a code cannot be read.
  await grid
    .getByRole('gridcell', { name: /The number has no country code/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: /^Country without code/ }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('United States');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await grid.getByText('+12025550143').waitFor();

  await page.getByRole('button', { name: /^Column appointment_day/ }).click();
  await page.getByRole('menuitem', { name: 'Skip' }).click();
  await page.getByRole('button', { name: /^Column appointment_day: Skip/ }).waitFor();

  await page.getByRole('button', { name: 'Check the rows' }).click();
  await page.getByRole('button', { name: /duplicate$/ }).waitFor();

  // A fault stands at its cell.
  await grid.getByRole('gridcell', { name: /^1\.20256E\+10/ }).focus();
  await page.keyboard.press('Enter');
  const finding = page.getByRole('dialog', { name: 'Row 4 is left out' });
  await finding.getByText('phone_scientific').waitFor();
  await finding.getByText('Only this row has this').waitFor();
  await faultless(page);
  await finding.getByRole('button', { name: 'Show only these' }).click();
  await page.locator('table[aria-rowcount="2"]').waitFor();
  await page.getByRole('button', { name: '16 rows' }).click();
  await page.locator('table[aria-rowcount="17"]').waitFor();
  await faultless(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download to repair' }).click(),
  ]);
  const errors = (await readFile(await download.path())).toString('latin1');
  expect(errors).toContain('1.20256E+10;C-1045;Jürgen Möller');
  await choose(page, 'Upload repaired rows', {
    name: 'repaired.csv',
    bytes: latin(errors.replace('1.20256E+10', '+1 202 555 0125')),
  });
  await page.getByText('1 row was repaired.', { exact: false }).waitFor();
  await grid.getByText('+12025550125').waitFor();
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
  await page.getByRole('button', { name: 'Unblock +12025550176' }).click();
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
  await page.getByText('+12025550101').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

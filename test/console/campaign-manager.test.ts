import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import words from '../../console/src/locales/en/campaigns.json' with { type: 'json' };
import type { PersonaInput } from '../../emulators/carrier/persona.ts';
import { connectCarrier } from '../support/console-calls.ts';
import { campaignPhone, makeCaller } from '../support/console-campaigns.ts';
import { dropFile, latin } from '../support/console-contacts.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleTab,
  type ConsoleUser,
  type ConsoleWorld,
} from '../support/console.ts';
import { until } from '../support/until.ts';

let world: ConsoleWorld;
let folder: string;
beforeAll(async () => {
  world = await startConsoleWorld();
  folder = await mkdtemp(pathOf(tmpdir(), 'campaign-manager-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

/** Who is behind the numbers: they hang up, are busy, decline, are away, or do not exist. */
const ends: readonly PersonaInput['steps'][] = [
  [{ do: 'answer' }, { do: 'hangup' }],
  [{ do: 'busy' }],
  [{ do: 'reject' }],
  [{ do: 'end', cause: 'no_answer' }],
  [{ do: 'not_found' }],
];

interface Day {
  page: Page;
  /** On a phone a file is chosen and menus are tapped; at a desk it is dropped and the keyboard chooses. */
  isPhone: boolean;
  /** The numbers of the people, without country code. */
  numbers: readonly string[];
}

/** A list as people keep it: a title that looks like a header, a blank line, national numbers, one twice. */
const uglyList = ([hangsUp = '', busy = '', , away = '', , blocked = '']: readonly string[]): string =>
  [
    'Recall-Liste;Telefon;Stand 22.11.2026;Praxis Dr. Weiß;;',
    '',
    'Kunde;Kontakt;name;appointment;Sperre',
    `K-1;(${hangsUp.slice(0, 3)}) ${hangsUp.slice(3)};Jürgen Möller;Dienstag;`,
    `K-2;${busy.slice(0, 3)}.${busy.slice(3)};Sofía Weiß;Dienstag;`,
    'K-3;1.20256E+10;Anaïs Brandt;Mittwoch;',
    `K-4;${hangsUp};J. Möller;Mittwoch;`,
    'K-5;im Büro fragen;Peter Groß;Freitag;',
    `K-6;${away};Nora Lindqvist;Freitag;`,
    'K-7;;Ida Schäfer;Freitag;',
    `K-8;${blocked};Søren Dahl;Freitag;ja`,
  ].join('\r\n');

const faultless = async (page: Page) =>
  expect([...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([]);

/** Gives the page a file as a person does. */
async function give({ page, isPhone }: Day, place: Locator, name: string, text: string): Promise<void> {
  if (isPhone) {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      place.getByRole('button', { name: /^(Choose a file|Upload repaired rows)$/ }).click(),
    ]);
    return await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(latin(text)) });
  }
  const path = pathOf(folder, name);
  await writeFile(path, latin(text));
  await dropFile(place, path);
}

type Kind = 'menuitem' | 'menuitemradio' | 'option';

/** Chooses from the list that a button opens; from a long one by a part of the words. */
async function choose(
  { page, isPhone }: Day,
  [button, kind, choice]: readonly [button: RegExp, kind: Kind, choice: string],
  part?: string,
): Promise<void> {
  const opener = page.getByRole('button', { name: button });
  const entry = page.getByRole(kind, { name: choice }).first();
  if (isPhone) await opener.tap();
  else {
    await opener.focus();
    await page.keyboard.press('Enter');
  }
  await entry.waitFor();
  if (part !== undefined) {
    await page.keyboard.type(part);
    await page.getByRole(kind).nth(3).waitFor({ state: 'detached' });
  }
  if (isPhone) await entry.tap();
  else if (part === undefined) await entry.click();
  else await page.keyboard.press('Enter');
}

async function saved(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return await readFile(await download.path());
}

/** Three calls at the same time need three numbers. */
async function addNumbers({ ask }: ConsoleUser): Promise<void> {
  const { configurations } = z
    .object({ configurations: z.array(z.looseObject({ id: z.int() })) })
    .parse(await ask('GET', '/organizations/telephony-configs'));
  for (const address of ['+12025550101', '+12025550102'])
    await ask('POST', `/organizations/telephony-configs/${configurations[0]?.id}/phone-numbers`, { address });
}

/** The owner makes a link, and the person joins with it in another browser. */
async function join(
  owner: ConsoleUser,
  email: string,
  view: { width: number; theme: 'light' | 'dark' },
): Promise<ConsoleTab> {
  const inviting = await owner.open('/settings', { width: view.width });
  await inviting.page.getByRole('button', { name: 'Invite a person' }).click();
  await inviting.page.getByLabel('Email').fill(email);
  await inviting.page.getByRole('button', { name: /^Operator/ }).click();
  await inviting.page.getByRole('option', { name: 'Campaign manager' }).click();
  await inviting.page.getByRole('button', { name: 'Make the link' }).click();
  const link = await inviting.page.getByTestId('shown-link').innerText();
  expect(inviting.complaints).toEqual([]);
  await inviting.close();
  const tab = await owner.open(`/${new URL(link).hash}`, { ...view, isSignedOut: true });
  await tab.page.getByText('You are invited as Campaign manager.').waitFor();
  await tab.page.getByLabel('Password').fill('eight or more');
  await tab.page.getByLabel('Name, if you are new').fill('Mia Marsh');
  await tab.page.getByRole('button', { name: 'Join', exact: true }).click();
  return tab;
}

/** Corrects how the file is read, where it is shown. */
async function read(day: Day, grid: Locator): Promise<void> {
  const { page, numbers } = day;
  const head = (column: string, role: string) =>
    page.getByRole('button', { name: new RegExp(`^Column ${column}: ${role}`) });
  await grid.getByRole('button', { name: '3', exact: true }).click();
  await head('Kontakt', '').waitFor();
  if (!day.isPhone) {
    await page.getByRole('button', { name: /^Encoding/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitemradio').first().waitFor({ state: 'detached' });
  }
  await choose(day, [/^Encoding/, 'menuitemradio', 'Windows-1252'], '1252');
  await page.getByText('is a guess').waitFor({ state: 'detached' });
  for (const [column, role] of [
    ['Kontakt', 'Phone'],
    ['Kunde', 'Customer ID'],
    ['Sperre', 'Do not call'],
  ] as const) {
    await choose(day, [new RegExp(`^Column ${column}`), 'menuitem', role]);
    await head(column, role).waitFor();
  }
  await choose(day, [/^Country without code/, 'menuitemradio', 'United States'], 'United St');
  await grid
    .getByText(`+1${numbers[0] ?? ''}`)
    .first()
    .waitFor();
}

/** Sees the faults at their cells, downloads the rows, repairs two and gives them back. */
async function repair(day: Day, grid: Locator): Promise<void> {
  const { page, numbers } = day;
  await grid.getByRole('gridcell', { name: /^1\.20256E\+10/ }).click();
  const finding = page.getByRole('dialog', { name: 'Row 3 is left out' });
  await finding.getByText('Only this row has this').waitFor();
  await faultless(page);
  await finding.getByRole('button', { name: 'Show only these' }).click();
  await page.locator('table[aria-rowcount="2"]').waitFor();
  await page.getByRole('button', { name: '8 rows' }).click();
  await page.locator('table[aria-rowcount="9"]').waitFor();
  const rows = await saved(page, () => page.getByRole('button', { name: 'Download to repair' }).click());
  const repaired = rows
    .toString('latin1')
    .replace('1.20256E+10', numbers[2] ?? '')
    .replace('K-7;;', `K-7;${numbers[4] ?? ''};`);
  await give(day, page.locator('.repair'), 'repaired.csv', repaired);
  await page.getByText('2 rows were repaired. 1 has a number that is already called.').waitFor();
  await grid.getByText(`+1${numbers[2] ?? ''}`).waitFor();
}

/** Somewhere it is day, so that the test does not depend on the hour. */
const zoneOfDay = (): string =>
  [
    'Pacific/Honolulu',
    'America/Los_Angeles',
    'America/Sao_Paulo',
    'Europe/Berlin',
    'Asia/Karachi',
    'Asia/Tokyo',
    'Pacific/Auckland',
  ]
    .map((zone) => ({
      zone,
      hour: Number(
        new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(),
      ),
    }))
    .find(({ hour }) => hour >= 10 && hour < 18)?.zone ?? 'UTC';

/** Makes a campaign of the contacts on one page, and starts it. */
async function start(day: Day): Promise<void> {
  const { page } = day;
  await page.getByRole('textbox', { name: 'Name' }).fill('November recall');
  await choose(day, [/^Choose an agent/, 'option', 'Appointment recall']);
  await page.getByText('“Hello Jürgen Möller.”').waitFor();
  await choose(day, [/^Each contact’s time zone/, 'option', 'One time zone for all']);
  const zone = zoneOfDay().replaceAll('_', ' ');
  await choose(day, [/Time zone$/, 'option', zone], zone.slice(zone.indexOf('/') + 1));
  await page.getByRole('button', { name: 'Every day 9–20' }).click();
  await page.getByLabel('Sun until').fill('21');
  for (const outcome of ['No answer', 'Busy', 'Declined', 'Hung up within 5 s'])
    await page.getByLabel(`Further calls after: ${outcome}`).fill('0');
  await page.getByLabel('Lines', { exact: true }).fill('3');
  await page.getByLabel('Calls per second').fill('5');
  await page.keyboard.press('Tab');
  await page.getByText(/^5 contacts are called by Appointment recall: .*Sun 09:00–21:00/).waitFor();
  await page.getByText(/everybody has been called once/).waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.getByRole('dialog').getByText('5 contacts are called').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Create and start' }).click();
}

const Progress = z.object({
  rows: z.record(z.string(), z.int()),
  outcomes: z.record(z.string(), z.int()),
});
const Row = z.looseObject({
  row: z.int(),
  phone_number: z.string(),
  state: z.string(),
  outcome: z.string().nullable(),
  spent_attempts: z.int(),
  attempts: z.int(),
  workflow_run_id: z.int().nullable(),
  settled_at: z.string().nullable(),
});
const outcomeWords = (outcome: string | null): string =>
  z.record(z.string(), z.string()).parse(words)[`campaigns.outcome.${outcome ?? ''}`] ?? '';

/** Waits until the control room shows what the API says. */
async function numbersAgree(
  page: Page,
  { rows, outcomes }: z.infer<typeof Progress>,
  all: z.infer<typeof Row>[],
) {
  const figure = async (name: string) =>
    Number(await page.locator(`[data-figure="${name}"] .campaign-number`).textContent());
  expect({
    over: (await figure('reached')) + (await figure('ended')),
    calls: await figure('calls'),
    waiting: await figure('waiting'),
    failed: await figure('failed'),
  }).toEqual({ over: rows['processed'], calls: 0, waiting: 0, failed: rows['failed'] });
  expect(await figure('reached')).toBe(1);
  await page.locator('[data-figure="failed"]', { hasText: `${rows['left_out']} rows left out` }).waitFor();
  const shown = await page
    .locator('.campaign-outcomes > li')
    .evaluateAll((lines) =>
      lines.map((line) => [
        line.querySelector('a')?.textContent,
        Number(line.querySelector('.num')?.textContent),
      ]),
    );
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(Object.entries(outcomes).map(([outcome, count]) => [outcomeWords(outcome), count])),
  );
  const expected = all.map(({ row, outcome }) => `${row} ${outcomeWords(outcome)}`);
  await until('the rows of the control room are those of the API', async () => {
    const lines = await page
      .locator('.campaign-scroll tbody tr')
      .evaluateAll((each) =>
        each.map(
          (line) => `${line.querySelector('td')?.textContent} ${line.querySelector('td .cut')?.textContent}`,
        ),
      );
    return lines.join() === expected.join();
  });
}

/** The lines of a file as records by its header. */
function recordsOf(text: string): Record<string, string>[] {
  const [header = [], ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}

const orEmpty = (value: string | number | null): string => (value === null ? '' : String(value));

test.concurrent.each([
  { width: 1280, theme: 'light', first: 300 },
  { width: 390, theme: 'dark', first: 400 },
] as const)(
  'a campaign manager is invited, repairs an ugly list, calls it and takes the results home, at $width px',
  async ({ width, theme, first }) => {
    const owner = await world.newUser();
    await connectCarrier({ ...world, ...owner, mark: `${world.mark}${width}` });
    await addNumbers(owner);
    await owner.ask('PUT', '/organizations/dial-policy', { starts_per_second: 20 });
    await makeCaller(owner);
    for (const [index, steps] of ends.entries())
      await world.service.carrier.setPersonas(campaignPhone(first + index), [
        { name: 'Contact', steps: [{ do: 'ring', ms: 100 }, ...steps] },
      ]);

    const tab = await join(owner, `mia${width}${world.mark}@brightsmile.example`, { width, theme });
    const { page } = tab;
    const numbers = Array.from({ length: 6 }, (_, index) => campaignPhone(first + index).slice(2));
    const day: Day = { page, isPhone: width < 640, numbers };
    if (day.isPhone) await choose(day, [/^More$/, 'menuitem', 'Contacts']);
    else await page.getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('heading', { name: 'No contact files yet' }).waitFor();
    await give(day, page.locator('.contacts-drop'), 'Recall.csv', uglyList(numbers));
    const grid = page.getByRole('grid', { name: 'Rows of Recall.csv' });
    await read(day, grid);
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await page.getByRole('button', { name: '1 duplicate' }).waitFor();
    await repair(day, grid);
    await page.getByRole('link', { name: /^New campaign/ }).click();
    await start(day);

    await page.locator('.campaign-truth', { hasText: 'Done. 4 contacts finished, 1 failed.' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { rows } = z.object({ rows: z.array(Row) }).parse(await owner.ask('GET', `/campaign/${id}/rows`));
    await numbersAgree(page, Progress.parse(await owner.ask('GET', `/campaign/${id}/progress`)), rows);
    await page.getByRole('link', { name: /^Row 1 / }).click();
    const panel = page.getByRole('complementary', { name: 'Row 1' });
    await panel
      .getByText(/^(\+1 )?••• ••\d{3}$/)
      .first()
      .waitFor();
    expect(await panel.innerText()).not.toContain('555');

    await page.getByRole('button', { name: 'More actions' }).click();
    const results = await saved(page, () =>
      page.getByRole('menuitem', { name: 'Download results CSV' }).click(),
    );
    const records = recordsOf(results.toString());
    expect(records.filter(({ State }) => State !== 'left_out')).toEqual(
      rows.map((row) =>
        expect.objectContaining({
          Row: String(row.row),
          'Phone Number': row.phone_number,
          State: row.state,
          Outcome: orEmpty(row.outcome),
          'Spent Attempts': String(row.spent_attempts),
          Attempts: String(row.attempts),
          'Run ID': orEmpty(row.workflow_run_id),
          'Settled At': orEmpty(row.settled_at),
        }),
      ),
    );
    expect(
      records.filter(({ State }) => State === 'left_out').map(({ Row: row, Reason }) => `${row} ${Reason}`),
    ).toEqual(['4 duplicate', '5 invalid', '8 do_not_call']);
    expect(records.map(({ name }) => name)).toContain('Jürgen Möller');
    expect(tab.complaints).toEqual([]);
    await tab.close();
  },
);

import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { consoleSizes, sizeLimits } from '../../tools/bench/console/sizes.ts';
import type * as ConsoleBuild from '../../tools/bootstrap/console-build.mjs';
import {
  accessibilityFaults,
  layoutFaults,
  password,
  startConsoleWorld,
  type ConsoleWorld,
  withDatabase,
} from '../support/console.ts';
import { startFurtherApi } from '../support/console-service.ts';
import { root } from '../support/process.ts';

const Created = z.looseObject({ id: z.int() });
const Session = z.looseObject({ workflow_run_id: z.int() });
let world: ConsoleWorld;

beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(async () => await world.close());

describe('the served page', () => {
  test('has a policy of its own, and its files are compressed and immutable', async () => {
    const page = await fetch(`${world.service.apiUrl}/agents`, { headers: { accept: 'text/html' } });
    const html = await page.text();
    const policy = page.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toMatch(/connect-src 'self' ws:\/\/127\.0\.0\.1:\d+/);
    expect(html).toContain(`nonce="${nonce}"`);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    const file = await fetch(`${world.service.apiUrl}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-encoding')).toBe('br');
  });

  test('loads at most 240 kB of scripts and styles for every page, and 200 kB more for the editor', () => {
    const { shell, editor } = consoleSizes();
    expect(shell).toBeLessThanOrEqual(sizeLimits.shell);
    expect(editor).toBeLessThanOrEqual(sizeLimits.editor);
  });

  test('does not stand in for unknown addresses of the API, nor for requests that want JSON', async () => {
    for (const [path, accept] of [
      ['/api/v1/nothing', 'text/html'],
      ['/public/nothing', 'text/html'],
      ['/agents', 'application/json'],
    ] as const)
      expect((await fetch(`${world.service.apiUrl}${path}`, { headers: { accept } })).status).toBe(404);
  });

  test('is not needed: without the folder of the console nothing is built, and the service starts', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'parlance-without-console-'));
    try {
      for (const name of ['src', 'tools', 'examples', 'package.json'])
        cpSync(join(root, name), join(copy, name), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      const builder = pathToFileURL(join(copy, 'tools/bootstrap/console-build.mjs')).href;
      const { buildConsole }: typeof ConsoleBuild = await import(builder);
      await buildConsole();
      const api = await startFurtherApi(world.service, copy);
      const page = await fetch(api.url, { headers: { accept: 'text/html' } });
      await api.kill();
      expect(await page.text()).toContain('npm run console:build');
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

describe('signing in', () => {
  test('says what is missing and what is wrong, and keeps the session over a reload and out of all tabs', async () => {
    const { page, context, close } = await world.open('/', { isSignedOut: true });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your email address.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Email' }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Email').fill(world.session.user.email);
    await page.getByLabel('Password').fill('not this one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Agents' }).first().waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Agents' }).first().waitFor();
    const other = await context.newPage();
    await other.goto(`${world.service.apiUrl}/agents`);
    await other.getByRole('link', { name: 'Agents' }).first().waitFor();
    await page.getByRole('button', { name: /account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in to Parlance' }).waitFor();
    await close();
  });
});

test('sign-in counts down after too many attempts, says that sign-up is closed, and takes an API key', async () => {
  const { ask } = await world.newUser();
  await ask('POST', '/workflow/templates/duplicate', { template_id: 1, workflow_name: 'Reminder' });
  const made = z
    .looseObject({ api_key: z.string() })
    .parse(await ask('POST', '/user/api-keys', { name: 'Console', scopes: ['read'] }));
  const { page, close } = await world.open('/', { isSignedOut: true });
  await page.route('**/api/v1/health', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), signup_enabled: false } });
  });
  await page.route(
    '**/api/v1/auth/login',
    async (route) =>
      await route.fulfill({ status: 429, headers: { 'retry-after': '750' }, json: { detail: 'Too many' } }),
  );
  await page.reload();
  await page.getByText(/^Sign-up is closed/).waitFor();
  expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0);
  await page.getByLabel('Email').fill(world.session.user.email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByText(/^Try again in 12:[0-5]\d\.$/).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isDisabled()).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use an API key instead' }).click();
  await page.getByLabel('API key').fill(made.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Agents' }).first().click();
  expect(await page.getByRole('button', { name: 'New folder' }).isDisabled()).toBe(true);
  await close();
});

test('over plain HTTP at a name other than localhost, agents are made and saved, nodes copied, and files uploaded; a refused graph says why', async () => {
  const apiUrl = world.service.apiUrl.replace('127.0.0.1', 'parlance.test');
  const user = await world.newUser();
  const { page, complaints, close } = await user.open('/agents/new?way=blank', { apiUrl });
  expect(await page.evaluate('isSecureContext')).toBe(false);
  await page.getByRole('textbox', { name: 'Name' }).fill('Front desk');
  await page.keyboard.press('Enter');
  await page.locator('.react-flow__node').first().click();
  await page.locator('.panel').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await page.getByText('Node copied').waitFor();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByRole('button', { name: 'Undo: paste a node' }).waitFor();
  await page.getByText(/^Not saved: .*Start Call/).waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByText(/^Saved \d\d:\d\d:\d\d$/).waitFor();

  await page.goto(`${apiUrl}/contacts`);
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone\n+12025550101\n'),
  });
  await page.waitForURL(/\/contacts\/\d+/);
  // The browser says of a policy that it counts only with TLS, and of the graph that it was refused.
  expect(complaints.filter((each) => !/Cross-Origin-Opener-Policy|status of 409/.test(each))).toEqual([]);
  await close();
});

test('home counts what the list of calls has, and ages and durations are right in a browser whose clock is an hour ahead', async () => {
  const { ask, open } = await world.newUser();
  const { id } = Created.parse(
    await ask('POST', '/workflow/templates/duplicate', { template_id: 1, workflow_name: 'Reminder' }),
  );
  const { workflow_run_id: runId } = Session.parse(
    await ask('POST', `/workflow/${id}/text-chat/sessions`, {}),
  );
  const { page, close } = await open('/', { aheadMs: 3_600_000 });
  await page.locator('.calls .num', { hasText: /^0:\d\d$/ }).waitFor();
  await page.locator('.now .big', { hasText: '1' }).click();
  await page.waitForURL(/q=status/);
  await page.locator('.call-list tbody tr').first().waitFor();
  expect(await page.locator('.call-list tbody tr').count()).toBe(1);
  await withDatabase(
    world.service,
    async (db) => await db.query(`UPDATE calls SET disposition = 'pipeline_error' WHERE id = ?`, [runId]),
  );
  await page.goto(world.service.apiUrl);
  const failed = page.locator('.needs li', { hasText: 'failed in the last hour: a model or a voice' });
  await failed.getByRole('link', { name: 'Check voices and models' }).waitFor();
  await failed.getByRole('link', { name: '1 call', exact: true }).click();
  await page.waitForURL(/q=outcome/);
  await page.locator('.call-list tbody tr').first().waitFor();
  expect(await page.locator('.call-list tbody tr').count()).toBe(1);
  await page.getByRole('link', { name: 'Agents' }).first().click();
  await page
    .locator('tbody time', { hasText: /sec|min|now/ })
    .first()
    .waitFor();
  await close();
});

test("times are those of the organization's zone in a browser of another one, and follow the zone when it changes", async () => {
  const { ask, open } = await world.newUser();
  await ask('PUT', '/organizations/preferences', { timezone: 'America/Los_Angeles' });
  const { id } = Created.parse(
    await ask('POST', '/workflow/templates/duplicate', { template_id: 1, workflow_name: 'Reminder' }),
  );
  const { workflow_run_id: runId } = Session.parse(
    await ask('POST', `/workflow/${id}/text-chat/sessions`, {}),
  );
  await withDatabase(
    world.service,
    async (db) => await db.query(`UPDATE calls SET created_at = '2025-03-05 07:30:00' WHERE id = ?`, [runId]),
  );
  const { page, close } = await open('/calls', { zone: 'Asia/Tokyo' });
  const cell = page.locator('.call-list time').filter({ visible: true });
  await cell.getByText('Mar 4, 2025, 23:30').waitFor();
  expect(await cell.getAttribute('title')).toBe('2025-03-05T07:30:00.000Z');
  await page.goto(`${world.service.apiUrl}/settings?tab=organization`);
  await page.getByRole('button', { name: /Time zone/ }).click();
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Calls' }).first().click();
  await cell.getByText('Mar 5, 2025, 08:30').waitFor();
  await close();
});

test('while the API is away, a page says so, turns grey, saves nothing and keeps what is typed, and it goes on when the API is back', async () => {
  const { ask, open } = await world.newUser();
  await ask('POST', '/workflow/templates/duplicate', { template_id: 1, workflow_name: 'Reminder' });
  const { page, close } = await open('/agents');
  const banner = page.getByText(/^Parlance cannot be reached\. What you see is as of \d\d:\d\d:\d\d\./);
  const color = async () =>
    await page.evaluate(`getComputedStyle(document.querySelector('main > :last-child')).filter`);
  await page.getByText('Reminder').first().waitFor();
  expect(await color()).toBe('none');
  const add = page.getByRole('button', { name: 'New folder' });
  await add.focus();
  await page.route('**/api/v1/**', async (route) => await route.abort());
  await banner.waitFor();
  await page.getByText('Reminder').first().waitFor();
  expect(await color()).toBe('grayscale(1)');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('New folder');
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  expect(await add.getAttribute('aria-describedby')).toBe(await banner.getAttribute('id'));
  await page.keyboard.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.unroute('**/api/v1/**');
  await page.getByText('Parlance answers again').waitFor();
  await banner.waitFor({ state: 'hidden' });
  expect(await color()).toBe('none');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New folder' });
  const save = dialog.getByRole('button', { name: 'Create folder' });
  await dialog.getByLabel('Name').fill('Before ');
  await page.route('**/api/v1/**', async (route) => await route.abort());
  await banner.waitFor();
  await page.keyboard.type('and meanwhile');
  expect(await save.getAttribute('aria-disabled')).toBe('true');
  await page.unroute('**/api/v1/**');
  await dialog.locator('button[type=submit]:not([aria-disabled])').waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  expect(JSON.stringify(await ask('GET', '/folder/'))).toContain('"Before and meanwhile"');
  await close();
});

test('a request that is refused as one too many shows its wait and is repeated', async () => {
  const { page, close } = await world.open('/');
  await page.locator('h1').waitFor();
  await page.route(
    '**/api/v1/workflow/overview?*',
    async (route) =>
      await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { detail: '' } }),
    { times: 1 },
  );
  await page.getByRole('link', { name: 'Agents' }).first().click();
  await page.getByText('Waiting 2 s: too many requests').waitFor();
  await page.locator('main .empty').waitFor();
  await page.getByText('Waiting').waitFor({ state: 'hidden' });
  await close();
});

test('a button that is pressed again after its answer was lost has done its work once', async () => {
  const { ask, open } = await world.newUser();
  await ask('POST', '/workflow/templates/duplicate', { template_id: 1, workflow_name: 'Reminder' });
  const { page, close } = await open('/agents');
  await page.getByRole('button', { name: 'New folder' }).click();
  const dialog = page.getByRole('dialog', { name: 'New folder' });
  await dialog.getByLabel('Name').fill('Once');
  const keys: (string | undefined)[] = [];
  await page.route('**/api/v1/folder/', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return await route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Create folder' }).click();
  await dialog.getByText('Parlance cannot be reached.').waitFor();
  await dialog.locator('button[type=submit]:not([aria-disabled])').click();
  await dialog.waitFor({ state: 'hidden' });
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(JSON.stringify(await ask('GET', '/folder/')).match(/"Once"/g)).toHaveLength(1);
  await close();
});

test('a list of more than a hundred rows draws those in view and numbers all; its columns and density stay as a person chose them', async () => {
  const { ask, open } = await world.newUser();
  const numbers = Array.from({ length: 130 }, (_, index) => `+1202555${String(index).padStart(4, '0')}`);
  await ask('POST', '/suppressions', { phone_numbers: numbers, reason: 'asked by letter' });
  const { page, close } = await open('/contacts/blocked');
  const rows = page.locator('table.blocked tbody tr[data-row]');
  const more = page.getByRole('button', { name: 'Load more' });
  await more.click();
  await more.click();
  await page.locator('table.blocked[aria-rowcount="131"]').waitFor();
  expect(await rows.count()).toBeLessThan(100);
  await page
    .locator('.main .overflow-auto')
    .first()
    .evaluate((each: { scrollTop: number }) => (each.scrollTop = 1e9));
  await page.locator('tr[aria-rowindex="131"]').waitFor();
  const height = async () => (await rows.last().boundingBox())?.height ?? 0;
  const before = await height();

  await page.goto(`${world.service.apiUrl}/contacts`);
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone\n+12025550101\n'),
  });
  await page.waitForURL(/\/contacts\/\d+/);
  await page.goto(`${world.service.apiUrl}/contacts`);
  const view = page.getByRole('button', { name: 'Columns and density' });
  await view.click();
  await page.getByRole('menuitem', { name: /^Campaigns/ }).click();
  await page.getByRole('columnheader', { name: 'Campaigns' }).waitFor({ state: 'detached' });
  await view.click();
  await page.getByRole('menuitem', { name: /^Compact/ }).click();
  await page.reload();
  await view.waitFor();
  expect(await page.getByRole('columnheader', { name: 'Campaigns' }).count()).toBe(0);
  await page.goto(`${world.service.apiUrl}/contacts/blocked`);
  await rows.first().waitFor();
  expect(await height()).toBeLessThan(before);
  await close();
});

test('a press counts, although the page learns meanwhile that something is simulated', async () => {
  const { page, complaints, close } = await world.open('/');
  let learn = (): void => undefined;
  const isPressed = new Promise<void>((resolve) => (learn = resolve));
  await page.route('**/api/v1/health', async (route) => {
    await isPressed;
    await route.continue();
  });
  await page.goto(`${world.service.apiUrl}/tools`);
  await page.getByRole('button', { name: 'Import…' }).hover();
  await page.mouse.down();
  learn();
  await page.getByText('Simulated', { exact: true }).waitFor();
  await page.mouse.up();
  await page.getByRole('dialog', { name: 'Import a tool' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

describe('by keyboard', () => {
  test('the palette finds a page and something to do, sequences of keys go to rooms, and the help lists every shortcut once', async () => {
    const { page, close } = await world.open('/');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search names, actions and call numbers').fill('agen');
    await page.getByRole('menuitem', { name: /Agents/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/agents$/);
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForURL((url) => url.pathname === '/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search names, actions and call numbers').fill('new agent');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New agent', exact: true }).waitFor();
    for (const [typed, found] of [
      ['7', 'call:7'],
      ['+1 (555) 000-1001', 'number:+15550001001'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search names, actions and call numbers').fill(typed);
      await page.getByRole('menuitem', { name: /^(Open call|Calls with)/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === '/calls' && url.searchParams.get('q') === found);
    }
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(/\/contacts$/);
    await page.keyboard.press('Shift+?');
    await page.locator('[role=dialog] dd').first().waitFor();
    const keys = await page.locator('[role=dialog] dd').allTextContents();
    expect(keys.length).toBeGreaterThan(3);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await accessibilityFaults(page)).toEqual([]);
    await close();
  });
});

test('in 320 px, which a zoom of 400 % leaves, and with the colors of the person, nothing is cut off, and what is pressed, chosen or typed into has an edge', async () => {
  const { ask, open } = await world.newUser();
  const templates = z.array(z.looseObject({ id: z.int() })).parse(await ask('GET', '/workflow/templates'));
  const { id } = Created.parse(
    await ask('POST', '/workflow/templates/duplicate', {
      template_id: templates[0]?.id,
      workflow_name: 'Appointment reminder',
    }),
  );
  const { workflow_run_id: runId } = Session.parse(
    await ask('POST', `/workflow/${id}/text-chat/sessions`, { initial_context: { first_name: 'Maria' } }),
  );
  const { page, complaints, close } = await open('/', { width: 320, height: 256 * 2 });
  await page.emulateMedia({ forcedColors: 'active' });
  for (const [path, ready] of [
    ['/', 'h1'],
    ['/agents', 'table'],
    [`/agents/${id}?view=outline`, '.out-node'],
    ['/calls', '.call-list'],
    [`/calls/${id}/${runId}`, '.ln-row'],
    ['/campaigns/new', '.campaign-form'],
    ['/contacts', '.sample'],
    ['/telephony', '.empty'],
    ['/models', '.cards-3'],
    ['/settings', 'table'],
  ] as const) {
    await page.goto(`${world.service.apiUrl}${path}`);
    await page.locator(ready).first().waitFor();
    expect([path, await layoutFaults(page)]).toEqual([path, []]);
    expect([path, await page.evaluate(withoutEdge)]).toEqual([path, []]);
  }
  expect(complaints).toEqual([]);
  await close();
});

/** Buttons that only a ground or a shadow sets apart, and chosen parts and fields with the focus without an outline. */
const withoutEdge = `(() => {
  const faults = [];
  for (const each of document.querySelectorAll('.btn:not(.ghost), .badge, .tag'))
    if (each.offsetWidth > 0 && parseFloat(getComputedStyle(each).borderTopWidth) === 0) faults.push(each.outerHTML);
  for (const each of document.querySelectorAll('[aria-current]:not(.tab, .crumb *), [aria-pressed=true], .out [data-selected]'))
    if (each.offsetWidth > 0 && getComputedStyle(each).outlineStyle === 'none') faults.push(each.outerHTML);
  for (const each of document.querySelectorAll('main :is(input, textarea)')) {
    if (each.offsetWidth === 0 || each.closest('.vh, [class*="sr-only"]') !== null) continue;
    each.focus();
    if (document.activeElement === each && getComputedStyle(each).outlineStyle === 'none') faults.push(each.outerHTML);
  }
  return faults;
})()`;

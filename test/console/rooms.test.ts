import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import {
  accessibilityFaults,
  layoutFaults,
  password,
  startConsoleWorld,
  type ConsoleWorld,
} from '../support/console.ts';
import { newMember } from '../support/console-members.ts';
import { connectCarrier } from '../support/console-calls.ts';
import { edge, node, threeStepDefinition } from '../support/definitions.ts';
import { codeOf } from '../support/one-time-codes.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { fillRooms } from '../support/rooms.ts';
import { until } from '../support/until.ts';

const Made = z.looseObject({ id: z.int() });
const Answered = z.looseObject({ inbound_workflow_id: z.int().nullable() });

let world: ConsoleWorld;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver({
    answer: ({ path }) => ({
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: path === '/slots' ? '{"slots":["09:30"]}' : '{"ok":true}',
    }),
  });
  world = await startConsoleWorld();
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

describe('empty rooms', () => {
  test('say what to do', async () => {
    const { page, close } = await world.open('/telephony');
    await page.getByRole('heading', { name: 'No carrier connected' }).waitFor();
    await page.goto(`${world.service.apiUrl}/tools`);
    await page.getByRole('heading', { name: 'No tools yet' }).waitFor();
    await close();
  });
});

describe('a person who sets up', () => {
  test('creates a key that works and is shown once, and rotates it', async () => {
    const { page, complaints, close } = await world.open('/developers');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('This field is required.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Night job');
    await page
      .getByText('Agents, calls, reports and settings, with masked numbers, words and values.')
      .click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create key' }).click();
    const first = await page.getByTestId('new-key').innerText();
    expect(await statusWith(first)).toBe(200);
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.getByRole('button', { name: 'Actions of Night job' }).click();
    await page.getByRole('menuitem', { name: 'Rotate…' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = await page.getByTestId('new-key').innerText();
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I stored it' }).click();
    expect(complaints).toEqual([]);
    await close();
  });

  test('saves a credential whose secret no answer has, and keeps it when only the name changes', async () => {
    const { page, complaints, close } = await world.open('/tools?tab=credentials');
    await page.getByRole('button', { name: 'New credential' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('CRM');
    await page.getByRole('textbox', { name: 'Token' }).fill('crm-secret');
    await page.getByLabel('Allowed hosts').fill('crm.example.com\nhooks.example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('crm.example.com, hooks.example.com').waitFor();
    await page.getByRole('button', { name: 'Edit CRM' }).click();
    expect(await page.getByRole('textbox', { name: 'Token' }).inputValue()).toBe('');
    await page.getByLabel('Name', { exact: true }).fill('CRM of the practice');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit CRM of the practice' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('makes a tool, sees what is missing where it is, and tries the request against their own server', async () => {
    const { page, close } = await world.open('/tools?tool=new');
    await page.getByLabel('Name', { exact: true }).first().fill('Find free slots');
    await page.getByRole('button', { name: 'Create tool' }).click();
    await page.getByText('This field is required.').waitFor();
    expect(await page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('URL').fill(`${receiver.url}/slots`);
    const argument = page.getByRole('group', { name: 'Arguments' });
    await argument.getByRole('button', { name: /^Add/ }).click();
    await argument.getByLabel('Name 1').fill('day');
    await argument.getByLabel('Meaning 1').fill('The wanted day');
    await page.getByRole('button', { name: 'Create tool' }).click();
    const trial = page.locator('section', { hasText: 'Try it' });
    await trial.getByLabel('day').fill('Thursday');
    await trial.getByRole('button', { name: 'Send request' }).click();
    await trial.getByText('"09:30"').waitFor();
    expect(receiver.requests.find(({ path }) => path === '/slots')?.body).toBe('{"day":"Thursday"}');

    await page.getByText('No node uses it yet').waitFor();
    const uuid = new URL(page.url()).searchParams.get('tool') ?? '';
    await world.ask('POST', '/workflow/create/definition', {
      name: 'Recall',
      workflow_definition: {
        nodes: [
          node('start', 'startCall', { name: 'Start', prompt: 'Offer a slot.', tool_uuids: [uuid] }),
          node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
        ],
        edges: [edge('e1', 'start', 'bye', 'done')],
      },
    });
    await page.reload();
    const use = page.getByRole('region', { name: 'Used by 1 node' }).getByRole('link');
    expect(await use.getAttribute('href')).toContain('node=start');
    await page
      .getByRole('row', { name: /^Find free slots/ })
      .getByText('1 node')
      .waitFor();
    await close();
  });

  test('begins a tool with a curl command or with an operation of an OpenAPI document', async () => {
    const { page, complaints, close } = await world.open('/tools');
    await page.getByRole('button', { name: 'Import…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import a tool' });
    await dialog.getByRole('button', { name: 'Read' }).click();
    await dialog.getByText('Paste a curl command or an OpenAPI document.').waitFor();
    const words = dialog.getByRole('textbox', { name: 'curl command or OpenAPI document' });
    const document = {
      openapi: '3.1.0',
      servers: [{ url: receiver.url }],
      paths: {
        '/slots': { get: { summary: 'Find slots' }, post: { summary: 'Book a slot' } },
      },
    };
    await words.fill(JSON.stringify(document));
    await dialog.getByRole('button', { name: 'Read' }).click();
    await dialog.getByRole('button', { name: /Book a slot/ }).waitFor();
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await words.fill(
      `curl -X POST ${receiver.url}/imported -H 'Authorization: Bearer x' -d '{"day":"Friday"}'`,
    );
    await dialog.getByRole('button', { name: 'Read' }).click();
    await page.getByText('Left out, because they are secret: Authorization.').waitFor();
    await page.getByLabel('Name', { exact: true }).first().fill('Book a slot');
    await page.getByRole('button', { name: 'Create tool' }).click();
    const trial = page.locator('section', { hasText: 'Try it' });
    await trial.getByLabel('day').fill('Monday');
    await trial.getByRole('button', { name: 'Send request' }).click();
    await trial.getByText('"ok": true').waitFor();
    expect(receiver.requests.find(({ path }) => path === '/imported')?.body).toBe('{"day":"Monday"}');
    expect(complaints).toEqual([]);
    await close();
  });

  test('connects a carrier, mends what is missing, adds a number, says who answers it, and follows a call step by step', async () => {
    await world.ask('POST', '/workflow/create/definition', {
      name: 'Front desk',
      workflow_definition: threeStepDefinition(),
    });
    const { page, complaints, close } = await world.open('/telephony');
    await page.getByRole('button', { name: 'Connect a carrier' }).first().click();
    await page.getByRole('button', { name: /Telnyx/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('Front desk line');
    await page.getByLabel('API key').fill('simulated-key');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText(/Cannot call: the public key/).waitFor();
    const answer = await fetch(`${world.service.carrier.url}/emulator/public-key`);
    const { publicKey } = z.object({ publicKey: z.string() }).parse(await answer.json());
    await page.getByRole('listitem').filter({ hasText: 'Public key' }).getByRole('button').click();
    expect(await page.getByLabel('API key').inputValue()).toMatch(/^\*+-key$/);
    await page.getByLabel('Public key').fill(publicKey);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Cannot call: it has no active phone number/).waitFor();
    await page.getByRole('button', { name: 'Add number' }).first().click();
    await page.getByRole('dialog').getByLabel('Number').fill('+12025550100');
    await page.getByRole('dialog').getByRole('button', { name: 'Add number' }).click();
    await page.getByText('Ready to call').waitFor();

    await page.getByRole('button', { name: /Answered by, \+12025550100/ }).click();
    await page.getByRole('option', { name: 'Front desk' }).click();
    await page.getByText('Front desk answers +12025550100 from now on').waitFor();
    await page.reload();
    await page.getByRole('button', { name: /Front desk/ }).waitFor();

    await page.getByRole('button', { name: 'Call me now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Call me now' });
    await dialog.getByLabel('Your number').fill('+12025550001');
    await dialog.getByRole('button', { name: 'Call now' }).click();
    await dialog.getByText('user_busy · SIP 486').waitFor();
    const steps = dialog.getByRole('list', { name: 'Steps of the call' }).getByRole('listitem');
    expect((await steps.allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual([
      'Dialed',
      'Answered',
      'Audio',
      'First',
      'Conversation',
      'Ended',
    ]);
    await dialog.getByRole('status').getByText('Busy').waitFor();
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    expect(await dialog.getByRole('link', { name: 'Open the call' }).getAttribute('href')).toMatch(
      /\/calls\//,
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test('of the agents that are chosen for a number faster than the page saves them, the last one answers it', async () => {
    const owner = { ...(await world.newUser()), service: world.service };
    const [desk = 0, night = 0] = await Promise.all(
      ['Day desk', 'Night desk'].map(async (name) => {
        const body = { name, workflow_definition: threeStepDefinition() };
        return Made.parse(await owner.ask('POST', '/workflow/create/definition', body)).id;
      }),
    );
    await connectCarrier({ ...owner, mark: `${world.mark}-quick` });
    const { page, close } = await owner.open('/telephony');
    const answeredBy = page.getByRole('button', { name: /Answered by, \+12025550100/ });
    await answeredBy.waitFor();
    const saved: (number | null)[] = [];
    const chosen = Promise.withResolvers<void>();
    await page.route('**/phone-numbers/*', async (route) => {
      saved.push(Answered.parse(route.request().postDataJSON()).inbound_workflow_id);
      if (saved.length > 1) await chosen.promise;
      await route.continue();
    });
    for (const name of ['Day desk', 'Night desk']) {
      await answeredBy.click();
      await page.getByRole('option', { name }).click();
    }
    await until('the second save', async () => saved.length === 2);
    // The service still names the one that is chosen once more.
    expect(await answeredBy.textContent()).toBe('Night desk');
    await answeredBy.click();
    await page.getByRole('option', { name: 'Day desk' }).click();
    chosen.resolve();
    await until('the third save', async () => saved.length === 3);
    expect(saved).toEqual([desk, night, desk]);
    await close();
  });

  test('rotates the signing secret: both sign until the old one is retired', async () => {
    const { ask, open } = await world.newUser();
    const { page, complaints, close } = await open('/developers?tab=secrets');
    const retire = page.getByRole('button', { name: 'Retire' });
    await retire.waitFor();
    expect(await retire.isDisabled()).toBe(true);
    const step = page.getByRole('list').locator('[aria-current="step"]');
    await step.getByText('Add a second secret').waitFor();
    await page.getByRole('button', { name: 'Add secret' }).click();
    await step.getByText('Give it to your receivers').waitFor();
    expect(await page.getByRole('button', { name: 'Add secret' }).isDisabled()).toBe(true);
    const Secrets = z.array(z.looseObject({ secret: z.string(), created_at: z.string() }));
    const read = async () =>
      Secrets.parse(await ask('GET', '/organizations/webhook-secrets'))
        .toSorted((one, other) => one.created_at.localeCompare(other.created_at))
        .map(({ secret }) => secret);
    const [old = '', now = ''] = await read();
    const row = page.locator('.room-row', { hasText: old.slice(-4) });
    expect(await page.content()).not.toContain(old);
    await row.getByRole('button', { name: 'Show secret' }).click();
    await row.getByText(old).waitFor();
    await step.getByRole('button', { name: `Copy the new one, …${now.slice(-4)}` }).waitFor();
    await page.getByRole('button', { name: `Retire …${old.slice(-4)}` }).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await dialog.getByText('It no longer signs webhooks.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Retire' }).click();
    await row.waitFor({ state: 'detached' });
    expect([await read(), await layoutFaults(page), complaints]).toEqual([[now], [], []]);
    await close();
  });

  test('sets an own model, has its key checked, and listens to voices before choosing one', async () => {
    const { open } = await world.newUser();
    const { page, close } = await open('/models');
    const level = page.getByRole('listitem').filter({ hasText: 'Used now' });
    await level.filter({ hasText: 'Installation' }).waitFor();
    const card = (title: string) =>
      page.locator('.card', { has: page.getByRole('heading', { name: title }) });
    const thinks = card('Thinks');
    const choose = async (of: Locator, vendor: string) => {
      await of.getByRole('button', { name: /Vendor/ }).click();
      await page.getByRole('option', { name: vendor }).click();
    };
    await choose(thinks, 'OpenAI-compatible server');
    await thinks.getByLabel('Model').fill('house-model');
    await thinks.getByLabel('API key').fill('house-key-1234');
    await thinks.getByLabel('URL').fill(receiver.url);
    await thinks.getByRole('button', { name: 'Save' }).click();
    await page.getByText('OpenAI-compatible server is used from the next request on').waitFor();
    await level.filter({ hasText: 'Organization' }).waitFor();
    await page.reload();
    expect(await thinks.getByLabel('API key').inputValue()).toBe('**********1234');
    await page.getByRole('button', { name: 'Check keys' }).click();
    await page.getByText('Keys accepted').waitFor();
    expect(
      receiver.requests.some(({ headers }) => headers['authorization'] === 'Bearer house-key-1234'),
    ).toBe(true);

    const speaks = card('Speaks');
    await choose(speaks, 'Google');
    const sample = page.waitForResponse((answer) => answer.url().endsWith('/voices/google/sample'));
    await speaks.getByRole('button', { name: 'Listen to Kore' }).click();
    expect((await sample).headers()['content-type']).toBe('audio/wav');
    await speaks.getByRole('button', { name: 'Stop Kore' }).click();
    await speaks.getByRole('button', { name: 'Listen to Kore' }).waitFor();
    // Another voice is chosen while the first is still asked for: only the newest is heard.
    await page.route('**/voices/google/sample', (route) =>
      route.request().postDataJSON().voice === 'Kore' ? undefined : route.continue(),
    );
    const dropped = page.waitForEvent('requestfailed');
    await speaks.getByRole('button', { name: 'Listen to Kore' }).click();
    await speaks.getByRole('button', { name: 'Listen to Leda' }).click();
    await speaks.getByRole('button', { name: 'Stop Leda' }).waitFor();
    expect((await dropped).postDataJSON()).toMatchObject({ voice: 'Kore' });
    await speaks.getByRole('button', { name: 'Leda female' }).click();
    await speaks.getByRole('button', { name: 'Leda female', pressed: true }).waitFor();
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await close();
  });

  test('sees why something is not for their role, is refused nothing that a page asks for, and their page stops when they are removed', async () => {
    const email = `cleo${world.mark}@brightsmile.example`;
    const practice = { ...(await world.newUser()), service: world.service, mark: `${world.mark}-roles` };
    const { toolUuid } = await fillRooms(practice, receiver.url);
    const manager = await newMember(practice, { email, role: 'campaign_manager', name: 'Cleo Marsh' });
    const { page, complaints, close } = await world.open('/agents', { session: manager, width: 390 });
    await page.getByText('As Campaign manager you may not change agents, tools and credentials.').waitFor();
    expect(await page.getByRole('link', { name: 'New agent' }).count()).toBe(0);
    const bar = page.getByRole('navigation', { name: 'Main' });
    await bar.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
    for (const [path, words] of [
      ['/webhooks', 'As Campaign manager you may not send webhooks again or test them.'],
      ['/settings?tab=changes', 'Not for your role'],
      ['/settings', 'Your role in'],
    ] as const) {
      await page.goto(`${world.service.apiUrl}${path}`);
      await page.getByText(words).waitFor();
    }
    expect(await page.getByRole('button', { name: 'Invite a person' }).isDisabled()).toBe(true);
    for (const [path, name] of [
      ['/telephony', /Answered by, \+12025550101/],
      [`/tools?tool=${toolUuid}`, 'Send request'],
      ['/models', 'Listen to Kore'],
    ] as const) {
      await page.goto(`${world.service.apiUrl}${path}`);
      const control = page.getByRole('button', { name });
      await control.waitFor();
      expect(await control.isDisabled()).toBe(true);
    }
    await page.goto(`${world.service.apiUrl}/settings`);
    await page.getByText('Your role in').waitFor();
    expect(await page.getByRole('button', { name: /^Actions of/ }).count()).toBe(0);
    expect([await accessibilityFaults(page), await layoutFaults(page), complaints]).toEqual([[], [], []]);

    const owner = await practice.open('/settings');
    // Of what the page asks by itself after the removal, only the first question about its person is answered: that has
    // to be enough.
    const shown = Promise.withResolvers<void>();
    let isRemoved = false;
    let asked = 0;
    await page.route('**/api/v1/**', async (route) => {
      if (isRemoved && !(route.request().url().endsWith('/auth/me') && (asked += 1) === 1))
        await shown.promise;
      await route.continue();
    });
    await owner.page.getByRole('button', { name: 'Actions of Cleo Marsh' }).click();
    await owner.page.getByRole('menuitem', { name: 'Remove…' }).click();
    await owner.page.getByRole('button', { name: 'Remove Cleo Marsh' }).click();
    await owner.page.getByText('Cleo Marsh', { exact: true }).waitFor({ state: 'detached' });
    isRemoved = true;
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    shown.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You belong to no organization any more').waitFor();
    expect(owner.complaints).toEqual([]);
    await Promise.all([close(), owner.close()]);
  });

  test('sets time zone, dialing and retention with a fault at its field, and reads who changed what', async () => {
    const { ask, open } = await world.newUser();
    const email = `nia${world.mark}@brightsmile.example`;
    await newMember({ ask, service: world.service }, { email, role: 'operator', name: 'Nia Lund' });
    const { page, complaints, close } = await open('/settings?tab=organization');
    const tab = async (name: string) => await page.getByRole('tab', { name }).click();
    const save = async () => await page.getByRole('button', { name: 'Save' }).click();
    const saved = async () => await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Time zone/ }).click();
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await save();
    await saved();
    expect(await accessibilityFaults(page)).toEqual([]);

    await tab('Dialing');
    await page.getByLabel('Dials per second').fill('2');
    await page.getByLabel('Countries').fill('Germany');
    await save();
    await page.locator('textarea[aria-invalid="true"]').waitFor();
    await page.getByLabel('Countries').fill('DE\nat');
    await save();
    await saved();
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    expect(await ask('GET', '/organizations/dial-policy')).toMatchObject({
      starts_per_second: 2,
      allowed_countries: ['DE', 'AT'],
      window: null,
    });

    await tab('Retention');
    await page.getByLabel('Transcripts').fill('30');
    await page.getByLabel('Values').fill('7');
    await save();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('Values').fill('30');
    await page.getByLabel('Recordings').fill('30');
    await save();
    await saved();
    expect(await ask('GET', '/organizations/retention')).toMatchObject({
      transcript_days: 30,
      recording_days: 30,
      variable_days: 30,
    });

    await tab('Changes');
    const change = page.getByRole('button', { name: /set the retention policy of organization/ });
    await change.click();
    await page.getByText('Transcript days was set to 30.').waitFor();
    await page.getByRole('button', { name: /set the dial policy of organization/ }).waitFor();
    await page.getByRole('link', { name: /^Request / }).click();
    await page.getByRole('button', { name: 'Show all' }).waitFor();
    await page.locator('li .room-row').nth(1).waitFor({ state: 'detached' });
    await change.waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();

    // By person, and by day.
    const joined = page.getByRole('button', { name: /^Nia Lund joined/ });
    await joined.waitFor();
    await page.getByRole('button', { name: /Changes by/ }).click();
    await page.getByRole('option', { name: 'Nia Lund' }).click();
    await change.waitFor({ state: 'detached' });
    await joined.waitFor();
    await page.getByLabel('From day').fill('2099-01-01');
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await change.waitFor();
    await page.getByLabel('Until day').fill('2020-01-01');
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
    await page.getByLabel('Until day').fill('2099-01-01');
    await change.waitFor();
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    expect(complaints.filter((each) => !each.includes('status of 422'))).toEqual([]);
    await close();
  });

  test('lets a member who has lost the password choose another one by a link, which signs them in once, also in the tab of a link that was used', async () => {
    const { ask, open } = await world.newUser();
    const email = `ada${world.mark}@brightsmile.example`;
    const member = await newMember(
      { ask, service: world.service },
      { email, role: 'operator', name: 'Ada Byrne' },
    );
    const owner = await open('/settings?tab=people');
    await owner.page.getByRole('button', { name: 'Actions of Ada Byrne' }).click();
    await owner.page.getByRole('menuitem', { name: 'Reset password…' }).click();
    await owner.page.getByRole('button', { name: 'Make the link' }).click();
    const link = await owner.page.getByTestId('shown-link').innerText();
    expect([await accessibilityFaults(owner.page), await layoutFaults(owner.page)]).toEqual([[], []]);
    await owner.page.getByRole('button', { name: 'I copied it' }).click();
    const path = `/${new URL(link).hash}`;
    const theirs = await open('/#new-password=used', { isSignedOut: true, width: 390 });
    const { page } = theirs;
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.goto(`${world.service.apiUrl}${path}`);
    await page.getByText(email).waitFor();
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('New password').fill(`${password} anew`);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByRole('button', { name: /account/ }).waitFor();
    const former = { headers: { authorization: `Bearer ${member.token}` } };
    expect((await fetch(`${world.service.apiUrl}/api/v1/auth/me`, former)).status).toBe(401);
    await page.goto(`${world.service.apiUrl}${path}`);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByRole('button', { name: 'Go to Parlance' }).click();
    await page.getByRole('button', { name: /account/ }).waitFor();
    await theirs.close();
    expect(owner.complaints).toEqual([]);
    await owner.close();
  });

  test('turns sign-in codes on, signs in with them and with a recovery code, and turns them off', async () => {
    const { open, session } = await world.newUser();
    const own = await open('/settings?tab=account');
    const { page } = own;
    const faults = async (of: Page) => [await accessibilityFaults(of), await layoutFaults(of)];
    await page.getByRole('button', { name: 'Turn on…' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    expect(await faults(page)).toEqual([[], []]);
    const secret = (await page.getByTestId('secret').innerText()).replaceAll(' ', '');
    const code = (later = 0) => codeOf(secret, new Date(Date.now() + later * 30_000));
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.getByText('The code is wrong, or was used already').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(code());
    await page.keyboard.press('Enter');
    const codes = (await page.getByTestId('recovery-codes').innerText()).split('\n');
    expect(codes).toHaveLength(10);
    expect(await faults(page)).toEqual([[], []]);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect(readFileSync(await (await saving).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
    await page.getByRole('button', { name: 'I saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();

    const theirs = await open('/', { isSignedOut: true, width: 390 });
    const enter = async (sent: string) => {
      await theirs.page.getByLabel('Email').fill(session.user.email);
      await theirs.page.getByLabel('Password').fill(password);
      await theirs.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      const field = theirs.page.getByLabel('Code', { exact: true });
      await field.waitFor();
      expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
      expect(await faults(theirs.page)).toEqual([[], []]);
      await field.fill('000000');
      await theirs.page.keyboard.press('Enter');
      await theirs.page.getByText('The code is wrong, or was used already').waitFor();
      if (sent.length > 6) await theirs.page.getByRole('button', { name: 'Use a recovery code' }).click();
      await theirs.page.getByLabel(/ode$/).fill(sent);
      await theirs.page.keyboard.press('Enter');
      await theirs.page.getByRole('button', { name: /account/ }).waitFor();
    };
    await enter(code(1));
    await theirs.page.evaluate(() => localStorage.removeItem('parlance.session'));
    await theirs.page.reload();
    await enter(codes[0] ?? '');
    await theirs.close();

    await page.reload();
    await page.getByText('9 recovery codes left').waitFor();
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill(password);
    await page.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await page.getByText('Sign-in codes are off').waitFor();
    await page.getByRole('button', { name: 'Turn on…' }).waitFor();
    expect(own.complaints.filter((each) => !each.includes('status of 400'))).toEqual([]);
    await own.close();
  });

  test('changes the password, sees the sessions and ends one', async () => {
    const login = async (secret: string) =>
      await fetch(`${world.service.apiUrl}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: world.session.user.email, password: secret }),
      });
    const { page, close } = await world.open('/');
    await page.getByRole('button', { name: /account/ }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByText('This session').waitFor();
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('New password').fill(`${password} again`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText(/current password is wrong/).waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText(/^Password changed/).waitFor();
    expect((await login(`${password} again`)).status).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('1 session ended').waitFor();
    await close();
  });
});

const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${world.service.apiUrl}/api/v1/auth/me`, { headers: { 'x-api-key': key } })).status;

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { withEars, withMicrophones } from '../support/console-microphones.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleTab,
  type ConsoleUser,
  type ConsoleWorld,
  type ViewOptions,
} from '../support/console.ts';
import { until } from '../support/until.ts';

let world: ConsoleWorld;

beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(async () => await world.close());

/** A reply that may be said now. */
const reply = (page: Page, words: string) =>
  page.locator('.chips button:not([aria-disabled=true])', { hasText: words });
const waitForReply = async (page: Page, words: string) => await reply(page, words).waitFor();
/**
 * Answers until `sign` is there, and answers how often no media host took the call: one that is late on a busy machine
 * takes none. Then its socket refuses, or the API offers none and the conversation is by text; a person rings again.
 */
async function takeCall(
  { page, complaints }: Pick<ConsoleTab, 'page' | 'complaints'>,
  sign: Locator,
  press: (button: Locator) => Promise<void>,
): Promise<number> {
  const refusal = page.getByText('The media host did not take the call.');
  const byText = page.getByText('No media host takes calls right now');
  for (let refused = 0; refused < 8; refused += 1) {
    await press(page.getByRole('button', { name: 'Answer' }));
    await sign
      .or(refusal)
      .or(byText)
      .first()
      .waitFor()
      .catch(async (cause: unknown) => {
        const shown = await page.locator('main').innerText();
        throw new Error(`The page says: ${shown}\nThe browser says: ${complaints.join('\n')}`, { cause });
      });
    if ((await byText.count()) > 0) {
      const offer = complaints.findIndex((each) => / 503 .*\/workflow\/\d+\/runs$/.test(each));
      if (offer === -1) throw new Error(`A text conversation, although: ${complaints.join()}`);
      complaints.splice(offer, 1);
      await press(page.getByRole('button', { name: 'Hang up' }));
    } else if ((await refusal.count()) === 0) return refused;
    await press(page.getByRole('button', { name: 'Ring again' }));
  }
  throw new Error(
    `No media host took the call in eight attempts. The browser says: ${complaints.join('\n')}`,
  );
}
const click = async (button: Locator) => await button.click();
const tap = async (button: Locator) => await button.tap();
/** Moves the focus as a person does. */
async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await page.locator(':focus').and(target).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${target.toString()}`);
}
const enter = async (button: Locator) => {
  await tabTo(button);
  await button.page().keyboard.press('Enter');
};
const focused = async (page: Page) => await page.evaluate('document.activeElement?.textContent');
const faultless = async (page: Page) => {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
};

/** A new user's tab at the first run, opened by the link that `npm start` prints. */
async function openByLink(options: ViewOptions) {
  const user = await world.newUser();
  await user.ask('PUT', '/user/onboarding-state', { skipped: false });
  const tab = await user.open(await user.signInLink(), { ...options, isSignedOut: true });
  await tab.page.getByRole('button', { name: /Appointment reminder/ }).waitFor();
  expect(new URL(tab.page.url())).toMatchObject({ pathname: '/welcome', hash: '' });
  return { user, ...tab };
}
/** Opens the page of the call that has ended. The bench measures how long the way there takes. */
async function seeCall(page: Page, press: (link: Locator) => Promise<void>): Promise<void> {
  await press(page.getByRole('link', { name: 'See this call' }));
  await page.waitForURL(/\/calls\/\d+\/\d+/);
  await page.locator('.ln-row').first().waitFor();
}

const Runs = z.object({
  runs: z.array(z.looseObject({ id: z.int(), workflow_id: z.int(), disposition: z.string().nullable() })),
});
const Onboarding = z.object({ completed_at: z.string().nullable(), skipped: z.boolean() });
const Templates = z.array(z.looseObject({ id: z.int(), template_name: z.string() }));
const Made = z.looseObject({ id: z.int() });
const Audit = z.object({ items: z.array(z.looseObject({ action: z.string() })) });
const runsOf = async ({ ask }: ConsoleUser) => Runs.parse(await ask('GET', '/organizations/usage/runs')).runs;
const onboardingOf = async ({ ask }: ConsoleUser) =>
  Onboarding.parse(await ask('GET', '/user/onboarding-state'));

// The tests mostly wait for speech, so they run concurrently, each with its own user.

test.concurrent('by mouse: the printed link leads here, an agent calls, its outcome, path, values and webhook are seen, and then the page of the call', async () => {
  const { user, page, complaints, close } = await openByLink({ width: 1440, height: 900 });
  await page.getByRole('button', { name: /Appointment reminder/ }).click();
  await page.getByText('Incoming call').waitFor();
  const refused = await takeCall({ page, complaints }, reply(page, 'Yes, this is Maria.'), click);
  for (const words of [
    'Yes, this is Maria.',
    "I can't make it. Can we find another time?",
    'Thursday at 9 am.',
    "Yes, that's right.",
  ]) {
    await waitForReply(page, words);
    await reply(page, words).click();
    await page.locator('.bub.c', { hasText: words }).waitFor();
  }
  await page.getByRole('heading', { name: /Call ended after/ }).waitFor();
  await page.locator('.outcome b', { hasText: 'Appointment reschedule' }).waitFor();
  const path = page.locator('.pathl li.seen1');
  expect(await path.locator('b').allTextContents()).toEqual([
    'Opening',
    'Confirm the appointment',
    'Find another time',
    'Another time wanted',
  ]);
  await page.locator('.vals .new', { hasText: 'preferred_time' }).waitFor();
  expect(await page.locator('.hook mark').allTextContents()).toContain('"Thursday at 9 am"');
  await faultless(page);
  const temporal = page.getByRole('link', { name: 'Open in Temporal UI' });
  expect(await temporal.getAttribute('href')).toMatch(/^http.+\/workflows\/call%2F/);
  const runs = await runsOf(user);
  expect(runs[0]?.disposition).toBe('appointment_reschedule');
  expect(runs.length).toBeLessThanOrEqual(1 + refused);
  expect((await onboardingOf(user)).completed_at).not.toBeNull();
  await seeCall(page, click);
  expect(complaints).toEqual([]);
  await close();
});

test.concurrent('by keyboard alone: Enter answers, Tab leads from reply to reply and to the page of the call, and the agent of before is called again', async () => {
  const { user, page, complaints, close } = await openByLink({ theme: 'dark' });
  const templates = Templates.parse(await user.ask('GET', '/workflow/templates'));
  const template = templates.find(({ template_name: name }) => name === 'Appointment reminder');
  const before = Made.parse(
    await user.ask('POST', '/workflow/templates/duplicate', {
      template_id: template?.id,
      workflow_name: template?.template_name,
    }),
  );
  await enter(page.getByRole('button', { name: /Appointment reminder/ }));
  await page.getByRole('button', { name: 'Answer' }).waitFor();
  expect(await focused(page)).toBe('Answer');
  await faultless(page);
  await takeCall({ page, complaints }, reply(page, 'I have no time right now.'), enter);
  await enter(reply(page, 'Yes, this is Maria.'));
  await waitForReply(page, 'Please cancel it.');
  await page.locator(':focus', { hasText: 'I will be there.' }).waitFor();
  await faultless(page);
  await enter(reply(page, 'Please cancel it.'));
  await page.getByRole('heading', { name: /Call ended after/ }).waitFor();
  expect(await focused(page)).toContain('Call ended after');
  await page.locator('.outcome b', { hasText: 'Appointment canceled' }).waitFor();
  await faultless(page);
  await seeCall(page, enter);
  const called = new Set((await runsOf(user)).map(({ workflow_id: id }) => id));
  expect([...called]).toEqual([before.id]);
  expect(complaints).toEqual([]);
  await close();
});

test.concurrent('at 390 px: typed words are answered, what happens is a sheet, and the page of the call follows', async () => {
  const { page, complaints, close } = await openByLink({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Customer survey/ }).tap();
  await page.getByRole('button', { name: 'Answer' }).waitFor();
  await faultless(page);
  await takeCall({ page, complaints }, reply(page, 'All right, ask me.'), tap);
  await page.getByRole('textbox', { name: 'Say something else' }).fill('All right, ask me.');
  await page.keyboard.press('Enter');
  await waitForReply(page, 'I would say 9.');
  await page.getByRole('button', { name: /Show what happens/ }).tap();
  await page.getByRole('heading', { name: 'Path' }).waitFor();
  await faultless(page);
  await page.getByRole('button', { name: /Hide what happens/ }).tap();
  await reply(page, 'Please stop here.').tap();
  await page.locator('.outcome b', { hasText: 'Survey declined' }).waitFor();
  await faultless(page);
  await seeCall(page, tap);
  expect(complaints).toEqual([]);
  await close();
});

test.concurrent('a supervisor finds the call on the wall, has a line said, gives a note, silences the agent, moves the call and hangs up', async () => {
  const { user, page, complaints, close } = await openByLink({ width: 1280, height: 900 });
  await page.getByRole('button', { name: /Appointment reminder/ }).click();
  await takeCall({ page, complaints }, reply(page, 'Yes, this is Maria.'), click);
  await reply(page, 'Yes, this is Maria.').click();
  await waitForReply(page, "I can't make it. Can we find another time?");
  const [run] = await runsOf(user);
  const beside = await user.open('/live', { width: 1440, height: 900 });
  const card = beside.page.locator('.wall-card', { hasText: 'Maria' });
  await card.getByText('Confirm the appointment').waitFor();
  await card.getByText('would another time suit you better?').waitFor();
  await faultless(beside.page);
  await card.click();
  const words = beside.page.getByRole('textbox', { name: 'Words for the caller, or a note for the agent' });
  const press = async (name: string) => await beside.page.getByRole('button', { name, exact: true }).click();
  const said = async (text: string) =>
    await beside.page.locator('.script li', { hasText: text }).first().waitFor();

  await words.fill('One moment, please.');
  await press('Say it');
  await said('One moment, please.');
  await said('had a line said');
  await faultless(beside.page);
  await beside.page.getByRole('link', { name: 'Open call' }).click();
  await beside.page.waitForURL(`**/calls/${run?.workflow_id}/${run?.id}`);
  await beside.page.getByRole('heading', { name: 'On the line with Maria Keller' }).waitFor();
  const another = await beside.page.context().newPage();
  const asked: string[] = [];
  another.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await another.goto(beside.page.url());
  await another.locator('.script li', { hasText: 'One moment, please.' }).waitFor();
  await words.fill('Offer Friday.');
  await press('Tell the agent');
  await said('gave the agent a note');
  await another.locator('.script li', { hasText: 'gave the agent a note' }).waitFor();
  expect(asked.filter((path) => path.endsWith('/events'))).toEqual([]);
  await another.close();
  await press('Silence the agent');
  await beside.page.getByText('The agent is silent and listens.', { exact: false }).waitFor();
  await faultless(beside.page);
  await beside.page.setViewportSize({ width: 390, height: 844 });
  await faultless(beside.page);
  await beside.page.setViewportSize({ width: 1440, height: 900 });
  await press('Let the agent speak');
  await press('Move to…');
  await beside.page.getByRole('menuitem', { name: 'Find another time' }).click();
  await said('moved the conversation');
  await beside.page.locator('.script .stepline', { hasText: 'Find another time' }).waitFor();
  await press('Hang up');
  await beside.page.getByRole('group', { name: /^Hang up on / }).waitFor();
  await faultless(beside.page);
  await press('Hang up now');
  await page.getByRole('heading', { name: /Call ended after/ }).waitFor();
  await beside.page.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' });
  await said('hung up');
  const { items } = Audit.parse(
    await user.ask('GET', `/organizations/audit-log?object_type=call&object_id=${run?.id}`),
  );
  expect(items.map(({ action }) => action).filter((action) => action.startsWith('call.'))).toEqual(
    expect.arrayContaining([
      'call.line_said',
      'call.note_given',
      'call.agent_paused',
      'call.agent_resumed',
      'call.moved',
      'call.hung_up',
    ]),
  );
  expect([...complaints, ...beside.complaints]).toEqual([]);
  await beside.close();
  await close();
});

test.concurrent('a microphone is used when recognizers are real: typed words do when it is refused, and another device when one is lost', async () => {
  const user = await world.newUser();
  const { page, complaints, close } = await user.open('/welcome?template=1');
  await withEars(page);
  await page.reload();
  await page.getByText('Then speak, or type.').waitFor();
  await page.evaluate(
    `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError') }`,
  );
  await takeCall({ page, complaints }, reply(page, 'Yes, this is Maria.'), click);
  await page.getByText('The microphone is not available.').waitFor();
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByRole('heading', { name: /Call ended after/ }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.locator('.outcome b', { hasText: 'Hung up' }).waitFor();

  let isHeard = false; // the browser's own microphone, which beeps
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      isHeard ||= typeof payload !== 'string' && payload.some((byte) => byte !== 0);
    }),
  );
  // The call is answered before the page knows that the service understands speech.
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/v1/health', async (route) => {
    await answered.promise;
    await route.fallback();
  });
  await page.reload();
  await takeCall({ page, complaints }, reply(page, 'Yes, this is Maria.'), async (button) => {
    await button.click();
    answered.resolve();
  });
  await page.getByRole('button', { name: /Microphone: Fake Default/ }).waitFor();
  await until('the media host is sent what the microphone hears', async () => isHeard);
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByRole('link', { name: 'Call a phone' }).click();
  await page.getByRole('heading', { name: 'Telephony', level: 1 }).waitFor();

  await page.goBack();
  await withMicrophones(page);
  await takeCall({ page, complaints }, reply(page, 'Yes, this is Maria.'), click);
  await page.getByRole('button', { name: 'Microphone: Headset' }).click();
  await page.getByRole('menuitem', { name: 'Laptop' }).click();
  await page.getByRole('button', { name: 'Microphone: Laptop' }).waitFor();
  await page.evaluate(`unplug('laptop')`);
  await page.getByText('“Laptop” is gone. “Headset” is heard instead.').waitFor();
  await faultless(page);
  await page.evaluate(`unplug('headset')`);
  await page.getByText('“Headset” is gone, and no other microphone is left.').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await faultless(page);
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByRole('button', { name: 'To the console' }).click();
  await page.getByRole('heading', { name: 'On the line' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.concurrent('a lost socket says so, and the phone rings again; declining starts nothing', async () => {
  const user = await world.newUser();
  const { page, complaints, close } = await user.open('/welcome?template=1');
  await page.routeWebSocket(/\/ws\/call\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      socket.send(message);
      if (typeof message === 'string' && message.includes('rtf-bot-started-speaking'))
        void socket.close({ code: 1011 });
    });
  });
  await page.reload();
  await takeCall({ page, complaints }, page.getByRole('heading', { name: 'The connection was lost' }), click);
  await page.getByRole('button', { name: 'Ring again' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'You declined', level: 3 }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await close();
});

test.concurrent('without a media host it is a text conversation with the same agent, and says why; “Change what it says” opens its opening', async () => {
  const user = await world.newUser();
  const { page, close } = await user.open('/welcome?template=1');
  await page.route('**/runs', async (route) =>
    route.request().method() === 'POST'
      ? await route.fulfill({ status: 503, json: { detail: 'No media host takes calls' } })
      : await route.fallback(),
  );
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.getByText('No media host takes calls right now').waitFor();
  await waitForReply(page, 'You have the wrong number.');
  await reply(page, 'You have the wrong number.').click();
  await page.locator('.outcome b', { hasText: 'Wrong person' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Change what it says' }).click();
  await page
    .locator('.cm-content', { hasText: 'find out whether you speak with the right person' })
    .waitFor();
  await close();
});

test.concurrent('“Skip to the console” is remembered', async () => {
  const user = await world.newUser();
  await user.ask('PUT', '/user/onboarding-state', { skipped: false, completed_at: null });
  const { page, close } = await user.open('/');
  await page.waitForURL(/\/welcome$/);
  await faultless(page);
  await page.route('**/user/onboarding-state', async (route) => {
    await delay(route.request().method() === 'PUT' ? 500 : 0);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Skip to the console' }).click();
  await page.getByRole('heading', { name: 'On the line' }).waitFor();
  // Before the request has left.
  await page.reload();
  await page.getByRole('heading', { name: 'On the line' }).waitFor();
  await until('the service to remember it', async () => (await onboardingOf(user)).skipped);
  await close();
});

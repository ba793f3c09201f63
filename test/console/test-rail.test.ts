import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { eventsIn, readScript } from '../../console/src/screens/call/script.ts';
import { rowsOf } from '../../console/src/screens/editor/rail/rows.ts';
import { demoAgent } from '../../tools/demo/agent.ts';
import { callersLines, expectedPath, expectedVariables } from '../../tools/demo/script.ts';
import { connectCarrier } from '../support/console-calls.ts';
import { latin, uploadContacts } from '../support/console-contacts.ts';
import { withMicrophones } from '../support/console-microphones.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleTab,
  type ConsoleWorld,
  type ViewOptions,
} from '../support/console.ts';
import { until } from '../support/until.ts';

let world: ConsoleWorld;
let agentId: number;

const Made = z.looseObject({ id: z.int() });
const Graph = z.looseObject({
  nodes: z.array(z.looseObject({ type: z.string(), data: z.looseObject({}) })),
  edges: z.array(z.looseObject({ data: z.looseObject({}) })),
});
const Run = z.looseObject({
  id: z.int(),
  is_completed: z.boolean(),
  logs: z.looseObject({}),
  initial_context: z.record(z.string(), z.unknown()),
  gathered_context: z.record(z.string(), z.unknown()),
});

/** The agent of the demonstration; a shorter greeting makes spoken tests shorter. */
async function createAgent(greeting?: string): Promise<number> {
  const {
    template_context_variables: values,
    workflow_configurations: settings,
    ...demo
  } = demoAgent({ webhookUrl: null });
  const { nodes, edges } = demo.workflow_definition;
  const body = {
    ...demo,
    workflow_definition: {
      // The path of a trigger belongs to one agent.
      nodes: nodes
        .filter(({ type }) => type !== 'trigger')
        .map((node) =>
          node.type === 'startCall' && greeting !== undefined
            ? { ...node, data: { ...node.data, greeting } }
            : node,
        ),
      edges,
    },
  };
  const { id } = Made.parse(await world.ask('POST', '/workflow/create/definition', body));
  await world.ask('PUT', `/workflow/${id}`, {
    template_context_variables: values,
    workflow_configurations: settings,
  });
  return id;
}

beforeAll(async () => {
  world = await startConsoleWorld();
  agentId = await createAgent();
});
afterAll(async () => await world.close());

async function openEditor(options: ViewOptions & { view?: string; id?: number } = {}): Promise<ConsoleTab> {
  const { view = 'canvas', id = agentId, ...rest } = options;
  const tab = await world.open(`/agents/${id}?view=${view}`, { width: 1440, height: 900, ...rest });
  await tab.page.getByRole('button', { name: 'Publish…' }).waitFor();
  return tab;
}

const rail = (page: Page) => page.getByRole('complementary', { name: 'Test' });
const words = (page: Page) => page.getByRole('textbox', { name: 'What the caller says' });
const answers = (page: Page) => rail(page).locator('.ln.is-agent');
const faultless = async (page: Page) => {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
};

/** Says a line by typing, and waits until the agent listens again. */
async function say(page: Page, line: string): Promise<void> {
  await words(page).focus();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
  await rail(page).locator('.ln.is-caller .said:not(.open)', { hasText: line }).last().waitFor();
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await rail(page).getByRole('button', { name: 'Start', exact: true }).click();
  await answers(page).first().waitFor();
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** What the screen and the record say of the test that has just ended. */
async function bothSides(page: Page, id = agentId) {
  await rail(page).getByText('being completed').waitFor({ state: 'detached' });
  const link = await rail(page).getByRole('link', { name: 'See this call' }).getAttribute('href');
  const runId = Number(link?.split('/').at(-1));
  const run = Run.parse(await world.ask('GET', `/workflow/${id}/runs/${runId}`));
  expect(run.is_completed).toBe(true);
  const rows = rowsOf(readScript(eventsIn(run.logs)));
  const shown = {
    path: await rail(page).locator('.hop > span:first-of-type').allTextContents(),
    waits: await rail(page).locator('.lat b').allTextContents(),
    said: await rail(page).locator('.said').allTextContents(),
  };
  const recorded = {
    path: rows.flatMap((row) => (row.kind === 'hop' ? [`${row.number} ${row.node}`] : [])),
    waits: rows.flatMap((row) =>
      row.kind === 'agent' && row.waitMs !== null ? [secondsOf(row.waitMs)] : [],
    ),
    said: rows.flatMap((row) => (row.kind === 'agent' || row.kind === 'caller' ? [row.text] : [])),
  };
  return { shown: { ...shown, path: shown.path.map((each) => each.split(' by ')[0]) }, recorded, run };
}

const path = expectedPath.map((name, index) => `${index + 1} ${name}`);

test('by keyboard alone: a typed test to its end shows the path, the values and the waits of its record, and can be repeated', async () => {
  const { page, complaints, close } = await openEditor({ view: 'outline' });
  await page.keyboard.press('t');
  await rail(page).locator('button:focus', { hasText: 'Start' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(':focus[aria-label="What the caller says"]').waitFor();
  await answers(page).first().waitFor();
  for (const line of callersLines) {
    await page.locator('form.compose button[type=submit]').waitFor();
    await say(page, line);
  }
  const { shown, recorded, run } = await bothSides(page);
  expect(shown).toEqual(recorded);
  expect(shown.path).toEqual(path);
  for (const [name, value] of Object.entries(expectedVariables)) {
    expect(run.gathered_context[name]).toEqual(value);
    const row = rail(page).locator('.found dl > div', { hasText: name });
    expect(await row.locator('.val').textContent()).toBe(String(value));
    expect(await row.locator('.from').textContent()).toMatch(/^turn \d · 0:\d\d$/);
  }
  await page.getByRole('row', { name: 'Find another time, Step 3 of the test' }).waitFor();
  await faultless(page);

  await page.keyboard.press('Control+r');
  await rail(page).getByText('more lines to repeat').waitFor();
  await rail(page).getByRole('heading', { name: 'Conversation ended' }).waitFor();
  const again = await bothSides(page);
  expect(again.run.id).not.toBe(run.id);
  expect(again.shown.path).toEqual(path);
  expect(complaints).toEqual([]);
  await close();
});

test('another reply takes another path, what was said before stays folded, and words without an answer are kept', async () => {
  const { page, close } = await openEditor();
  await begin(page);
  await page.locator('.node.now', { hasText: 'Welcome' }).waitFor();
  await say(page, callersLines[0]);
  await page.locator('.node.now', { hasText: 'Confirm the appointment' }).waitFor();
  expect(await page.locator('.node.seen .ord').allTextContents()).toEqual(['1Step 1 of the test']);
  expect(await page.locator('.edges .edge.taken').count()).toBe(1);
  await say(page, callersLines[1]);
  await page.getByRole('navigation', { name: 'Path' }).getByText('3 Find another time').waitFor();

  await rail(page)
    .getByRole('button', { name: `Say it differently: ${callersLines[1]}` })
    .click();
  await rail(page).getByRole('textbox', { name: 'Say it differently' }).fill('Yes, I will be there.');
  await page.keyboard.press('Enter');
  await page.locator('.node.now', { hasText: 'Companions and questions' }).waitFor();
  const folded = rail(page).locator('details.discarded');
  await folded.getByText('1 turn taken back').click();
  await folded.getByText(callersLines[1]).waitFor();
  expect(await page.locator('.node.dim', { hasText: 'Find another time' }).count()).toBe(1);
  await faultless(page);

  const bodies: unknown[] = [];
  await page.route('**/messages', async (route) => {
    bodies.push([route.request().postDataJSON(), await route.request().headerValue('idempotency-key')]);
    if (bodies.length > 1) return await route.fallback();
    await route.fulfill({ status: 503, json: { detail: 'The language model does not answer.' } });
  });
  await words(page).fill('No, thank you.');
  await page.keyboard.press('Enter');
  await rail(page).getByRole('alert').getByText('The language model does not answer.').waitFor();
  expect(await words(page).inputValue()).toBe('No, thank you.');
  const repeated = page.waitForResponse('**/messages');
  await rail(page).getByRole('button', { name: 'Try again' }).click();
  await repeated;
  await rail(page).locator('.ln.is-caller', { hasText: 'No, thank you.' }).waitFor();
  expect(bodies[1]).toEqual(bodies[0]);
  await close();
});

test('a test begins with the values of a row of a file, shows the tool that was used, and is repeated on the changed draft', async () => {
  const file = 'phone_number,first_name\r\n+12025550147,Otto\r\n+12025550148,Ines\r\n';
  const directoryId = await uploadContacts(world, latin(file), 'Walk-ins.csv');
  await world.ask('POST', `/directories/${directoryId}/check`, {});
  const Directory = z.looseObject({ state: z.string() });
  await until('the file is checked', async () => {
    const { state } = Directory.parse(await world.ask('GET', `/directories/${directoryId}`));
    return state === 'ready' ? state : undefined;
  });
  const tool = z.looseObject({ tool_uuid: z.string() }).parse(
    await world.ask('POST', '/tools/', {
      name: 'No time now',
      definition: { type: 'end_call', config: { messageType: 'custom', customMessage: 'Goodbye then.' } },
    }),
  );
  const id = await createAgent();
  const { workflow_definition: graph } = z
    .looseObject({ workflow_definition: Graph })
    .parse(await world.ask('GET', `/workflow/fetch/${id}`));
  await world.ask('PUT', `/workflow/${id}`, {
    workflow_definition: {
      ...graph,
      nodes: graph.nodes.map((node) =>
        node.type === 'startCall' ? { ...node, data: { ...node.data, tool_uuids: [tool.tool_uuid] } } : node,
      ),
      // Two functions of one node cannot have one name.
      edges: graph.edges.map((edge) =>
        edge.data['label'] === 'No time now' ? { ...edge, data: { ...edge.data, label: 'Is busy' } } : edge,
      ),
    },
  });

  const { page, complaints, close } = await openEditor({ id });
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await rail(page)
    .getByRole('button', { name: /^Test values/ })
    .click();
  await page.getByRole('menuitem', { name: /^From a/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Ines/ }).waitFor();
  await faultless(page);
  await dialog.getByRole('textbox').fill('Otto');
  await dialog.getByRole('button', { name: /Ines/ }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: /Otto/ }).click();
  await rail(page).getByRole('button', { name: 'Start', exact: true }).click();
  await answers(page).first().getByText('Otto').waitFor();
  await say(page, 'Sorry, I have no time.');
  const card = rail(page).locator('.tc.is-tool', { hasText: 'no_time_now' });
  await card.getByText('Done').waitFor();
  await rail(page).getByRole('heading', { name: 'Conversation ended' }).waitFor();

  await page.locator('.react-flow__node', { hasText: 'Welcome' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Reception');
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.keyboard.press('Control+r');
  await page.getByRole('navigation', { name: 'Path' }).getByText('1 Reception').waitFor();
  await answers(page).first().getByText('Otto').waitFor();
  await rail(page).getByRole('heading', { name: 'Conversation ended' }).waitFor();
  await card.waitFor();
  expect(complaints).toEqual([]);
  await close();
});

/** Hears another device during the call, mutes it, and loses it. */
async function changeMicrophones(page: Page): Promise<void> {
  const isHeard = async (): Promise<boolean> =>
    Boolean(await page.evaluate("document.querySelector('.level i').offsetWidth > 0"));
  await rail(page).getByRole('button', { name: 'Microphone: Headset' }).click();
  await page.getByRole('menuitem', { name: 'Laptop' }).click();
  await rail(page).getByRole('button', { name: 'Microphone: Laptop' }).waitFor();
  await page.evaluate('hum()');
  await until('the microphone is heard', isHeard);
  await rail(page).getByRole('button', { name: 'Mute microphone' }).click();
  await until('the microphone is muted', async () => !(await isHeard()));
  await page.evaluate(`unplug('laptop')`);
  await rail(page).getByText('“Laptop” is gone. “Headset” is heard instead.').waitFor();
  await faultless(page);
}

test('a spoken test says the values of the chosen set, and offers to start again with others', async () => {
  const id = await createAgent('Hello {{first_name}}. Is this a good moment?');
  const { page, complaints, close } = await openEditor({ id });
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await rail(page).getByRole('button', { name: 'Talk' }).click();
  await rail(page)
    .getByRole('button', { name: /^Test values/ })
    .click();
  await page.getByRole('menuitem', { name: 'New set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New set of test values' });
  await dialog.getByLabel('Name', { exact: true }).fill('Otto');
  await dialog.getByLabel('first_name', { exact: true }).fill('Otto');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rail(page).getByRole('button', { name: 'Start talking' }).click();
  await answers(page).first().getByText('Hello Otto.').waitFor();
  expect(await rail(page).getByRole('button', { name: 'Start again' }).count()).toBe(0);
  await rail(page)
    .getByRole('button', { name: /^Test values/ })
    .click();
  await page.getByRole('menuitemradio').or(page.getByRole('menuitem')).first().click();
  await rail(page).getByRole('button', { name: 'Start again' }).waitFor();
  await faultless(page);
  await rail(page).getByRole('button', { name: 'Hang up' }).click();
  await rail(page).getByRole('heading', { name: 'Conversation ended' }).waitFor();
  const { run } = await bothSides(page, id);
  expect(run.initial_context).toMatchObject({ first_name: 'Otto', direction: 'inbound' });
  expect(complaints).toEqual([]);
  await close();
});

test('a web call shows the path, the values and the waits of its record, changes microphones, and says when the draft has changed', async () => {
  const id = await createAgent('Hello. Is this a good moment?');
  const { page, complaints, close } = await openEditor({ id });
  await withMicrophones(page);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await rail(page).getByRole('button', { name: 'Talk' }).click();
  await rail(page).getByText('Simulated', { exact: true }).waitFor();
  await rail(page).getByRole('button', { name: 'Start talking' }).click();
  await answers(page).first().waitFor();
  await say(page, callersLines[0]);
  await page.locator('.node.now', { hasText: 'Confirm the appointment' }).waitFor();
  await page.locator('.react-flow__node', { hasText: 'Goodbye' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Farewell');
  await page.getByRole('button', { name: 'Close' }).first().click();
  await rail(page)
    .getByText(/^This conversation runs the draft of/)
    .waitFor();
  await answers(page).nth(1).waitFor();
  await changeMicrophones(page);
  await rail(page).getByRole('button', { name: 'Hang up' }).click();
  await rail(page).getByRole('heading', { name: 'Conversation ended' }).waitFor();
  const { shown, recorded } = await bothSides(page, id);
  expect(shown).toEqual(recorded);
  expect(shown.path).toEqual(path.slice(0, 2));
  expect(complaints).toEqual([]);
  await close();
});

describe('what is missing', () => {
  test('is said: a media host, a carrier, a graph without errors', async () => {
    const { page, close } = await openEditor();
    await page.route('**/runs', async (route) =>
      route.request().method() === 'POST'
        ? await route.fulfill({ status: 503, json: { detail: 'No media host takes calls' } })
        : await route.fallback(),
    );
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await rail(page).getByRole('button', { name: 'Talk' }).click();
    await rail(page).getByText('Speech recognition is simulated').waitFor();
    await rail(page).getByRole('button', { name: 'Start talking' }).click();
    await rail(page).getByText('No media host takes calls right now.').waitFor();
    await rail(page).getByRole('button', { name: 'Type instead' }).click();
    await answers(page).first().waitFor();
    await rail(page).getByRole('button', { name: 'Call my phone' }).click();
    await rail(page).getByText('No carrier connected').waitFor();
    const link = rail(page).getByRole('link', { name: 'Go to Telephony' });
    expect(await link.getAttribute('href')).toContain('/telephony');
    await close();

    const broken = Made.parse(
      await world.ask('POST', '/workflow/create/definition', {
        name: 'Broken',
        workflow_definition: { nodes: [], edges: [] },
      }),
    );
    const other = await openEditor({ id: broken.id });
    await other.page.getByRole('button', { name: 'Test', exact: true }).click();
    await rail(other.page).getByText('This draft cannot be tested yet').waitFor();
    expect(await rail(other.page).getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
    await other.close();
  });
});

test('a phone is called by the draft, its turns appear while the call goes on, and the number is remembered', async () => {
  await connectCarrier(world);
  await world.service.carrier.setPersonas('+12025550145', [
    {
      name: 'Maria',
      steps: [
        { do: 'answer' },
        { do: 'expectHeard', pattern: 'moment' },
        { do: 'say', text: callersLines[0] },
        { do: 'say', text: callersLines[1] },
        { do: 'silence', ms: 4000 },
        { do: 'hangup' },
      ],
    },
  ]);
  const { page, complaints, close } = await openEditor({ id: await createAgent('Is this a good moment?') });
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await rail(page).getByRole('button', { name: 'Call my phone' }).click();
  await rail(page).getByText('The carrier is simulated').waitFor();
  await rail(page).getByLabel('Your number').fill('+1 202 555 0145');
  await rail(page).getByRole('button', { name: 'Call now' }).click();
  await page.locator('.node.now', { hasText: 'Confirm the appointment' }).waitFor();
  await answers(page).getByText('Is this a good moment?').waitFor();
  expect(await rail(page).getByText('Hung up').count()).toBe(0);
  await rail(page).getByText('Hung up').waitFor();
  await page.locator('.node.seen', { hasText: 'Welcome' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await rail(page).getByRole('button', { name: 'Call my phone' }).click();
  expect(await rail(page).getByLabel('Your number').inputValue()).toBe('+1 202 555 0145');
  expect(complaints).toEqual([]);
  await close();
});

test('at 390 px in the dark the test is the page, and sets of values are kept for the next one', async () => {
  const { page, close } = await openEditor({ view: 'outline', theme: 'dark', width: 390, height: 844 });
  await page.getByRole('button', { name: 'Test the agent' }).tap();
  await rail(page)
    .getByRole('button', { name: /^Test values/ })
    .tap();
  await page.getByRole('menuitem', { name: 'New set…' }).tap();
  const dialog = page.getByRole('dialog', { name: 'New set of test values' });
  await dialog.getByLabel('Name', { exact: true }).fill('Otto');
  await dialog.getByLabel('first_name', { exact: true }).fill('Otto');
  await faultless(page);
  await dialog.getByRole('button', { name: 'Save' }).tap();
  await rail(page).getByRole('button', { name: 'Start', exact: true }).tap();
  await answers(page).first().getByText('Otto').waitFor();
  await say(page, callersLines[0]);
  await faultless(page);
  await rail(page).getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('row', { name: 'Welcome', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Test the agent' }).tap();
  await rail(page)
    .getByRole('button', { name: /^Test values/ })
    .tap();
  await page
    .getByRole('menuitemradio', { name: 'Otto' })
    .or(page.getByRole('menuitem', { name: 'Otto' }))
    .waitFor();
  await close();
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { layoutFaults, startConsoleWorld, type ConsoleWorld } from '../support/console.ts';

const Agent = z.looseObject({ id: z.int(), name: z.string(), workflow_definition: z.looseObject({}) });
const Graph = z.looseObject({
  nodes: z.array(z.looseObject({ id: z.string(), type: z.string(), data: z.looseObject({}) })),
  edges: z.array(z.looseObject({ id: z.string(), source: z.string(), target: z.string() })),
});

let world: ConsoleWorld;

beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(async () => await world.close());

const agents = async () =>
  z
    .array(z.looseObject({ id: z.int(), name: z.string(), status: z.string() }))
    .parse(await world.ask('GET', '/workflow/fetch'));

const agentNamed = async (name: string) => {
  const found = (await agents()).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no agent is called ${name}`);
  return Agent.parse(await world.ask('GET', `/workflow/fetch/${found.id}`));
};

describe('agents', () => {
  test('without any, the list says what agents are for and leads to a new one', async () => {
    const { page, close } = await world.open('/agents');
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
    await page.getByRole('link', { name: 'Create an agent' }).click();
    await page.waitForURL(/\/agents\/new/);
    await close();
  });

  test('are made from a template, a blank page and a file, whose faults are named', async () => {
    const { page, close } = await world.open('/agents/new');
    await page.getByRole('radio', { name: /Appointment reminder/ }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Reminder');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/agents\/\d+$/);

    await page.goto(`${world.service.apiUrl}/agents/new?way=blank`);
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Front desk');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/agents\/\d+$/);

    await page.goto(`${world.service.apiUrl}/agents/new?way=import`);
    const paste = page.getByRole('textbox', { name: 'Or paste JSON' });
    await paste.fill('{"nodes": 3}');
    await page.getByRole('button', { name: 'Import agent' }).click();
    await page.getByText(/has no list of nodes/).waitFor();
    const { workflow_definition: definition } = await agentNamed('Front desk');
    const { nodes, edges } = Graph.parse(definition);
    const trigger = { id: 'hook', type: 'trigger', data: { name: 'Hook', trigger_path: 'not a path!' } };
    await paste.fill(
      JSON.stringify({ name: 'Survey', workflow_definition: { nodes: [...nodes, trigger], edges } }),
    );
    await page.getByText('3 nodes, 1 transition').waitFor();
    await page.getByRole('button', { name: 'Import agent' }).click();
    await page.getByRole('alert').getByText(/Hook/).waitFor();
    const file = {
      name: 'Survey',
      workflow_definition: { nodes, edges },
      template_context_variables: { day: 'Monday' },
    };
    await page.locator('input[type=file]').setInputFiles({
      name: 'survey.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(file)),
    });
    await page.getByText('2 nodes, 1 transition').waitFor();
    await page.getByRole('button', { name: 'Import agent' }).click();
    await page.waitForURL(/\/agents\/\d+$/);
    expect(await agentNamed('Survey')).toMatchObject({
      version_status: 'draft',
      template_context_variables: { day: 'Monday' },
    });
    await close();
  });

  test('are generated from a description', async () => {
    const { page, close } = await world.open('/agents/new?way=description');
    await page.getByRole('button', { name: 'Generate agent' }).click();
    await page.getByText('Say what the agent is for.').waitFor();
    await page.getByRole('textbox', { name: 'Purpose' }).fill('Ask for a review');
    await page.getByRole('textbox', { name: 'What the agent does' }).fill('Ask how the visit was.');
    await page.getByRole('button', { name: 'Generate agent' }).click();
    await page.waitForURL(/\/agents\/\d+$/);
    await close();
  });

  test('are filtered, put into folders, archived after naming what uses them, and restored', async () => {
    const { page, complaints, close } = await world.open('/agents');
    const table = page.getByRole('table', { name: 'Agents' });
    await table.getByRole('link', { name: 'Survey' }).waitFor();
    await table.getByText('Draft ahead by 1').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('front');
    await table.getByRole('link', { name: 'Survey' }).waitFor({ state: 'detached' });
    await page.waitForURL(/q=front/);
    await page.reload();
    await table.getByRole('link', { name: 'Front desk' }).waitFor();
    expect(await table.getByRole('link').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Filter agents' }).fill('nothing like it');
    await page.getByRole('button', { name: 'Clear filters' }).click();

    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Incoming');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Incoming/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Front desk' }).click();
    await page.getByRole('menuitem', { name: 'Move to folder' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Incoming' }).click();
    await page.getByRole('link', { name: 'Incoming 1' }).click();
    await table.getByRole('link', { name: 'Survey' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for the folder Incoming' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Its agent is kept, without a folder.').waitFor();
    await page.getByRole('button', { name: 'Delete folder' }).click();
    await page.getByRole('link', { name: /^Incoming/ }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Agent', exact: true }).click();
    await page.waitForURL(/sort=name/);
    await table.getByRole('link', { name: 'Reminder' }).focus();
    await page.keyboard.press('x');
    await page.getByText('1 agent selected').waitFor();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Trigger /)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await table.getByRole('link', { name: 'Reminder' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Archived/ }).click();
    await page.getByRole('button', { name: 'Actions for Reminder' }).click();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await page.getByText('This folder is empty').waitFor();
    expect((await agents()).every(({ status }) => status === 'active')).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('versions', () => {
  test('are compared in one graph and in sentences, and restored with a note by keyboard', async () => {
    const { id, workflow_definition: definition } = await agentNamed('Front desk');
    const graph = Graph.parse(definition);
    const [start] = graph.nodes;
    await world.ask('PUT', `/workflow/${id}`, {
      workflow_definition: {
        nodes: [
          { ...start, data: { ...start?.data, greeting: 'Good morning, how can I help you?' } },
          ...graph.nodes.slice(1),
          {
            id: 'find',
            type: 'agentNode',
            position: { x: 400, y: 200 },
            data: { name: 'Find a time', prompt: 'Ask' },
          },
        ],
        edges: [
          ...graph.edges,
          {
            id: 'new',
            source: 'start',
            target: 'find',
            data: { label: 'Needs a time', condition: 'They ask' },
          },
          { id: 'back', source: 'find', target: 'start', data: { label: 'Back', condition: 'It is noted' } },
        ],
      },
      workflow_configurations: { max_call_duration: 300 },
    });
    const path = `/agents/${id}/versions`;
    const { page, complaints, close } = await world.open(path);
    const changes = page.getByRole('complementary', { name: 'What changed' }).getByRole('listitem');
    await changes.first().waitFor();
    const said = (await changes.allTextContents()).map((each) => each.slice(1));
    expect(said).toEqual([
      'Greeting has a different greeting',
      'Greeting now goes to Find a time by “Needs a time”',
      'Find a time is new',
      'Find a time now goes to Greeting by “Back”',
      'Settings: Maximum call duration is set to 300 seconds',
    ]);
    expect(await page.locator('.word-diff ins').allTextContents()).toContain('Good morning');
    await changes.nth(2).getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.locator('.card-node.is-added.is-selected').waitFor();

    await page.getByRole('button', { name: 'Restore v1…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/The present draft v2 is archived/).waitFor();
    await page.keyboard.type('The new greeting confused people');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'The new greeting confused people' }).waitFor();
    await page.getByRole('row', { name: /v3.*Draft.*Ana Ruiz/ }).waitFor();
    expect(await page.getByRole('row', { name: /v1.*Published/ }).innerText()).toContain('Ana Ruiz');
    expect(await layoutFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('of a hundred saves show what was published and the draft, and every save on demand', async () => {
    const { id, workflow_definition: definition } = await agentNamed('Front desk');
    const graph = Graph.parse(definition);
    const [start, ...others] = graph.nodes;
    const save = async (greeting: string) =>
      await world.ask('PUT', `/workflow/${id}`, {
        workflow_definition: {
          ...graph,
          nodes: [{ ...start, data: { ...start?.data, greeting } }, ...others],
        },
      });
    const Published = z.object({ version_number: z.int() });
    const { version_number: published } = Published.parse(await world.ask('POST', `/workflow/${id}/publish`));
    for (let n = 1; n <= 101; n += 1) await save(`Greeting ${n}.`);
    const { page, complaints, close } = await world.open(`/agents/${id}`);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Publish/ });
    await dialog.getByText(`1 change since v${published}`).waitFor();
    await page.goto(`${world.service.apiUrl}/agents/${id}/versions`);
    const changes = page.getByRole('complementary', { name: 'What changed' });
    await changes.getByRole('listitem').first().waitFor();
    expect(await changes.getByRole('button', { name: /From/ }).innerText()).toContain(`v${published}`);
    await page.getByRole('button', { name: 'In a list' }).click();
    const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row');
    await page.getByRole('row', { name: /Published/ }).waitFor();
    expect(await rows.count()).toBeLessThan(5);
    await page.getByText('Show every save').click();
    await page.getByRole('button', { name: 'Show older versions' }).click();
    await page.getByRole('row', { name: new RegExp(`with v${published + 5}\\b`) }).waitFor();
    expect([await layoutFaults(page), complaints]).toEqual([[], []]);
    await close();
  });
});

import type { Page } from 'playwright-core';
import { z } from 'zod';
import { callersLines } from '../../tools/demo/script.ts';
import { fillContacts, type FilledContacts } from './console-contacts.ts';
import { connectCarrier, makeCalls, type MadeCall, type MadeCalls } from './console-calls.ts';
import { makeCampaigns, type MadeCampaigns } from './console-campaigns.ts';
import { invite, newMember, passwordLink } from './console-members.ts';
import type { ConsoleWorld } from './console.ts';
import type { Receiver } from './receiver.ts';
import { fillRooms } from './rooms.ts';

const Created = z.looseObject({ id: z.int() });
const Templates = z.array(z.looseObject({ id: z.int(), template_name: z.string() }));
const Deliveries = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
const Graph = z.looseObject({
  workflow_definition: z.looseObject({
    nodes: z.array(z.looseObject({ data: z.looseObject({}) })),
    edges: z.array(z.looseObject({ data: z.looseObject({ label: z.string().optional() }) })),
  }),
});

/** What the screens show: the ids of what `fillConsole` made. */
export interface ConsoleData {
  /** An agent of a template. */
  agentId: number;
  /** An agent whose draft differs from what is published. */
  changedAgentId: number;
  /** An agent without nodes. */
  emptyAgentId: number;
  toolUuid: string;
  deliveryId: string;
  contacts: FilledContacts;
  calls: MadeCalls;
  campaigns: MadeCampaigns;
}

/** A screen by name: its address, and the element that says that it is complete. */
export interface Screen {
  name: string;
  path: string;
  ready: string;
  /** What a person does there before the screen is complete. */
  act?: (page: Page) => Promise<void>;
  /** What the browser complains about although all is well. */
  expects?: RegExp;
  /** It shows nothing of the API, so that it has nothing to say when the API fails. */
  isFixed?: boolean;
}

/** Screens of a person without a session. */
export const signedOutScreens: readonly Screen[] = [
  { name: 'sign-in', path: '/', ready: 'form' },
  {
    name: 'sign-up',
    path: '/',
    ready: 'form',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create an account' }).click();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
    },
  },
  {
    name: 'link-used',
    path: '/agents#sign-in=used',
    ready: '.text-warn-text',
    expects: / 401 .*\/auth\/sign-in-link$/,
  },
  {
    name: 'password-link-used',
    path: '/#new-password=used',
    ready: '.btn.primary',
    expects: / 401 .*\/auth\/password-link$/,
  },
];

/** What the links open that an owner gives to people. */
export async function linkScreens(world: ConsoleWorld): Promise<Screen[]> {
  const at = (name: string): string => `${name}${world.mark}@brightsmile.example`;
  const member = await newMember(world, { email: at('ada'), role: 'operator', name: 'Ada Byrne' });
  return [
    {
      name: 'invitation',
      path: await invite(world, { email: at('ben'), role: 'campaign_manager' }),
      ready: 'form',
    },
    { name: 'new-password', path: await passwordLink(world, member.user.id), ready: 'form' },
  ];
}

/** Screens that need no data, with the element that a fresh organization shows. */
export const emptyScreens: readonly Screen[] = [
  { name: 'home', path: '/', ready: '.next, .today .card, h1' },
  { name: 'first-run', path: '/welcome', ready: '.tpl button' },
  { name: 'agents', path: '/agents', ready: '.empty' },
  { name: 'agent-new', path: '/agents/new', ready: '.template' },
  { name: 'agent-description', path: '/agents/new?way=description', ready: 'textarea', isFixed: true },
  { name: 'agent-blank', path: '/agents/new?way=blank', ready: '.new-agent form', isFixed: true },
  { name: 'agent-import', path: '/agents/new?way=import', ready: '.drop', isFixed: true },
  { name: 'calls', path: '/calls', ready: '.empty' },
  { name: 'live', path: '/live', ready: '.wall-empty' },
  { name: 'campaigns', path: '/campaigns', ready: '.empty' },
  { name: 'campaign-new', path: '/campaigns/new', ready: '.campaign-form' },
  { name: 'contacts', path: '/contacts', ready: '.sample' },
  { name: 'contacts-blocked', path: '/contacts/blocked', ready: '.empty' },
  { name: 'reports', path: '/reports', ready: '.empty' },
  { name: 'developers', path: '/developers', ready: 'h1' },
  { name: 'webhooks', path: '/webhooks', ready: 'h1' },
  { name: 'tools', path: '/tools', ready: '.empty' },
  { name: 'credentials', path: '/tools?tab=credentials', ready: '.empty' },
  { name: 'telephony', path: '/telephony', ready: '.empty' },
  { name: 'models', path: '/models', ready: '.cards-3' },
  { name: 'people', path: '/settings', ready: 'table' },
  { name: 'account', path: '/settings?tab=account', ready: '.room-row' },
  { name: 'appearance', path: '/settings?tab=appearance', ready: '.seg', isFixed: true },
  { name: 'not-found', path: '/nothing-here', ready: 'h1', isFixed: true },
];

/** Every screen with data. */
export function filledScreens({
  agentId,
  changedAgentId,
  emptyAgentId,
  calls,
  campaigns,
  contacts,
  ...data
}: ConsoleData): Screen[] {
  const pageOf = (call: MadeCall) => `/calls/${call.agentId}/${call.runId}`;
  return [
    { name: 'home', path: '/', ready: '.today .card' },
    { name: 'first-run', path: '/welcome', ready: '.tpl button' },
    { name: 'first-run-ring', path: '/welcome?template=1', ready: '.ans .yes' },
    { name: 'agents', path: '/agents', ready: 'table' },
    {
      name: 'palette',
      path: '/agents',
      ready: 'table',
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.locator('.palette [role=menuitem]').first().waitFor();
      },
    },
    {
      name: 'call-me',
      path: '/agents',
      ready: 'table',
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.locator('.palette-field input').fill('call me');
        await page.getByRole('menuitem', { name: /Call me/ }).click();
        await page.getByRole('dialog', { name: 'Call me now' }).waitFor();
      },
    },
    { name: 'calls', path: '/calls', ready: '.call-list' },
    { name: 'calls-nothing', path: '/calls?q=outcome%3Anothing+length%3A60', ready: '.empty' },
    { name: 'call', path: `${pageOf(calls.phone)}?t=20`, ready: '.ln-row.now' },
    { name: 'call-webhooks', path: `${pageOf(calls.phone)}?tab=webhooks`, ready: '.attempts' },
    { name: 'call-quality', path: `${pageOf(calls.text)}?tab=quality`, ready: '.judged' },
    { name: 'call-live', path: pageOf(calls.live), ready: '.ln-row' },
    { name: 'live', path: '/live', ready: '.wall-card' },
    { name: 'live-open', path: `/live?call=${calls.live.runId}`, ready: '.wall-card' },
    { name: 'call-unanswered', path: pageOf(calls.unanswered), ready: '.call-note' },
    { name: 'campaigns', path: '/campaigns', ready: 'table' },
    { name: 'campaigns-nothing', path: '/campaigns?q=nothing', ready: '.empty' },
    { name: 'campaign', path: `/campaigns/${campaigns.running}`, ready: '.whys' },
    { name: 'campaign-row', path: `/campaigns/${campaigns.running}?row=1`, ready: '.campaign-attempts' },
    { name: 'campaign-ended', path: `/campaigns/${campaigns.ended}`, ready: '.campaign-rows' },
    {
      name: 'campaign-stop',
      path: `/campaigns/${campaigns.running}`,
      ready: '.campaign-rows',
      act: async (page) => {
        await page.getByRole('button', { name: 'Stop…' }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'campaign-change',
      path: `/campaigns/${campaigns.running}`,
      ready: '.campaign-rows',
      act: async (page) => {
        await page.getByRole('button', { name: 'Change' }).first().click();
        await page.getByLabel('Lines', { exact: true }).fill('3');
        await page.getByRole('button', { name: 'Weekdays 9–17' }).click();
        await page.locator('.changes').waitFor();
      },
    },
    {
      name: 'campaign-new',
      path: `/campaigns/new?directory=${campaigns.directory}&agent=${campaigns.agent}`,
      ready: '.estimate-notes',
    },
    { name: 'contacts', path: '/contacts', ready: 'table' },
    { name: 'contacts-guess', path: `/contacts/${contacts.guessedId}`, ready: '.contact-grid td' },
    { name: 'contacts-checked', path: `/contacts/${contacts.checkedId}?agent=${agentId}`, ready: '.repair' },
    { name: 'contacts-blocked', path: '/contacts/blocked', ready: 'table' },
    { name: 'reports', path: '/reports', ready: '.reports table' },
    { name: 'reports-days', path: '/reports?by=day&days=7', ready: '.reports table' },
    { name: 'developers', path: '/developers', ready: 'table' },
    { name: 'snippets', path: '/developers?tab=snippets', ready: 'pre' },
    { name: 'secrets', path: '/developers?tab=secrets', ready: '.room-row' },
    { name: 'webhooks', path: `/webhooks?delivery=${data.deliveryId}`, ready: '.attempts' },
    { name: 'tools', path: `/tools?tool=${data.toolUuid}`, ready: 'form' },
    { name: 'credentials', path: '/tools?tab=credentials', ready: 'table' },
    { name: 'telephony', path: '/telephony', ready: 'table' },
    { name: 'models', path: '/models', ready: '.cards-3' },
    { name: 'people', path: '/settings', ready: 'table' },
    { name: 'organization', path: '/settings?tab=organization', ready: 'form' },
    { name: 'dialing', path: '/settings?tab=dialing', ready: 'form' },
    { name: 'retention', path: '/settings?tab=retention', ready: 'form' },
    { name: 'changes', path: '/settings?tab=changes', ready: '.room-row' },
    { name: 'account', path: '/settings?tab=account', ready: '.room-row' },
    { name: 'agent-new', path: '/agents/new', ready: '.template' },
    { name: 'agent-import', path: '/agents/new?way=import', ready: '.drop' },
    { name: 'versions', path: `/agents/${changedAgentId}/versions`, ready: '.change-list' },
    {
      name: 'versions-columns',
      path: `/agents/${changedAgentId}/versions?view=columns`,
      ready: '.two-columns',
    },
    {
      name: 'versions-list',
      path: `/agents/${changedAgentId}/versions?view=list`,
      ready: 'table',
    },
    { name: 'versions-one', path: `/agents/${agentId}/versions`, ready: '.empty' },
    { name: 'editor', path: `/agents/${agentId}?node=opening`, ready: '.cm-content' },
    {
      name: 'editor-test',
      path: `/agents/${changedAgentId}`,
      ready: '.react-flow__node, .out-node',
      act: testDraft,
    },
    { name: 'editor-outline', path: `/agents/${agentId}?view=outline`, ready: '.out-node' },
    { name: 'editor-empty', path: `/agents/${emptyAgentId}?view=canvas`, ready: '.empty' },
    {
      name: 'editor-publish',
      path: `/agents/${changedAgentId}?view=outline`,
      ready: '.out-node',
      act: async (page) => {
        await page.getByRole('button', { name: 'Publish…' }).click();
        await page.locator('.publish .change-list').waitFor();
      },
    },
    {
      name: 'editor-variables',
      path: `/agents/${changedAgentId}?view=outline`,
      ready: '.out-node',
      act: async (page) => {
        await page.getByRole('button', { name: 'Variables' }).click();
        await page.locator('.vars').waitFor();
      },
    },
    {
      name: 'editor-settings',
      path: `/agents/${agentId}?view=outline`,
      ready: '.out-node',
      act: async (page) => {
        await page.getByRole('button', { name: 'Settings' }).last().click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'calls-failed',
      path: '/calls',
      ready: 'h1',
      act: failToList,
      expects: /status of 500/,
    },
    {
      // An agent of which no other screen shows the draft.
      name: 'editor-conflict',
      path: `/agents/${calls.unanswered.agentId}?view=outline`,
      ready: '.out-node',
      act: changeTheSame,
      expects: /status of 412/,
    },
  ];
}

/** The API fails when it is asked for the calls. */
async function failToList(page: Page): Promise<void> {
  const calls = '**/api/v1/organizations/usage/runs?*';
  await page.route(calls, async (route) => {
    const headers = { 'x-request-id': '0198f2c4-5c1e-7d3a-b1a5-2f9d8e7c6b5a' };
    await route.fulfill({ status: 500, headers, json: { detail: 'Internal server error' } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Copy request ID' }).waitFor();
  await page.unroute(calls);
}

/** Somebody else changes the prompt that a person writes. */
async function changeTheSame(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'Ask', exact: true }).click();
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).waitFor();
  await page.evaluate(`(async () => {
    const { token } = JSON.parse(localStorage.getItem('parlance.session'));
    const id = location.pathname.split('/')[2];
    const ask = (method, path, body) => fetch('/api/v1' + path, {
      method, headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' }, body });
    const { workflow_definition: graph } = await (await ask('GET', '/workflow/fetch/' + id)).json();
    const { data } = graph.nodes.find(({ data }) => data.name === 'Ask');
    data.prompt = data.prompt === '${theirPrompts[0]}' ? '${theirPrompts[1]}' : '${theirPrompts[0]}';
    await ask('PUT', '/workflow/' + id, JSON.stringify({ workflow_definition: graph }));
  })()`);
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Ask whether somebody will be at home between nine and noon.');
  await page.getByRole('dialog', { name: 'Someone else changed the same' }).waitFor();
}

/** One of them differs from what is there. */
const theirPrompts = [
  'Ask whether somebody is there this afternoon, and where else the parcel may stand.',
  'Ask whether somebody is there this afternoon, and whether a neighbor may take the parcel.',
];

/** Screens of a first call, which takes its time: `test/console/first-run.test.ts` holds them to what holds for all. */
export const firstCallScreens: readonly Screen[] = [
  {
    name: 'first-run-call',
    path: '/welcome?template=1',
    ready: '.ans .yes',
    act: async (page) => {
      await page.getByRole('button', { name: 'Answer' }).click();
      await sayInFirstCall(page, 'Yes, this is Maria.');
      await page
        .locator('.chips button:not([aria-disabled=true])', { hasText: 'I will be there.' })
        .waitFor();
    },
  },
  {
    name: 'first-run-ended',
    path: '/welcome?template=1',
    ready: '.ans .yes',
    act: async (page) => {
      await page.getByRole('button', { name: 'Answer' }).click();
      await sayInFirstCall(page, 'Yes, this is Maria.');
      await sayInFirstCall(page, 'Please cancel it.');
      await page.locator('.outcome b').waitFor();
    },
  },
];

const sayInFirstCall = async (page: Page, words: string) =>
  await page.locator('.chips button:not([aria-disabled=true])', { hasText: words }).click();

/** Types two lines in the test beside the graph. */
async function testDraft(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Test( the agent)?$/ }).click();
  const rail = page.getByRole('complementary', { name: 'Test' });
  await rail.getByRole('button', { name: 'Start', exact: true }).click();
  for (const [index, line] of callersLines.slice(0, 2).entries()) {
    await rail.locator('.ln.is-agent').nth(index).waitFor();
    await rail.locator('form.compose button[type=submit]').waitFor();
    await page.getByRole('textbox', { name: 'What the caller says' }).fill(line);
    await page.keyboard.press('Enter');
    await rail
      .locator('.ln.is-agent')
      .nth(index + 1)
      .waitFor();
  }
}

/** Agents of all templates, calls of every kind, and what the rooms of connections show. */
export async function fillConsole(world: ConsoleWorld, receiver: Receiver): Promise<ConsoleData> {
  const { ask } = world;
  const { toolUuid } = await fillRooms(world, receiver.url);
  await receiver.waitForRequests(1);
  let agentId = 0;
  for (const { id, template_name: name } of Templates.parse(await ask('GET', '/workflow/templates')))
    ({ id: agentId } = Created.parse(
      await ask('POST', '/workflow/templates/duplicate', { template_id: id, workflow_name: name }),
    ));
  await connectCarrier(world);
  const [calls, contacts, campaigns] = await Promise.all([
    makeCalls(world, `${receiver.url}/result`),
    fillContacts(world),
    makeCampaigns(world),
  ]);
  const { id: emptyAgentId } = Created.parse(
    await ask('POST', '/workflow/create/definition', {
      name: 'Empty',
      workflow_definition: { nodes: [], edges: [] },
    }),
  );
  const { items } = Deliveries.parse(await ask('GET', '/webhook-deliveries'));
  await changeDraft(world, calls.phone.agentId);
  return {
    agentId,
    changedAgentId: calls.phone.agentId,
    emptyAgentId,
    toolUuid,
    deliveryId: items[0]?.id ?? '',
    contacts,
    calls,
    campaigns,
  };
}

/** Gives an agent a draft with another greeting, another setting and one edge less. */
async function changeDraft({ ask }: ConsoleWorld, agentId: number): Promise<void> {
  const { workflow_definition: graph } = Graph.parse(await ask('GET', `/workflow/fetch/${agentId}`));
  await ask('PUT', `/workflow/${agentId}`, {
    workflow_definition: {
      ...graph,
      nodes: graph.nodes.map((node, index) =>
        index === 0
          ? { ...node, data: { ...node.data, greeting: 'Hello, this is Ava. Is this a good moment?' } }
          : node,
      ),
      edges: graph.edges.filter(({ data }) => data.label !== 'Another time after all'),
    },
    workflow_configurations: { max_call_duration: 300 },
  });
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeCalls, type MadeCall, type MadeCalls } from '../../test/support/console-calls.ts';
import { startConsoleWorld, type ConsoleWorld } from '../../test/support/console.ts';
import { startReceiver, statuses } from '../../test/support/receiver.ts';
import { fillRooms } from '../../test/support/rooms.ts';

/**
 * Pictures of every screen of the console with data, light and dark, wide and narrow, in
 * `.parlance/screenshots/console`. A part of a screen's name as argument takes only those.
 */
const folder = join(import.meta.dirname, '../../.parlance/screenshots/console');
const wanted = process.argv[2] ?? '';

/** A screen by name: its address, and what to wait for. */
interface Screen {
  name: string;
  path: (world: ConsoleWorld, calls: MadeCalls) => Promise<string> | string;
  ready: string;
}

const Created = z.looseObject({ id: z.int() });
const Templates = z.array(z.looseObject({ id: z.int(), template_name: z.string() }));

const Deliveries = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
const Tools = z.array(z.looseObject({ tool_uuid: z.string() }));

const screens: readonly Screen[] = [
  { name: 'home', path: () => '/', ready: '.today .card' },
  { name: 'first-run', path: () => '/welcome', ready: '.tpl button' },
  { name: 'first-run-ring', path: () => '/welcome?template=1', ready: '.ans .yes' },
  { name: 'agents', path: () => '/agents', ready: 'table' },
  { name: 'calls', path: () => '/calls', ready: 'table' },
  { name: 'call', path: (_world, { phone }) => `${pageOf(phone)}?t=20`, ready: '.ln-row.now' },
  { name: 'call-webhooks', path: (_world, { phone }) => `${pageOf(phone)}?tab=webhooks`, ready: '.attempts' },
  { name: 'call-quality', path: (_world, { text }) => `${pageOf(text)}?tab=quality`, ready: '.judged' },
  { name: 'call-live', path: (_world, { live }) => pageOf(live), ready: '.ln-row' },
  { name: 'developers', path: () => '/developers', ready: 'table' },
  { name: 'snippets', path: () => '/developers?tab=snippets', ready: 'pre' },
  { name: 'secrets', path: () => '/developers?tab=secrets', ready: '.room-row' },
  { name: 'webhooks', path: firstDelivery, ready: '.attempts' },
  { name: 'tools', path: firstTool, ready: 'form' },
  { name: 'credentials', path: () => '/tools?tab=credentials', ready: 'table' },
  { name: 'telephony', path: () => '/telephony', ready: 'table' },
  { name: 'models', path: () => '/models', ready: '.cards-3' },
  { name: 'account', path: () => '/account', ready: '.room-row' },
  { name: 'agent-new', path: () => '/agents/new', ready: '.template' },
  { name: 'agent-import', path: () => '/agents/new?way=import', ready: '.drop' },
  { name: 'versions', path: changedAgent, ready: '.change-list' },
  { name: 'editor', path: () => `/agents/${agentId}?node=opening`, ready: '.cm-content' },
  { name: 'editor-outline', path: () => `/agents/${agentId}?view=outline`, ready: '.out-node' },
];

const pageOf = ({ agentId, runId }: MadeCall): string => `/calls/${agentId}/${runId}`;

async function firstDelivery({ ask }: ConsoleWorld): Promise<string> {
  const { items } = Deliveries.parse(await ask('GET', '/webhook-deliveries'));
  return `/webhooks?delivery=${items[0]?.id ?? ''}`;
}

async function firstTool({ ask }: ConsoleWorld): Promise<string> {
  const tools = Tools.parse(await ask('GET', '/tools/'));
  return `/tools?tool=${tools[0]?.tool_uuid ?? ''}`;
}

const receiver = await startReceiver({ answer: statuses(503, 200) });

/** The agent that the editor shows. */
let agentId = 0;
const world = await startConsoleWorld();
try {
  mkdirSync(folder, { recursive: true });
  await fill(world);
  const calls = await makeCalls(world, `${receiver.url}/result`);
  const views = (['light', 'dark'] as const).flatMap((theme) =>
    [1440, 390].map((width) => ({ theme, width })),
  );
  for (const screen of screens.filter(({ name }) => name.includes(wanted)))
    for (const view of views) await takePicture(screen, await screen.path(world, calls), view);
} finally {
  await world.close();
  await receiver.close();
}

async function takePicture(
  { name, ready }: Screen,
  path: string,
  { theme, width }: { theme: 'light' | 'dark'; width: number },
): Promise<void> {
  const height = width > 640 ? 900 : 844;
  const { page, complaints, close } = await world.open(path, { theme, width, height });
  await page.locator(ready).first().waitFor();
  await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
  for (const each of complaints) process.stderr.write(`${name} ${theme} ${width}: ${each}\n`);
  await close();
}

/** Agents of all templates, and what the rooms of connections show. */
async function fill(filled: ConsoleWorld): Promise<void> {
  const { ask } = filled;
  await fillRooms(filled, receiver.url);
  await receiver.waitForRequests(1);
  const templates = Templates.parse(await ask('GET', '/workflow/templates'));
  for (const { id, template_name: name } of templates)
    agentId = Created.parse(
      await ask('POST', '/workflow/templates/duplicate', { template_id: id, workflow_name: name }),
    ).id;
}

/** The first agent with a draft that differs; answers the page of its versions. */
async function changedAgent({ ask }: ConsoleWorld): Promise<string> {
  const [first] = z.array(z.looseObject({ id: z.int() })).parse(await ask('GET', '/workflow/fetch'));
  const { workflow_definition: graph } = z
    .looseObject({
      workflow_definition: z.looseObject({
        nodes: z.array(z.looseObject({ data: z.looseObject({}) })),
        edges: z.array(z.looseObject({})),
      }),
    })
    .parse(await ask('GET', `/workflow/fetch/${first?.id}`));
  await ask('PUT', `/workflow/${first?.id}`, {
    workflow_definition: {
      ...graph,
      nodes: graph.nodes.map((node, index) =>
        index === 0
          ? { ...node, data: { ...node.data, greeting: 'Hello, this is Ava. Is this a good moment?' } }
          : node,
      ),
      edges: graph.edges.slice(1),
    },
    workflow_configurations: { max_call_duration: 300 },
  });
  return `/agents/${first?.id}/versions`;
}

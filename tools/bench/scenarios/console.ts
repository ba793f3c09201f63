import type { Browser, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import { largeDefinition } from '../../../test/support/definitions.ts';
import { launchBrowser } from '../../screenshots/browser.ts';
import { measureFirstRuns } from '../console/first-run.ts';
import { type ConsoleSizes, consoleSizes, sizeLimits } from '../console/sizes.ts';
import { figure, type Section, type Target } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import { quantile } from '../statistics.ts';

const agentCount = 500;
const nodeCount = 300;
const throttle = 4;

/** Places of the large graph: rows of twenty, so that all of it is in the picture. */
const columns = 20;
const nodeStep = { x: 340, y: 220 };

const Session = z.looseObject({ token: z.string() });
const Made = z.looseObject({ id: z.int() });

/** The console in the machine's Chromium, with a user of its own. */
interface Visitor {
  browser: Browser;
  apiUrl: string;
  session: z.infer<typeof Session>;
}

/** Measures the console, which was built before the API started, in a browser: sizes, first paint, a long list and a large graph. */
export async function measureConsole({ service, isQuick, print }: ScenarioOptions): Promise<Section> {
  const browser = await launchBrowser();
  try {
    const visitor: Visitor = { browser, apiUrl: service.api.url, session: await signUp(service.api.url) };
    print(`console: ${agentCount} agents, one of ${nodeCount} nodes`);
    const largeId = await createAgents(visitor);
    const rounds = isQuick ? 1 : 5;
    print('console: first paint');
    const visits = [];
    for (let round = 0; round < rounds; round += 1) visits.push(await firstVisit(visitor));
    print('console: typing into the filter, and moving the graph');
    const keys = [];
    for (let round = 0; round < rounds; round += 1) keys.push(...(await filterAgents(visitor)));
    const graph = await moveGraph(visitor, largeId, isQuick ? 1000 : 4000);
    print('console: first runs');
    const firstRunsMs = await measureFirstRuns(isQuick ? 1 : 3);
    return section({ visits, keys, graph, firstRunsMs, bytes: consoleSizes() });
  } finally {
    await browser.close();
  }
}

async function signUp(apiUrl: string): Promise<z.infer<typeof Session>> {
  return Session.parse(
    await ask(
      { apiUrl, path: '/auth/signup' },
      { email: 'bench@brightsmile.example', password: 'a long password', name: 'Bench' },
    ),
  );
}

async function ask(
  { apiUrl, path, token }: { apiUrl: string; path: string; token?: string },
  body: unknown,
): Promise<unknown> {
  const answer = await fetch(`${apiUrl}/api/v1${path}`, {
    method: path.includes('onboarding') ? 'PUT' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

/** Creates the agents of the list and the large one. Answers its id. */
async function createAgents({ apiUrl, session: { token } }: Visitor): Promise<number> {
  const create = async (name: string, count: number) => {
    const { nodes, edges } = largeDefinition(count);
    const placed = z
      .array(z.looseObject({}))
      .parse(nodes)
      .map((node, index) => ({
        ...node,
        position: { x: (index % columns) * nodeStep.x, y: Math.floor(index / columns) * nodeStep.y },
      }));
    return Made.parse(
      await ask(
        { apiUrl, path: '/workflow/create/definition', token },
        { name, workflow_definition: { nodes: placed, edges } },
      ),
    ).id;
  };
  await ask({ apiUrl, path: '/user/onboarding-state', token }, { skipped: true });
  for (let index = 0; index < agentCount; index += 1) await create(`Reminder ${index} ${index % 7}`, 4);
  return await create('The large one', nodeCount);
}

async function open(
  { browser, apiUrl, session }: Visitor,
  path: string,
  prepare: (cdp: CDPSession) => Promise<unknown> = async () => undefined,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(
    (stored) => localStorage.setItem('parlance.session', stored),
    JSON.stringify(session),
  );
  const page = await context.newPage();
  await prepare(await context.newCDPSession(page));
  await page.goto(`${apiUrl}${path}`, { waitUntil: 'commit' });
  return page;
}

interface FirstVisit {
  paintMs: number;
  usableMs: number;
}

/** An empty cache and a slowed processor. Usable: the list has its rows and takes keys. */
async function firstVisit(visitor: Visitor): Promise<FirstVisit> {
  const page = await open(
    visitor,
    '/agents',
    async (cdp) => await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle }),
  );
  await page.locator('tbody .row-link').first().waitFor();
  const usableMs = await page.evaluate<number>('performance.now()');
  const paintMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime",
  );
  await page.context().close();
  return { paintMs, usableMs };
}

/** For each key of a word, the time from the key to the painted list; the browser rounds it to 8 ms. */
async function filterAgents(visitor: Visitor): Promise<number[]> {
  const page = await open(visitor, '/agents');
  await page.locator('tbody .row-link').first().waitFor();
  const filter = page.getByRole('searchbox').first();
  await filter.focus();
  await page.evaluate(`
    window.waits = [];
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) if (each.name === 'keydown') waits.push(each.duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const word = 'inder 49';
  for (const letter of word) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await page.waitForTimeout(150);
  }
  const waits = await page.evaluate<number[]>('waits');
  await page.context().close();
  // Keys below the threshold of 16 ms are not reported.
  return [...waits, ...Array.from({ length: Math.max(0, word.length - waits.length) }, () => 16)];
}

interface GraphFigures {
  panned: Frames;
  /** While a selection is dragged over the nodes, which changes what is drawn. */
  selected: Frames;
}

interface Frames {
  perSecond: number;
  longestMs: number;
}

/** Frames while the canvas of the large agent is dragged in circles, and while nodes are selected. */
async function moveGraph(visitor: Visitor, agentId: number, forMs: number): Promise<GraphFigures> {
  const page = await open(visitor, `/agents/${agentId}?view=canvas`);
  await page.locator('.react-flow__node').first().waitFor();
  await page.waitForLoadState('networkidle');
  const panned = await framesOfDrag(page, 'middle', forMs);
  const selected = await framesOfDrag(page, 'left', forMs);
  await page.context().close();
  return { panned, selected };
}

async function framesOfDrag(page: Page, button: 'left' | 'middle', forMs: number): Promise<Frames> {
  await page.evaluate(`
    window.frames = [];
    const next = (at) => { window.frames?.push(at); if (window.frames) requestAnimationFrame(next); };
    requestAnimationFrame(next);
  `);
  const [x, y] = [700, 500];
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  for (const begun = Date.now(); Date.now() - begun < forMs;) {
    const angle = (Date.now() - begun) / 300;
    await page.mouse.move(x + 250 * Math.sin(angle), y + 200 * Math.cos(angle) - 200);
  }
  await page.mouse.up({ button });
  const times = await page.evaluate<number[]>(
    '(() => { const all = window.frames; window.frames = null; return all; })()',
  );
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  return {
    perSecond: (gaps.length * 1000) / gaps.reduce((total, each) => total + each, 0),
    longestMs: Math.max(...gaps),
  };
}

function section({
  visits,
  keys,
  graph,
  firstRunsMs,
  bytes,
}: {
  visits: readonly FirstVisit[];
  keys: readonly number[];
  graph: GraphFigures;
  firstRunsMs: readonly number[];
  bytes: ConsoleSizes;
}): Section {
  const paintMs = quantile(
    visits.map((each) => each.paintMs),
    0.5,
  );
  const usableMs = quantile(
    visits.map((each) => each.usableMs),
    0.5,
  );
  const keyMs = quantile(keys, 0.95);
  const kilobytes = (bytes: number) => `${figure(bytes / 1000)} kB`;
  const atMost = (what: string, value: number, limit: number, text: (value: number) => string): Target => ({
    what,
    wanted: `≤ ${text(limit)}`,
    measured: text(value),
    isMet: value <= limit,
  });
  const ms = (value: number) => `${figure(value)} ms`;
  const seconds = (value: number) => `${figure(value / 1000)} s`;
  return {
    id: 'console',
    title: 'Console',
    method: [
      `Chromium without a graphics processor on the same machine. *First paint* and *usable* (the list of ${agentCount} agents has its rows): an empty cache, the processor slowed ${throttle} times, the median of ${visits.length}. *A key in the filter*: from the key to the painted list. *Sizes*: files that the build links; the editor without its field for prompts, which loads when the browser is idle or with the first field. *Frames*: while the canvas is dragged, with all ${nodeCount} nodes of an agent in the picture. *First run*: a newcomer rings the reminder of an appointment, answers, replies twice, hears the end and opens the page of the call; simulated speech takes as long as real speech; the longest of ${firstRunsMs.length}.`,
    ],
    tables: [
      {
        columns: ['', 'Measured'],
        rows: [
          ['The field for prompts, loaded later, gzip', kilobytes(bytes.promptEditor)],
          ['Longest frame while the graph moves', ms(graph.panned.longestMs)],
          ['Frames a second while a selection is dragged over the nodes', figure(graph.selected.perSecond)],
        ],
      },
    ],
    targets: [
      atMost('Scripts and styles of the shell, gzip', bytes.shell, sizeLimits.shell, kilobytes),
      atMost('More for the editor, gzip', bytes.editor, sizeLimits.editor, kilobytes),
      atMost('First paint', paintMs, 1000, ms),
      atMost('Usable', usableMs, 1800, ms),
      atMost(`A key in the filter of ${agentCount} agents, p95`, keyMs, 50, ms),
      atMost('First run, to the page of its call', Math.max(...firstRunsMs), 60_000, seconds),
      {
        what: `Frames a second, graph of ${nodeCount} nodes`,
        wanted: '≥ 50',
        measured: figure(graph.panned.perSecond),
        isMet: graph.panned.perSecond >= 50,
      },
    ],
  };
}

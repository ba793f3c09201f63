import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { acrossOrganizations, getRow } from '../../../src/db/rows.ts';
import { users } from '../../../src/db/tables/users.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import { demoEmail } from '../../../src/services/identity/demo-user.ts';
import { createSignInToken } from '../../../src/services/identity/index.ts';
import { chosenOrganization } from '../../../src/services/identity/users/memberships.ts';
import { pause } from '../concurrency.ts';
import { sendJson } from '../conversations.ts';
import { residentIn, useOf } from '../process-use.ts';
import type { MeasuredService } from '../service.ts';

/** A browser in which the user of the demonstration organization is signed in. */
export interface Visitor {
  browser: Browser;
  context: BrowserContext;
  apiUrl: string;
}

export interface Tab {
  page: Page;
  cdp: CDPSession;
  /** Of the process that runs the page and nothing else. */
  pid: number;
}

/** MB. */
export interface TabMemory {
  /** Used by JavaScript. */
  heap: number;
  /** Of the whole process. */
  resident: number;
  /** The part that is not the program's files, which all processes of the browser share. */
  own: number;
}

const waitMs = 60_000;
const everyMs = 200;
const megabyte = 1024 * 1024;

export async function signIn(browser: Browser, { api, db }: MeasuredService): Promise<Visitor> {
  const user = await getRow(acrossOrganizations(db, 'the email is unique'), users, { email: demoEmail });
  const organizationId = await chosenOrganization(db.manager, user.id);
  const token = await createSignInToken({
    db,
    clock: systemClock,
    ids: randomIds,
    user: { id: user.id, organizationId },
  });
  const session = (await sendJson(api, 'POST', '/auth/sign-in-link', { token })).body;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(
    (stored) => localStorage.setItem('parlance.session', stored),
    JSON.stringify(session),
  );
  return { browser, context, apiUrl: api.url };
}

/** Opens a page of the console and waits for `ready`, a selector. */
export async function openTab(
  { browser, context, apiUrl }: Visitor,
  { path, ready }: { path: string; ready: string },
): Promise<Tab> {
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.goto(`${apiUrl}${path}`);
  await page.locator(ready).first().waitFor();
  return { page, cdp, pid: await processOf(browser, cdp) };
}

/** The renderer that has used as much processor time as the page says: another one has loaded nothing yet. */
async function processOf(browser: Browser, cdp: CDPSession): Promise<number> {
  const system = await browser.newBrowserCDPSession();
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  await system.detach();
  const cpuMs = (await metric(cdp, 'ProcessTime')) * 1000;
  const farOff = (pid: number) => Math.abs(useOf(pid).cpuMs - cpuMs);
  const [pid] = processInfo
    .flatMap(({ type, id }) => (type === 'renderer' ? [id] : []))
    .toSorted((one, other) => farOff(one) - farOff(other));
  if (pid === undefined) throw new Error('The browser names no process of the page');
  return pid;
}

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const found = metrics.find((each) => each.name === name);
  if (found === undefined) throw new Error(`The browser does not measure ${name}`);
  return found.value;
}

export async function memoryOf({ cdp, pid }: Tab): Promise<TabMemory> {
  const heap = (await metric(cdp, 'JSHeapUsedSize')) / megabyte;
  const resident = useOf(pid).rssMb;
  return { heap, resident, own: resident - residentIn(readFileSync(`/proc/${pid}/smaps`, 'utf8')).filesMb };
}

/** The same after garbage was collected. */
export async function keptMemoryOf(tab: Tab): Promise<TabMemory> {
  await tab.cdp.send('HeapProfiler.collectGarbage');
  return await memoryOf(tab);
}

export const maxOf = (one: TabMemory, other: TabMemory): TabMemory => ({
  heap: Math.max(one.heap, other.heap),
  resident: Math.max(one.resident, other.resident),
  own: Math.max(one.own, other.own),
});

/** Reads the memory five times a second; the result answers the maximum of each figure and stops. */
export function watchTab(tab: Tab): () => Promise<TabMemory> {
  const over = new AbortController();
  const watching = (async () => {
    let max = await memoryOf(tab);
    while (!over.signal.aborted) {
      await pause(everyMs);
      max = maxOf(max, await memoryOf(tab));
    }
    return max;
  })();
  // The returned function reports a failure. Until it is called, Node would take the failure for unhandled.
  watching.catch(() => {});
  return async () => {
    over.abort();
    return await watching;
  };
}

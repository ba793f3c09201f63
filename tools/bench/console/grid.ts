import type { Page } from 'playwright-core';
import { z } from 'zod';
import { rowOf } from '../contact-files.ts';
import { keptMemoryOf, openTab, watchTab, type TabMemory, type Visitor } from './tab.ts';

export interface Scrolled {
  /** From the jump to the drawn rows, for each place. */
  shownMs: number[];
  /** The pages of rows that the page asked for. */
  pagesMs: number[];
  max: TabMemory;
  /** At the end, without garbage. */
  kept: TabMemory;
}

const wheelSteps = 60;
const wheelPixels = 900;
const wheelEveryMs = 50;
/** Rows that may be between a place of the scroll bar and the rows in view: half a window. */
const nearRows = 60;

const Shown = z.object({
  ms: z.number(),
  rows: z.array(z.object({ index: z.int(), text: z.string() })).min(1),
});

/** Jumps to places all over a checked file of `rows` rows, and reads on from the middle. */
export async function scrollDirectory(
  visitor: Visitor,
  { id, rows, jumps }: { id: number; rows: number; jumps: number },
): Promise<Scrolled> {
  const tab = await openTab(visitor, { path: `/contacts/${id}`, ready: '.contact-grid tr.is-row' });
  const { page } = tab;
  await keepTimings(page);
  const max = watchTab(tab);
  const shownMs: number[] = [];
  // Steps of the golden ratio are spread over the file, and none is near the one before it.
  const places = Array.from({ length: jumps }, (_, index) => (index * 0.618034) % 1);
  for (const place of [0, 1, ...places, 0.5]) shownMs.push(await jump(page, place, rows));
  await page.mouse.move(700, 600);
  for (let step = 0; step < wheelSteps; step += 1) {
    await page.mouse.wheel(0, wheelPixels);
    await page.waitForTimeout(wheelEveryMs);
  }
  await page.waitForLoadState('networkidle');
  const pagesMs = await timingsOf(page, `/directories/${id}/rows`);
  const result = { shownMs, pagesMs, max: await max(), kept: await keptMemoryOf(tab) };
  await page.close();
  return result;
}

/** Scrolls to a place between 0 and 1. Throws unless the rows there are those of the file. */
async function jump(page: Page, place: number, rows: number): Promise<number> {
  const wanted = place * (rows - 1);
  const { ms, rows: shown } = Shown.parse(
    await page.evaluate(`(async () => {
      const scroller = document.querySelector('.grid-scroll');
      const begun = performance.now();
      scroller.scrollTop = ${place} * (scroller.scrollHeight - scroller.clientHeight);
      for (;;) {
        await new Promise(requestAnimationFrame);
        const { top, bottom } = scroller.getBoundingClientRect();
        const inView = [...scroller.querySelectorAll('tr[data-index]')].filter((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > top && box.top < bottom;
        });
        const found = inView.map((row) => ({ index: Number(row.dataset.index), text: row.textContent }));
        const isThere = found.some(({ index }) => Math.abs(index - ${wanted}) < ${nearRows});
        if (isThere && inView.every((row) => row.querySelector('.skel') === null))
          return { ms: performance.now() - begun, rows: found };
        if (performance.now() - begun > 20_000) throw new Error('The rows at ${place} are not shown');
      }
    })()`),
  );
  for (const { index, text } of shown)
    if (!text.includes(rowOf(index)[0] ?? '')) throw new Error(`Row ${index + 1} is shown as ${text}`);
  if (place === 1 && !shown.some(({ index }) => index === rows - 1))
    throw new Error('The last row is not shown');
  return ms;
}

export interface ReadOn extends Omit<Scrolled, 'shownMs'> {
  /** Progress of the campaign, which the page asks for at the same time. */
  progressMs: number[];
}

/** Reads the rows of a campaign from the first one on, `pages` pages. */
export async function scrollCampaign(
  visitor: Visitor,
  { id, pages }: { id: number; pages: number },
): Promise<ReadOn> {
  const tab = await openTab(visitor, { path: `/campaigns/${id}`, ready: '.campaign-scroll tr.is-link' });
  const { page } = tab;
  await keepTimings(page);
  const max = watchTab(tab);
  for (let read = 1; read < pages; read += 1)
    await page.evaluate(`(async () => {
      const scroller = document.querySelector('.campaign-scroll');
      const [height, begun] = [scroller.scrollHeight, performance.now()];
      scroller.scrollTop = height;
      while (scroller.scrollHeight === height) {
        await new Promise(requestAnimationFrame);
        if (performance.now() - begun > 20_000) throw new Error('Page ${read + 1} of the rows is not shown');
      }
    })()`);
  const result = {
    pagesMs: await timingsOf(page, `/campaign/${id}/rows`),
    progressMs: await timingsOf(page, `/campaign/${id}/progress`),
    max: await max(),
    kept: await keptMemoryOf(tab),
  };
  await page.close();
  return result;
}

/** The browser keeps the times of 250 requests unless told otherwise. */
const keepTimings = async (page: Page): Promise<void> =>
  await page.evaluate('performance.setResourceTimingBufferSize(10_000)');

/** How long the page waited for each successful answer to a path after /api/v1, the request's queue included. */
const timingsOf = async (page: Page, path: string): Promise<number[]> =>
  z.array(z.number()).parse(
    await page.evaluate(
      `performance.getEntriesByType('resource')
        .filter(({ name, responseStatus }) => responseStatus === 200 && new URL(name).pathname === '/api/v1${path}')
        .map(({ duration }) => duration)`,
    ),
  );

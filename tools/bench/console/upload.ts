import type { Page } from 'playwright-core';
import { z } from 'zod';
import { until } from '../../../test/support/until.ts';
import { maxOf, openTab, watchTab, type Tab, type TabMemory, type Visitor } from './tab.ts';

/** The share of the check after which the tab is closed, in percent. */
const closesAt = 30;
const limitMs = 400_000;

/** A value of a bar of progress, when it appeared. Percent, and milliseconds since 1970. */
const Values = z.array(z.object({ label: z.string(), value: z.number(), at: z.number() }));
type Values = z.infer<typeof Values>;

export interface CheckedInTab {
  directoryId: number;
  uploadSeconds: number;
  /** From the button to the result. */
  checkSeconds: number;
  /** How many values of progress were seen. */
  uploadValues: number;
  checkValues: number;
  /** The longest time that the bar of the check stood still while it was seen. */
  maxStillMs: number;
  /** The last value in the tab that was closed, and the first one in the tab after it; null if the check was over. */
  closedAt: number | null;
  reopenedAt: number | null;
  max: TabMemory;
}

const recheck = { name: 'Check again' };

/** Uploads a file through the page and checks it, and closes the tab in the middle of the check. */
export async function checkInTab(visitor: Visitor, path: string): Promise<CheckedInTab> {
  const first = await openTab(visitor, { path: '/contacts', ready: '.contacts-drop' });
  await recordProgress(first.page);
  const max = watchTab(first);
  const { page } = first;
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('button', { name: /^(Upload|Choose) a file$/ })
    .first()
    .click();
  const sentAt = Date.now();
  await (await chooser).setFiles(path);
  await page.waitForURL(/\/contacts\/\d+/, { timeout: limitMs });
  const uploadSeconds = (Date.now() - sentAt) / 1000;
  const directoryId = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  await page.getByRole('button', { name: 'Check the rows' }).click();
  const begun = Date.now();
  await until('the first part of the check', async () => await isPast(page, closesAt), limitMs);
  const seen = [await valuesSeen(page)];
  const maxBefore = await max();
  await page.close();
  const second = await openTab(visitor, { path: `/contacts/${directoryId}`, ready: '.directory' });
  const after = await watchRest(second);
  seen.push(after.values);
  await second.page.close();
  const [uploading, checking] = [ofUpload(seen.flat()), seen.map(ofCheck)];
  return {
    directoryId,
    uploadSeconds,
    checkSeconds: (Date.now() - begun) / 1000,
    uploadValues: new Set(uploading.map(({ value }) => value)).size,
    checkValues: new Set(checking.flat().map(({ value }) => value)).size,
    maxStillMs: Math.max(0, ...checking.flatMap(stillMs)),
    closedAt: checking[0]?.at(-1)?.value ?? null,
    reopenedAt: checking[1]?.[0]?.value ?? null,
    max: maxOf(maxBefore, after.max),
  };
}

async function watchRest(tab: Tab): Promise<{ values: Values; max: TabMemory }> {
  await recordProgress(tab.page);
  const max = watchTab(tab);
  await tab.page.getByRole('button', recheck).waitFor({ timeout: limitMs });
  return { values: await valuesSeen(tab.page), max: await max() };
}

async function isPast(page: Page, value: number): Promise<boolean> {
  if (await page.getByRole('button', recheck).isVisible()) return true;
  return (ofCheck(await valuesSeen(page)).at(-1)?.value ?? 0) >= value;
}

const isUpload = ({ label }: Values[number]): boolean => label.startsWith('Uploading');
const ofUpload = (values: Values): Values => values.filter(isUpload);
const ofCheck = (values: Values): Values => values.filter((each) => !isUpload(each));
const stillMs = (values: Values): number[] =>
  values.slice(1).map(({ at }, index) => at - (values[index]?.at ?? at));

/** From now on the page keeps each value that a bar of progress shows. */
async function recordProgress(page: Page): Promise<void> {
  await page.evaluate(`{
    window.benchProgress = [];
    const note = () => {
      const bar = document.querySelector('[role=progressbar]');
      if (bar === null) return;
      const [label, value] = [bar.getAttribute('aria-label'), Number(bar.getAttribute('aria-valuenow'))];
      const last = window.benchProgress.at(-1);
      if (last?.label !== label || last.value !== value) window.benchProgress.push({ label, value, at: Date.now() });
    };
    note();
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
  }`);
}

const valuesSeen = async (page: Page): Promise<Values> =>
  Values.parse(await page.evaluate('window.benchProgress'));

import type { Page } from 'playwright-core';
import { startConsoleService } from '../../../test/support/console-service.ts';
import { startConsoleWorld, type ConsoleUser } from '../../../test/support/console.ts';

/** The conversation of the template, as a newcomer clicks it. */
const template = 'Appointment reminder';
const replies = ['Yes, this is Maria.', 'I will be there.'];
const limitMs = 120_000;

/**
 * A newcomer's first run by mouse, on a service of its own with simulated models and voices: rings, answers, talks, and
 * opens the page of the call. Answers the milliseconds from the page to the words of the call, once for each round.
 */
export async function measureFirstRuns(rounds: number): Promise<number[]> {
  const service = await startConsoleService();
  try {
    const world = await startConsoleWorld({ service });
    try {
      const times = [];
      for (let round = 0; round < rounds; round += 1) times.push(await firstRun(await world.newUser()));
      return times;
    } finally {
      await world.close();
    }
  } finally {
    await service.stop();
  }
}

async function firstRun(newcomer: ConsoleUser): Promise<number> {
  const { page, close } = await newcomer.open('/welcome', { width: 1440, height: 900 });
  page.setDefaultTimeout(limitMs);
  await page.getByRole('button', { name: template }).waitFor();
  const shownAt = performance.now();
  await talk(page);
  await page.getByRole('link', { name: 'See this call' }).click();
  await page.locator('.ln-row').first().waitFor();
  const tookMs = performance.now() - shownAt;
  await close();
  return tookMs;
}

async function talk(page: Page): Promise<void> {
  await page.getByRole('button', { name: template }).click();
  await page.getByRole('button', { name: 'Answer' }).click();
  for (const words of replies)
    await page.locator('.chips button:not([aria-disabled=true])', { hasText: words }).click();
  await page.getByRole('heading', { name: /Call ended after/ }).waitFor();
}

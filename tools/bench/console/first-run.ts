import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { startConsoleService } from '../../../test/support/console-service.ts';

const Session = z.looseObject({ token: z.string() });

/** The conversation of the template, as a newcomer clicks it. */
const template = 'Appointment reminder';
const replies = ['Yes, this is Maria.', 'I will be there.'];
const limitMs = 120_000;

/**
 * A newcomer's first run by mouse, on a service of its own with simulated models and voices: rings, answers, talks, and
 * opens the page of the call. Answers the milliseconds from the page to the words of the call, once for each round.
 */
export async function measureFirstRuns(browser: Browser, rounds: number): Promise<number[]> {
  const service = await startConsoleService();
  try {
    const times = [];
    for (let round = 0; round < rounds; round += 1)
      times.push(await firstRun(browser, service.apiUrl, `newcomer-${round}@brightsmile.example`));
    return times;
  } finally {
    await service.stop();
  }
}

async function firstRun(browser: Browser, apiUrl: string, email: string): Promise<number> {
  const answer = await fetch(`${apiUrl}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long password', name: 'Newcomer' }),
  });
  const session = Session.parse(await answer.json());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(
    (stored) => localStorage.setItem('parlance.session', stored),
    JSON.stringify(session),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(limitMs);
  await page.goto(`${apiUrl}/welcome`);
  await page.getByRole('button', { name: template }).waitFor();
  const shownAt = performance.now();
  await talk(page);
  await page.getByRole('link', { name: 'See this call' }).click();
  await page.locator('.ln-row').first().waitFor();
  const tookMs = performance.now() - shownAt;
  await context.close();
  return tookMs;
}

async function talk(page: Page): Promise<void> {
  await page.getByRole('button', { name: template }).click();
  await page.getByRole('button', { name: 'Answer' }).click();
  for (const words of replies)
    await page.locator('.chips button:not([aria-disabled=true])', { hasText: words }).click();
  await page.getByRole('heading', { name: /Call ended after/ }).waitFor();
}

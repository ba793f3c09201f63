/**
 * Takes screenshots of the API reference page of a running service, wide and narrow: `node
 * tools/screenshots/api-reference.ts [API]`. Needs Chromium on the PATH (or CHROMIUM).
 */
import { fileURLToPath } from 'node:url';
import type { Browser, Route } from 'playwright-core';
import { launchBrowser } from './browser.ts';

const [apiUrl = 'http://127.0.0.1:8000'] = process.argv.slice(2);
const images = fileURLToPath(new URL('../../docs/images', import.meta.url));

const browser = await launchBrowser();
try {
  await picture(browser, { name: 'api-reference', width: 1280, height: 1000, open: null });
  await picture(browser, {
    name: 'api-reference-operation',
    width: 1280,
    height: 1400,
    open: 'Text sessions/sendTextMessage',
  });
  await picture(browser, {
    name: 'api-reference-narrow',
    width: 420,
    height: 900,
    open: 'Agents/publishWorkflow',
  });
} finally {
  await browser.close();
}

/** The page may only send requests to the service: any other request fails the run. */
async function refuse(route: Route): Promise<void> {
  await route.abort();
  throw new Error(`the page sent a request to ${route.request().url()}`);
}

/** A screenshot of the page, or of the part from an unfolded operation (its section and name) on. */
async function picture(
  browser: Browser,
  { name, width, height, open }: { name: string; width: number; height: number; open: string | null },
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 1 });
  await page.route((url) => url.origin !== new URL(apiUrl).origin && url.protocol !== 'data:', refuse);
  await page.goto(`${apiUrl}/api/v1/docs${open === null ? '' : `#/${encodeURI(open)}`}`, {
    waitUntil: 'networkidle',
  });
  await page
    .locator(open === null ? '.opblock' : '.opblock.is-open .responses-wrapper')
    .first()
    .waitFor();
  await page.screenshot({ path: `${images}/${name}.png` });
  await page.close();
}

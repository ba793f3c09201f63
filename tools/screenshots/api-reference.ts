/**
 * Takes the pictures of the API reference page from a running service, wide and narrow:
 * `node tools/screenshots/api-reference.ts [API]`; needs Chromium on the PATH (or CHROMIUM).
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Route } from 'playwright-core';

const [apiUrl = 'http://127.0.0.1:8000'] = process.argv.slice(2);
const images = fileURLToPath(new URL('../../docs/images', import.meta.url));
const executablePath = process.env['CHROMIUM'] ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const browser = await chromium.launch({ executablePath, args: quiet });
try {
  await picture(browser, { name: 'api-reference', width: 1280, height: 1000, open: [] });
  await picture(browser, { name: 'api-reference-operation', width: 1280, height: 1400, open: ['operations-Text_sessions-sendTextMessage'] });
  await picture(browser, { name: 'api-reference-narrow', width: 420, height: 900, open: ['operations-Agents-publishWorkflow'] });
} finally {
  await browser.close();
}

/** The page may ask nobody but the service: a request elsewhere ends the run. */
async function refuse(route: Route): Promise<void> {
  await route.abort();
  throw new Error(`the page asks ${route.request().url()}`);
}

/** The page, or from the first of the operations that are unfolded. */
async function picture(browser: Browser, { name, width, height, open }: { name: string; width: number; height: number; open: string[] }): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 1 });
  await page.route((url) => url.origin !== new URL(apiUrl).origin && url.protocol !== 'data:', refuse);
  await page.goto(`${apiUrl}/api/v1/docs`, { waitUntil: 'networkidle' });
  await page.locator('.opblock').first().waitFor();
  for (const id of open) {
    const operation = page.locator(`#${id}`);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-wrapper').waitFor();
    await operation.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  }
  await page.screenshot({ path: `${images}/${name}.png` });
  await page.close();
}

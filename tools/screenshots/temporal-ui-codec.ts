/**
 * Takes the screenshot of docs/runbooks/payload-encryption.md: one call with encrypted payloads, read by a
 * signed-in operator. `PARLANCE_CODEC_TOKEN=… node tools/screenshots/temporal-ui-codec.ts <Temporal UI> <API>
 * <workflow id> [namespace]`; needs Chromium on the PATH (or CHROMIUM). It follows the steps of the runbook
 * in the browser.
 */
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './browser.ts';

const [uiUrl = '', apiUrl = '', workflowId = '', namespace = 'parlance'] = process.argv.slice(2);
const codecUrl = `${apiUrl}/api/v1/temporal/codec`;
const file = fileURLToPath(new URL('../../docs/images/temporal-ui-codec.png', import.meta.url));

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1760, height: 1300 } });
  await page.goto(`${codecUrl}/sign-in`);
  await page.getByLabel('Codec token').fill(process.env['PARLANCE_CODEC_TOKEN'] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in').waitFor();

  const url = `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page
    .getByRole('button', { name: /codec server/i })
    .first()
    .click();
  await page.getByText('Use my browser setting').click();
  await page
    .locator('#data-encoder-endpoint-input')
    .or(page.getByPlaceholder('Paste your endpoint here'))
    .first()
    .fill(codecUrl);
  await page.getByText('Include cross-origin credentials').click();
  await page.getByTestId('confirm-modal-button').and(page.getByText('Apply')).click();
  await page.goto(`${url}?codec`, { waitUntil: 'domcontentloaded' });
  await page
    .getByText('Codec Server succesfully')
    .or(page.getByRole('button', { name: /codec server.*(succes|convert)/i }))
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined); // the label depends on the version
  await page.waitForTimeout(3000);
  await page.screenshot({ path: file });
} finally {
  await browser.close();
}

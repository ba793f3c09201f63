/**
 * Takes the two screenshots of docs/architecture.md from a running service: the list of calls with their
 * search attributes, and one call's timeline. `node tools/screenshots/temporal-ui.ts <Temporal UI>
 * [namespace]`; needs Chromium on the PATH (or CHROMIUM) and at least one finished call, which `npm run demo`
 * makes.
 */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';

const [uiUrl = 'http://127.0.0.1:8233', namespace = 'parlance'] = process.argv.slice(2);
const images = fileURLToPath(new URL('../../docs/images', import.meta.url));
const columns = [
  'Status',
  'Workflow ID',
  'AgentVersion',
  'CallSource',
  'CallState',
  'TurnCount',
  'Disposition',
  'NodesVisited',
  'Start',
];

const browser = await launchBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1760, height: 900 } });
  await context.addInitScript(
    ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
    [
      'namespace-workflow-table-columns',
      JSON.stringify({ [namespace]: columns.map((label) => ({ label })) }),
    ],
  );
  const page = await context.newPage();
  await pictureOfList(page);
  await pictureOfCall(page);
} finally {
  await browser.close();
}

async function pictureOfList(page: Page): Promise<void> {
  await page.goto(
    `${uiUrl}/namespaces/${namespace}/workflows?query=${encodeURIComponent("`WorkflowType`='callWorkflow'")}`,
    { waitUntil: 'networkidle' },
  );
  await page.getByText('call/').first().waitFor();
  await page
    .getByRole('button', { name: /saved views/i })
    .first()
    .click({ timeout: 2000 })
    .catch(() => undefined); // older UIs have no such panel
  await page.waitForTimeout(1000);
  await page.screenshot({ path: `${images}/temporal-ui-list.png` });
}

async function pictureOfCall(page: Page): Promise<void> {
  await page.goto(
    `${uiUrl}/namespaces/${namespace}/workflows?query=${encodeURIComponent("`WorkflowType`='callWorkflow' AND `Disposition`='user_qualified'")}`,
    { waitUntil: 'networkidle' },
  );
  await page
    .getByRole('link', { name: /^call\// })
    .first()
    .click();
  await page.waitForURL(/timeline|history/);
  await page.setViewportSize({ width: 1760, height: 2000 });
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `${images}/temporal-ui-call.png` });
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { referenceHandlers } from '../../src/api/routes/reference.ts';
import { serviceHandlers } from '../../src/api/routes/service.ts';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { launchBrowser } from '../../tools/screenshots/browser.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';
import { until } from '../support/until.ts';

const publicUrl = 'http://api.example.test';
const height = 900;
const description = createOpenApiDocument();
const operations: string[] = Object.values(description.paths ?? {})
  .flatMap((path) => Object.values(path))
  .map(({ tags, operationId }: { tags: string[]; operationId: string }) => `${tags[0]}/${operationId}`);
const webhooks = Object.values(description.webhooks ?? {}).map(
  (path) => `webhooks/${path.post?.operationId}`,
);
const sections = [...new Set(operations.map((name) => name.slice(0, name.lastIndexOf('/'))))];

let server: ServedApp;
let browser: Browser;
let page: Page;
/** The browser's errors, and the page's requests to other hosts. */
let complaints: string[];

beforeAll(async () => {
  const served = {
    ...referenceHandlers({ publicUrl }),
    ...serviceHandlers({
      version: '0',
      publicUrl,
      checks: {},
      isSignupEnabled: false,
      installation: {
        simulated: { llm: true, stt: true, tts: true, carrier: true },
        links: { temporalUi: null, traces: null },
      },
    }),
  };
  [server, browser] = await Promise.all([
    serveApp(createEchoApp({ handlers: { ...echoHandlers(), ...served } })),
    launchBrowser(),
  ]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: { width: 1280, height } });
  page.setDefaultTimeout(90_000); // the page draws two hundred operations, on a busy machine for half a minute
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
  page.on(
    'request',
    (request) =>
      /^(?:data:|blob:)/.test(request.url()) ||
      new URL(request.url()).origin === server.url ||
      complaints.push(`asks ${request.url()}`),
  );
});
afterEach(() => page.close());

async function open(place = ''): Promise<void> {
  await page.goto(`${server.url}/api/v1/docs${place}`);
  await page.locator('.opblock').first().waitFor();
}

/** The operations currently on the page, as `section/name`. */
const shown = () =>
  page
    .locator('.opblock-summary-path a')
    .evaluateAll((links) =>
      links.map((link) => decodeURIComponent(link.getAttribute('href') ?? '').slice(2)),
    );

/** Resolves when the selected element is visible. */
const untilInView = (selector: string) =>
  until(`${selector} in view`, async () => {
    const box = await page
      .locator(selector)
      .first()
      .boundingBox({ timeout: 100 })
      .catch(() => null);
    return box !== null && box.y >= 0 && box.y < height;
  });

/** Scrolls by half a screen; false at the end of the page. */
async function scrollOn(): Promise<boolean> {
  const before = await page.evaluate<number>('scrollY');
  await page.evaluate(
    `scrollBy(0, ${height / 2}), new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`,
  );
  return (await page.evaluate<number>('scrollY')) > before;
}

describe('the API reference in a browser', () => {
  test('shows every operation of the description in its section, and the webhooks, to a reader who scrolls through it', async () => {
    await open();
    const seen = new Set<string>();
    do for (const name of await shown()) seen.add(name);
    while (await scrollOn());
    expect([...seen].toSorted()).toEqual([...operations, ...webhooks].toSorted());
    expect(complaints).toEqual([]);
  });

  // guarantee: reference-page-lists-each-section
  test('links to each section from the list at its left, at every scroll position', async () => {
    await open();
    for (const name of [...sections, ...sections.toReversed()]) {
      await page.locator('#sections').getByRole('link', { name, exact: true }).click();
      await untilInView(`.opblock-tag[data-tag="${name}"]`);
    }
    expect(complaints).toEqual([]);
  });

  test('opens at an operation from a shared link, also in a section whose name has a space', async () => {
    await open('#/Text%20sessions/sendTextMessage');
    await untilInView('[id="operations-Text_sessions-sendTextMessage"].is-open .opblock-body');
    expect(complaints).toEqual([]);
  });
});

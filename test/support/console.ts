import { randomBytes } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { createDataSource } from '../../src/db/data-source.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { createSignInToken } from '../../src/services/identity/index.ts';
import { launchBrowser } from '../../tools/screenshots/browser.ts';
import { sharedConsoleService, type ConsoleService } from './console-service.ts';
import { until } from './until.ts';

const Session = z.object({
  token: z.string(),
  user: z.looseObject({ id: z.int(), email: z.string(), organization_id: z.int() }),
});
export type ConsoleSession = z.infer<typeof Session>;

export const password = 'correct horse battery';

export interface ViewOptions {
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  locale?: 'en' | 'en-XA' | 'ar';
  /** A person without a session. */
  isSignedOut?: boolean;
  /** Another person than the world's user. */
  session?: ConsoleSession;
  /** Another API process of the service. */
  apiUrl?: string;
  /** How far the browser's clock is ahead. */
  aheadMs?: number;
  /** The browser's time zone. Absent: that of the tests. */
  zone?: string;
}

/** A tab of the console, and what its browser complained about. */
export interface ConsoleTab {
  page: Page;
  context: BrowserContext;
  /** Errors of the page, violations of its policy, requests to other hosts. Empty on a good day. */
  complaints: string[];
  /** Resolves when the page waits for no answer. Playwright's `networkidle` never comes to a page that asks twice a second. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

/** A user of the console with an organization of their own. */
export interface ConsoleUser {
  session: ConsoleSession;
  /** JSON request with the user's session; `path` begins after /api/v1. Throws unless it succeeds. */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  open: (path: string, options?: ViewOptions) => Promise<ConsoleTab>;
  /** The path of a link as `npm start` prints it, which signs the user in once. */
  signInLink: () => Promise<string>;
}

/** The whole service with a browser, and a first user. */
export interface ConsoleWorld extends ConsoleUser {
  service: ConsoleService;
  /** Keeps names apart that are unique across the whole service. */
  mark: string;
  signUp: (email: string) => Promise<ConsoleSession>;
  /** A user with a fresh email, for tests that run side by side. */
  newUser: () => Promise<ConsoleUser>;
  close: () => Promise<void>;
}

const freshMark = (): string => `-${randomBytes(4).toString('hex')}`;

/** A browser and a new user; without a service, in that of the run. */
export async function startConsoleWorld({
  service = sharedConsoleService(),
  mark = freshMark(),
}: { service?: ConsoleService; mark?: string } = {}): Promise<ConsoleWorld> {
  const browser = await launchBrowser();
  try {
    const userWith = async (email: string): Promise<ConsoleUser> => {
      const session = await signUp(service.apiUrl, email);
      return {
        session,
        ask: (method, path, body) => ask(service.apiUrl, session.token, { method, path, body }),
        open: (path, options = {}) => openTab({ browser, service, session, path, options }),
        signInLink: () => signInLink(service, session),
      };
    };
    return {
      ...(await userWith(`ana${mark}@brightsmile.example`)),
      service,
      mark,
      signUp: (email) => signUp(service.apiUrl, email),
      newUser: () => userWith(`ben${freshMark()}@brightsmile.example`),
      close: async () => await browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** A user who has left the first run, to which the home page sends new users. */
async function signUp(apiUrl: string, email: string): Promise<ConsoleSession> {
  const answer = await fetch(`${apiUrl}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, name: 'Ana Ruiz' }),
  });
  const session = Session.parse(await answer.json());
  await ask(apiUrl, session.token, {
    method: 'PUT',
    path: '/user/onboarding-state',
    body: { skipped: true },
  });
  return session;
}

/** What no request of the API does. */
export async function withDatabase<T>(
  { env }: ConsoleService,
  act: (db: DataSource) => Promise<T>,
): Promise<T> {
  const db = await createDataSource({ url: env['DATABASE_URL'] ?? '', poolSize: 1 });
  try {
    return await act(db);
  } finally {
    await db.destroy();
  }
}

const signInLink = async (service: ConsoleService, { user }: ConsoleSession): Promise<string> =>
  await withDatabase(service, async (db) => {
    const token = await createSignInToken({
      db,
      clock: systemClock,
      ids: randomIds,
      user: { id: user.id, organizationId: user.organization_id },
    });
    return `/#sign-in=${token}`;
  });

interface Asked {
  method: string;
  path: string;
  body?: unknown;
}

async function ask(apiUrl: string, token: string, { method, path, body }: Asked): Promise<unknown> {
  const answer = await fetch(`${apiUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

interface TabInput {
  browser: Browser;
  service: ConsoleService;
  session: ConsoleSession;
  path: string;
  options: ViewOptions;
}

async function openTab({ browser, service, session: usual, path, options }: TabInput): Promise<ConsoleTab> {
  const {
    theme = 'light',
    width = 1280,
    height = 800,
    locale = 'en',
    isSignedOut = false,
    session = usual,
    apiUrl = service.apiUrl,
    aheadMs = 0,
    zone,
  } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: width < 640,
    ...(zone === undefined ? {} : { timezoneId: zone }),
    reducedMotion: 'reduce', // no test waits for an animation
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const stored = {
    'parlance.theme': theme,
    'parlance.locale': locale,
    ...(isSignedOut ? {} : { 'parlance.session': JSON.stringify(session) }),
  };
  // Only in the first page: a later one finds what the console itself has stored.
  await context.addInitScript((values) => {
    if (sessionStorage.getItem('begun') !== null) return;
    sessionStorage.setItem('begun', 'yes');
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, stored);
  if (aheadMs !== 0)
    await context.addInitScript(`{
      const now = () => RealDate.now() + ${aheadMs};
      const RealDate = Date;
      Date = class extends RealDate {
        constructor(...given) {
          super(...(given.length === 0 ? [now()] : given));
        }
        static now = now;
      };
    }`);
  const page = await context.newPage();
  page.setDefaultTimeout(180_000); // names the missing element before the test's time is over
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (said) => {
    if (said.type() !== 'error') return;
    const text = said.text();
    // Chromium does not name the request that failed.
    complaints.push(text.startsWith('Failed to load') ? `${text} ${said.location().url}` : text);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== apiUrl) complaints.push(`asks ${url.href}`);
  });
  page.on('websocket', (socket) => {
    // The media hosts have ports of their own.
    if (new URL(socket.url()).hostname !== new URL(apiUrl).hostname) complaints.push(`opens ${socket.url()}`);
  });
  const asked = new Set<Request>();
  let answeredAtMs = Date.now();
  const answered = (request: Request): void => {
    asked.delete(request);
    answeredAtMs = Date.now();
  };
  // The stream of events does not end.
  page.on('request', (request) => {
    if (!request.url().includes('/api/v1/events?')) asked.add(request);
  });
  page.on('requestfinished', answered).on('requestfailed', answered);
  await page.goto(`${apiUrl}${path}`);
  return {
    page,
    context,
    complaints,
    async settled() {
      // An answer may lead to a further request.
      await until(
        'A page without an open request',
        async () => asked.size === 0 && Date.now() - answeredAtMs >= 150,
      );
    },
    async close() {
      // A request that a test still answers would fail in the next one.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    },
  };
}

/**
 * Faults by the rules of WCAG 2.2 AA, as `rule: element`. The legacy mode runs in the page itself instead of in a
 * further one, and leaves out only frames of other hosts, which the console does not have; details of what is
 * right are left out. It takes a third of the time.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary?.split('\n')[1] ?? ''}`,
    ),
  );
}

/** Elements that reach beyond the page's width, and texts that are cut off without being meant to be. */
export const layoutFaults = async (page: Page): Promise<string[]> => await page.evaluate(findLayoutFaults);

/** Runs in the browser. */
const findLayoutFaults = `(() => {
  const faults = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth + 1) faults.push('the page is ' + scrollWidth + ' px wide, the window ' + clientWidth);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const place = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.trim() === '' || text.parentElement.closest('.vh, svg') !== null) continue;
    place.selectNodeContents(text);
    const lines = [...place.getClientRects()];
    // The nearest ancestor that hides what does not fit into it. One that scrolls or ends lines with … is meant to.
    for (let each = text.parentElement; each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, display } = getComputedStyle(each);
      if (display === 'contents' || display === 'inline' || overflowX === 'visible') continue;
      if (each.classList.contains('react-flow')) break;
      const box = each.getBoundingClientRect();
      const isWide = textOverflow !== 'ellipsis' && overflowX !== 'auto' && overflowX !== 'scroll';
      const isHigh = webkitLineClamp === 'none' && overflowY !== 'auto' && overflowY !== 'scroll';
      const isCut = ({ left, right, top, bottom }) =>
        right > box.left && left < box.right && bottom > box.top && top < box.bottom &&
        ((isWide && (left < box.left - 1 || right > box.right + 1)) || (isHigh && (top < box.top - 4 || bottom > box.bottom + 4)));
      if (box.width > 1 && lines.some(isCut)) faults.push('cut off: ' + text.data);
      break;
    }
  }
  const bar = document.querySelector('#bar')?.getBoundingClientRect();
  for (const each of document.querySelectorAll('#bar > *')) {
    const { left, right, width } = each.getBoundingClientRect();
    if (width > 0 && (left < bar.left - 1 || right > bar.right + 1)) faults.push('over its neighbor in the bar: ' + each.textContent);
  }
  return faults;
})()`;

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Page } from 'playwright-core';
import { completeGraph } from '../support/api-on-services.ts';
import {
  accessibilityFaults,
  layoutFaults,
  startConsoleWorld,
  type ConsoleTab,
  type ConsoleWorld,
} from '../support/console.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

let world: ConsoleWorld;
let receiver: Receiver;
let isGone = true;

beforeAll(async () => {
  receiver = await startReceiver({
    answer: ({ path }) => ({
      kind: 'answer',
      status: path === '/gone' && isGone ? 410 : 200,
      body: '{"ok":true}',
    }),
  });
  world = await startConsoleWorld();
  await Promise.all([call('Reminder', '/calls?key=secret'), call('Survey', '/gone')]);
  await receiver.waitForRequests(2);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

/** A text session to its end, of a new agent that sends its result to that path. */
async function call(name: string, path: string): Promise<void> {
  const { ask } = world;
  const graph = completeGraph();
  const hook = {
    id: 'w',
    type: 'webhook',
    position: { x: 0, y: 0 },
    data: {
      name: 'CRM',
      endpoint_url: `${receiver.url}${path}`,
      payload_template: { run: '{{workflow_run_id}}' },
    },
  };
  const { id } = z.looseObject({ id: z.int() }).parse(
    await ask('POST', '/workflow/create/definition', {
      name,
      workflow_definition: { ...graph, nodes: [...graph.nodes, hook] },
    }),
  );
  const { workflow_run_id: run } = z
    .looseObject({ workflow_run_id: z.int() })
    .parse(await ask('POST', `/workflow/${id}/text-chat/sessions`, {}));
  await ask('POST', `/workflow/${id}/text-chat/sessions/${run}/end`, {});
}

async function closeClean({ complaints, close }: ConsoleTab): Promise<void> {
  expect(complaints).toEqual([]);
  await close();
}

const endpointRow = (page: Page, path: string) =>
  page.getByRole('table', { name: 'Endpoints' }).getByRole('row', { name: `${receiver.host}/${path}` });

test('an endpoint shows how it does and narrows the deliveries; it is tested and its payload previewed from there', async () => {
  const tab = await world.open('/webhooks');
  const { page } = tab;
  const row = endpointRow(page, 'calls');
  await row.getByText('Healthy').waitFor();
  await row.getByTitle('Reminder › CRM').waitFor();
  await row.getByRole('img', { name: '1 attempt: 1 delivered, 0 failed and retried, 0 failed' }).waitFor();
  expect(await page.content()).not.toContain('key=secret');
  await row.getByRole('link').click();
  await page.locator('table[aria-label="Deliveries"][aria-rowcount="2"]').waitFor();

  await page.getByRole('button', { name: 'Preview payload' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview payload' });
  await preview.getByText('"call_disposition"').waitFor();
  await preview.getByRole('button', { name: 'Close' }).last().click();

  const before = receiver.requests.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: /^Test / });
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await dialog.getByText(/^Answered 200 after/).waitFor();
  await dialog.getByText('"test": true').waitFor();
  expect(receiver.requests).toHaveLength(before + 1);
  expect(receiver.requests.at(-1)?.headers['x-dograh-test']).toBe('true');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await closeClean(tab);
});

test('a delivery that is sent again shows the new attempt without a reload, and many are counted before', async () => {
  const tab = await world.open('/webhooks?state=succeeded');
  const { page } = tab;
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('link', { name: /^Reminder/ })
    .click();
  const panel = page.getByRole('complementary', { name: 'Delivery' });
  await panel.getByText('Answered 200', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Resend' }).click();
  await panel.getByText('Delivered at attempt 2').waitFor();
  expect(await panel.getByText('Answered 200', { exact: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Resend…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resend deliveries' });
  await dialog.getByText('1 delivery will be sent.').waitFor();
  await dialog.getByRole('button', { name: 'Resend 1' }).click();
  await panel.getByText('Delivered at attempt 3').waitFor();
  await closeClean(tab);
});

test('the deliveries of a call or of a time are found, and only they are sent again', async () => {
  const tab = await world.open('/webhooks?period=hour');
  const { page } = tab;
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  const survey = deliveries.getByRole('link', { name: /^Survey/ });
  const [, call = ''] = /#(\d+)/.exec(await survey.innerText()) ?? [];
  await page.getByLabel('Number of the call').fill(call);
  await page.keyboard.press('Enter');
  await page.locator('table[aria-label="Deliveries"][aria-rowcount="2"]').waitFor();
  await survey.waitFor();
  await page.getByRole('button', { name: 'Resend…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resend deliveries' });
  await dialog.getByText('1 delivery will be sent.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /Created/ }).click();
  await page.getByRole('option', { name: 'Between…' }).click();
  await page.getByLabel('To', { exact: true }).fill('2026-01-01T09:30');
  await page.getByText('Nothing matches these filters').waitFor();
  expect([...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
  await closeClean(tab);
});

test('a request is genuine or is told why it is not', async () => {
  const tab = await world.open('/webhooks');
  const { page } = tab;
  const sent = receiver.requests[0];
  await page.getByRole('button', { name: 'Verify a request' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verify a request' });
  await dialog.getByLabel('Headers').fill(
    Object.entries(sent?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  );
  await dialog.getByLabel('Body').fill(sent?.body ?? '');
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByText(/^Genuine: signed with the secret that ends in /).waitFor();
  await dialog.getByLabel('Body').fill('{"run":"another"}');
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByText('Not genuine: no signature matches').waitFor();
  await dialog.getByLabel('Headers').fill('webhook-id: 1');
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByText('Missing: webhook-timestamp, webhook-signature.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await closeClean(tab);
});

test.each([
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 390, height: 844 },
] as const)('the room is accessible and fits in $theme at $width px', async (view) => {
  const tab = await world.open('/webhooks', view);
  const { page } = tab;
  await endpointRow(page, 'gone')
    .getByText(/^Off since/)
    .waitFor();
  expect([...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('link', { name: /^Survey/ })
    .click();
  await page
    .getByRole('complementary', { name: 'Delivery' })
    .getByText('Answered 410', { exact: true })
    .waitFor();
  expect([...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
  await closeClean(tab);
});

test('an endpoint that is off is tried, turned on, and gets what it missed', async () => {
  const tab = await world.open('/webhooks');
  const { page } = tab;
  const row = endpointRow(page, 'gone');
  await row.getByRole('button', { name: 'Try, turn on' }).click();
  const dialog = page.getByRole('dialog', { name: /^Turn on / });
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await dialog.getByText(/^Answered 410 after/).waitFor();
  isGone = false;
  await dialog.getByRole('button', { name: 'Test again' }).click();
  await dialog.getByText(/^Answered 200 after/).waitFor();
  await dialog.getByRole('button', { name: 'Turn on, send 1' }).click();
  await row.getByText('Healthy').waitFor();
  await closeClean(tab);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { completeGraph } from '../support/api-on-services.ts';
import { connectCarrier } from '../support/console-calls.ts';
import { startConsoleService } from '../support/console-service.ts';
import { accessibilityFaults, startConsoleWorld, type ConsoleWorld } from '../support/console.ts';
import { until } from '../support/until.ts';

/** A service of its own, because the test kills its media host. */
let service: Awaited<ReturnType<typeof startConsoleService>>;
let world: ConsoleWorld;

beforeAll(async () => {
  service = await startConsoleService();
  world = await startConsoleWorld({ service });
});
afterAll(async () => {
  await world?.close();
  await service?.stop();
});

const Made = z.looseObject({ id: z.int() });
const Dialed = z.looseObject({ workflow_run_id: z.int() });

/** A call to a person who answers and is silent; answers its page. */
async function liveCall(): Promise<string> {
  await connectCarrier(world);
  const { id } = Made.parse(
    await world.ask('POST', '/workflow/create/definition', {
      name: 'Front desk',
      workflow_definition: completeGraph('Hello, this is the front desk.'),
    }),
  );
  await world.ask('PUT', `/workflow/${id}`, { workflow_configurations: { max_user_idle_timeout: 100 } });
  await world.ask('POST', `/workflow/${id}/publish`);
  await service.carrier.setPersonas('+12025550177', [
    { name: 'Maria', steps: [{ do: 'ring', ms: 200 }, { do: 'answer' }] },
  ]);
  const { workflow_run_id: runId } = Dialed.parse(
    await world.ask('POST', '/telephony/initiate-call', { workflow_id: id, phone_number: '12025550177' }),
  );
  return `/calls/${id}/${runId}`;
}

/** What the person has heard, as the carrier has it. */
async function heard(words: string): Promise<void> {
  await until(`the person hears “${words}”`, async () => {
    const entries = await service.carrier.log({ type: 'heard' });
    return entries.some(({ text }) => typeof text === 'string' && text.includes(words));
  });
}

test('a supervisor sees a phone call move when its media host dies, and has a line said that the person hears', async () => {
  const { page, complaints, close } = await world.open(await liveCall(), { width: 1440, height: 900 });
  const said = async (text: string) => await page.locator('.script li', { hasText: text }).first().waitFor();
  await said('Hello, this is the front');
  await heard('front desk');
  await service.startMedia();
  service.media.child.kill('SIGKILL');
  await said('the call went on at another one');
  await heard('the line was gone for a moment');
  await page
    .getByRole('textbox', { name: 'Words for the caller, or a note for the agent' })
    .fill('We will call you back.');
  await page.getByRole('button', { name: 'Say it', exact: true }).click();
  await heard('We will call you back.');
  await said('We will call you back.');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hang up', exact: true }).click();
  await page.getByRole('button', { name: 'Say goodbye first' }).click();
  await heard('I have to end the call now.');
  await page.getByRole('button', { name: 'Hang up', exact: true }).waitFor({ state: 'detached' });
  await said('lost or stopped');
  expect(complaints).toEqual([]);
  await close();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { directories } from '../../src/db/tables/directories.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import { importWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import { at, idAt, startApi } from '../support/api-on-services.ts';
import { createImportWorld, type ImportWorld } from '../support/import-world.ts';
import { until } from '../support/until.ts';

const real = createContactFiles();
/** Rows of files called “slow” arrive one by one. */
const contactFiles: typeof real = {
  ...real,
  async *rows(file, reading) {
    for await (const rows of real.rows(file, reading)) {
      if (rows.length < 100) yield rows;
      else
        for (const row of rows) {
          yield [row];
          await sleep(20);
        }
    }
  },
};
const slow = `phone_number\n${Array.from({ length: 2000 }, (_, index) => `+1202${5_000_000 + index}\n`).join('')}`;

let world: ImportWorld;

beforeAll(async () => {
  world = await createImportWorld('mysql', { contactFiles });
  await world.startWorker();
});
afterAll(async () => await world.close());

test('a canceled check ends within seconds, says so, and leaves no row', async () => {
  const tenant = await world.tenant();
  const id = await tenant.uploaded(slow);
  const started = (await tenant.ask('POST', `/directories/${id}/check`)).body;
  const directory = async () => (await tenant.ask('GET', `/directories/${id}`)).body;
  await until('rows are read', async () => Number(at(await directory(), 'totals', 'rows')) > 3);
  expect((await tenant.ask('DELETE', `/directories/${id}/check`)).status).toBe(200);
  await until('it has ended', async () => at(await directory(), 'state') === 'failed');
  const handle = world.temporal.client.workflow.getHandle(importWorkflowId(idAt(started, 'uuid'), 1));
  await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
  expect([
    at(await directory(), 'fault'),
    (await handle.describe()).status.name,
    await tenant.rows(id),
  ]).toEqual(['The check was canceled', 'CANCELLED', []]);
});

test('a check that cannot start because Temporal is unavailable leaves the directory usable', async () => {
  const tenant = await world.tenant();
  const id = await tenant.uploaded('phone_number\n+12025550101\n');
  const unreachable = {
    start: () => Promise.reject(new UnavailableError('Temporal is away', { dependency: 'temporal' })),
    cancel: () => Promise.resolve('gone' as const),
  };
  const api = await startApi(world.database.db, {
    files: world.files,
    directories: { contactFiles, imports: unreachable, maxBytes: 1_000_000 },
  });
  expect((await api.ask(tenant.key, 'POST', `/directories/${id}/check`)).status).toBe(503);
  await api.close();
  expect(await tenant.checked(id)).toMatchObject({ state: 'ready', import_number: 2 });
  expect((await tenant.rows(id)).map(({ importNumber }) => importNumber)).toEqual([2]);
});

test('a check whose Workflow was never started because its process died is started by the next request', async () => {
  const tenant = await world.tenant();
  const id = await tenant.uploaded('phone_number\n+12025550101\n');
  await world.database.db.getRepository(directories).update({ id }, { state: 'importing', importNumber: 1 });
  expect((await tenant.ask('POST', `/directories/${id}/check`)).status).toBe(409);
  await until(
    'it is checked',
    async () => at((await tenant.ask('GET', `/directories/${id}`)).body, 'state') === 'ready',
  );
  expect(await tenant.rows(id)).toHaveLength(1);
});

test('a missing file and a file without rows fail the check with a clear message', async () => {
  const tenant = await world.tenant();
  const missing = await tenant.uploaded('phone_number\n+12025550101\n');
  const { fileKey } = await world.database.db.getRepository(directories).findOneByOrFail({ id: missing });
  await world.files.remove(fileKey);
  expect(await tenant.checked(missing)).toMatchObject({
    state: 'failed',
    fault: expect.stringContaining('upload it again'),
  });
  expect(await tenant.checked(await tenant.uploaded('phone_number\n'))).toMatchObject({
    state: 'failed',
    fault: 'The file has no row below the header',
  });
});

test('the history of a check contains nothing of the file', async () => {
  const tenant = await world.tenant();
  const { body } = await tenant.upload(
    'phone_number,name\n+12025550163,Hidden Person\n',
    'Hidden Person.csv',
  );
  await tenant.checked(Number(idAt(body, 'id')));
  const history = JSON.stringify(
    await world.temporal.client.workflow.getHandle(importWorkflowId(idAt(body, 'uuid'), 1)).fetchHistory(),
  );
  const texts = [
    history,
    ...[...history.matchAll(/"data":"([^"]*)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    ),
  ].join('\n');
  expect(texts).toContain('directoryUuid');
  expect(texts).not.toMatch(/2025550163|Hidden|phone_number/);
});

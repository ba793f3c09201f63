import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { z } from 'zod';
import { contactForm, contactFormType } from '../support/directories.ts';
import { until } from '../support/until.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/** An import while its worker is killed. The rows in MySQL are checked. */

const Directory = z.object({
  id: z.int(),
  state: z.string(),
  totals: z.object({ rows: z.int(), ok: z.int(), duplicate: z.int(), invalid: z.int() }).nullable(),
});

let service: WholeService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  service = await startWholeService({
    databaseKind: 'mysql',
    env: { PARLANCE_LOG_LEVEL: 'warn', PARLANCE_FILES_DIRECTORY: folder },
  });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const rows = 30_000;
/** Every tenth number repeats that of the row before, and every thousandth is invalid. */
const phoneOf = (index: number): string =>
  index % 1000 === 7 ? 'none' : `+1202${2_000_000 + (index % 10 === 9 ? index - 1 : index)}`;
const content = `phone_number,name\n${Array.from({ length: rows }, (_, index) => `${phoneOf(index)},Name ${index}\n`).join('')}`;

async function uploaded(): Promise<number> {
  const answer = await fetch(`${service.apiUrl}/api/v1/directories`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': contactFormType },
    body: contactForm('list.csv', content),
  });
  return Directory.parse(await answer.json()).id;
}

const read = async (id: number) => Directory.parse((await service.request('GET', `/directories/${id}`)).body);
const check = async (id: number) =>
  Directory.parse((await service.request('POST', `/directories/${id}/check`)).body);

async function stored(id: number): Promise<unknown> {
  const db = await createConnection({ uri: service.env['DATABASE_URL'] ?? '' });
  try {
    const [found] = await db.query(
      'SELECT COUNT(*) AS count, MIN(import_number) AS import, SUM(`row_number`) AS numbers, SUM(CRC32(CONCAT_WS(0x1f, `row_number`, state, phone, zone_key, cells, findings))) AS content FROM contacts WHERE directory_id = ?',
      [id],
    );
    return found;
  } finally {
    await db.end();
  }
}

// guarantee: import-resumes-after-worker-death
test('after a worker was killed while it stored the rows of a file, the next one stores the same rows once each', async () => {
  const [lived, killed] = [await uploaded(), await uploaded()];
  const first = service.startWorker();
  await check(lived);
  await until('the check is done', async () => (await read(lived)).state === 'ready');

  await check(killed);
  await until('rows are stored', async () => ((await read(killed)).totals?.rows ?? 0) > 0);
  first.child.kill('SIGKILL');
  await first.ended;
  expect((await read(killed)).state).toBe('importing');

  const second = service.startWorker();
  await until('the check is done after all', async () => (await read(killed)).state === 'ready');
  await second.stop();
  expect({ totals: (await read(killed)).totals, rows: await stored(killed) }).toEqual({
    totals: (await read(lived)).totals,
    rows: await stored(lived),
  });
  expect((await read(killed)).totals).toMatchObject({ rows, invalid: 30, duplicate: 3000 });
});

test('a worker of the role import has no encryption keys, reads files, runs no Workflows and polls no other queue', async () => {
  const id = await uploaded();
  const rest = service.startWorker(undefined, { PARLANCE_WORKER_ROLES: 'call,delivery,campaign' });
  const worker = service.startWorker(undefined, {
    PARLANCE_WORKER_ROLES: 'import',
    PARLANCE_ENCRYPTION_KEYS: '',
    PARLANCE_LOG_LEVEL: 'info',
  });
  await check(id);
  await until('the check is done', async () => (await read(id)).state === 'ready');
  expect(worker.output().match(/"taskQueues":\[.*?\]/g)).toEqual(['"taskQueues":["parlance-import"]']);
  await worker.stop();
  await rest.stop();
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { createFileImportActivities, createImportActivities } from '../../src/activities/import.ts';
import type { ServerKind } from '../../src/db/data-source.ts';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { contacts, type ContactRow } from '../../src/db/tables/contacts.ts';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import type { ContactFiles } from '../../src/providers/contact-files/port.ts';
import { openDirectory } from '../../src/providers/storage/directory.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import { createImportRuns } from '../../src/temporal/import-starter.ts';
import type { ImportRuns } from '../../src/temporal/import-port.ts';
import type { TemporalClient } from '../../src/temporal/connection.ts';
import { createWorkers } from '../../src/worker/create-workers.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest, type Asked } from './api-on-services.ts';
import { testBundle } from './call-world.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { contactForm, contactFormType } from './directories.ts';
import { quietRuntime } from './quiet.ts';
import { keepRunning, temporalTestAddress, temporalTestClient } from './temporal.ts';
import { until } from './until.ts';

/** An organization with an API, a folder of files, and imports that run on a real Temporal. */
export interface ImportWorld {
  database: TestDatabase;
  api: ApiUnderTest;
  temporal: TemporalClient;
  imports: ImportRuns;
  taskQueue: string;
  files: Files;
  folder: string;
  tenant: () => Promise<Tenant>;
  startWorker: () => Promise<{ stop: () => Promise<void> }>;
  close: () => Promise<void>;
}

export interface Tenant {
  organizationId: number;
  key: string;
  ask: (method: string, path: string, body?: unknown) => Promise<Asked>;
  upload: (content: string, fileName?: string, fields?: Readonly<Record<string, string>>) => Promise<Asked>;
  /** Uploads a file and answers its directory's id. */
  uploaded: (content: string, fileName?: string) => Promise<number>;
  /** The same for a file whose bytes are not UTF-8 text. */
  uploadedBytes: (bytes: Uint8Array, fileName: string) => Promise<number>;
  /** Runs an import to its end and answers the result. */
  checked: (directoryId: number) => Promise<unknown>;
  rows: (directoryId: number) => Promise<ContactRow[]>;
}

export async function createImportWorld(
  kind: ServerKind,
  {
    maxBytes = 10_485_760,
    contactFiles = createContactFiles(),
  }: { maxBytes?: number; contactFiles?: ContactFiles } = {},
): Promise<ImportWorld> {
  quietRuntime();
  const temporal = temporalTestClient();
  await applyTemporalPlan({ temporal, plan: readTemporalPlan() });
  const database = await createTestDatabase(kind);
  const folder = await mkdtemp(join(tmpdir(), 'contacts-'));
  const files = await openDirectory(folder);
  const taskQueue = `campaign-${randomUUID().slice(0, 8)}`;
  const imports = createImportRuns({ temporal, taskQueue, importTaskQueue: importQueueOf(taskQueue) });
  const api = await startApi(database.db, { files, directories: { contactFiles, imports, maxBytes } });
  const stops: (() => Promise<void>)[] = [];

  return {
    database,
    api,
    temporal,
    imports,
    taskQueue,
    files,
    folder,
    tenant: async () => tenantOf(database, api, await createTenant(database.db)),
    async startWorker() {
      const stop = await startImportWorker({ database, files, taskQueue, contactFiles });
      stops.push(stop);
      return { stop };
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await api.close();
      await temporal.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function tenantOf(
  { db }: TestDatabase,
  api: ApiUnderTest,
  { organizationId, key }: { organizationId: number; key: string },
): Tenant {
  const ask: Tenant['ask'] = (method, path, body) => api.ask(key, method, path, body);
  const upload: Tenant['upload'] = (content, fileName = 'list.csv', fields = {}) =>
    api.send(
      { 'x-api-key': key, 'content-type': contactFormType },
      'POST',
      '/directories',
      contactForm(fileName, content, fields),
    );
  return {
    organizationId,
    key,
    ask,
    upload,
    uploaded: async (content, fileName) => Number(idAt((await upload(content, fileName)).body, 'id')),
    async uploadedBytes(bytes, fileName) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), fileName);
      const answer = await fetch(`${api.url}/api/v1/directories`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: form,
      });
      return Number(idAt(await answer.json(), 'id'));
    },
    async checked(directoryId) {
      const { status, body } = await ask('POST', `/directories/${directoryId}/check`);
      if (status !== 200) throw new Error(`the check was refused: ${JSON.stringify(body)}`);
      return await until('the end of the check', async () => {
        const { body: directory } = await ask('GET', `/directories/${directoryId}`);
        return at(directory, 'state') === 'importing' ? undefined : directory;
      });
    },
    rows: (directoryId) =>
      db
        .getRepository(contacts)
        .find({ where: { directoryId, organizationId }, order: { importNumber: 'ASC', rowNumber: 'ASC' } }),
  };
}

/** The queue of the file-reading activities for imports with Workflows on that queue. */
function importQueueOf(taskQueue: string): string {
  return `${taskQueue}-import`;
}

async function startImportWorker({
  database: { db },
  files,
  taskQueue,
  contactFiles,
}: Pick<ImportWorld, 'database' | 'files' | 'taskQueue'> & { contactFiles: ContactFiles }): Promise<
  () => Promise<void>
> {
  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const deps = {
    db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    files,
    contactFiles,
  };
  const workers = await createWorkers({
    hasNoThreads: true,
    connection,
    namespace: 'parlance-test',
    workflowBundle: await testBundle(),
    activities: { campaign: createImportActivities(deps), import: createFileImportActivities(deps) },
    taskQueueOf: (role) => (role === 'import' ? importQueueOf(taskQueue) : taskQueue),
    shutdownGraceMs: 500,
  });
  const { stop } = keepRunning(connection, workers);
  return stop;
}

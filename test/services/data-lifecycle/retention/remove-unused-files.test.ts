import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRetentionActivities } from '../../../../src/activities/retention.ts';
import { UnavailableError } from '../../../../src/domain/errors.ts';
import { openDirectory } from '../../../../src/providers/storage/directory.ts';
import type { Files } from '../../../../src/providers/storage/port.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { removeUnusedFiles } from '../../../../src/services/data-lifecycle/index.ts';
import { startTestBucket } from '../../../support/bucket.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertDirectoryRow } from '../../../support/directories.ts';

/** A storage, and a way to make its files older. */
interface Store {
  files: Files;
  age: (key: string, hours: number) => Promise<void>;
  close: () => Promise<void>;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function folderStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'unused-files-'));
  const files = await openDirectory(folder);
  return {
    files,
    age: (key, hours) => utimes(join(folder, key), hoursAgo(hours), hoursAgo(hours)),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function bucketStore(): Promise<Store> {
  const { emulator, files, close } = await startTestBucket();
  return {
    files,
    age: (key, hours) => Promise.resolve(void (emulator.bucket.get(key).modifiedAt = hoursAgo(hours))),
    close,
  };
}

describe.each(
  databases.flatMap((kind) => [
    [kind, 'a folder', folderStore] as const,
    [kind, 'a bucket', bucketStore] as const,
  ]),
)('contact files without a directory on %s, in %s', (kind, _place, open) => {
  let database: TestDatabase;
  let store: Store;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  beforeEach(async () => {
    await store?.close();
    [store, ctx] = [await open(), await createTestContext(database.db)];
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** Writes a file that is that many hours old. */
  const put = async (hours: number, folder = 'campaigns'): Promise<string> => {
    const key = `${folder}/${ctx.organizationId}/${randomUUID()}_contacts.csv`;
    await store.files.write(key, Readable.from([Buffer.from('phone_number\n+12025550101\n')]), 1000);
    await store.age(key, hours);
    return key;
  };
  const sweep = (files: Files | undefined = store.files) =>
    removeUnusedFiles({ deps: { ...ctx, files }, signal: new AbortController().signal });
  const isThere = async (key: string) => (await store.files.facts(key)) !== null;

  // guarantee: orphaned-contact-file-removed
  test('are removed a day after they were written; files of directories, running uploads, valid links and other kinds stay', async () => {
    const [unused, fresh, kept, sound] = [
      await put(25),
      await put(23),
      await put(1000),
      await put(1000, 'line_recordings'),
    ];
    await insertDirectoryRow(database.db, ctx.organizationId, { fileKey: kept });
    expect(await sweep()).toBe(1);
    expect(await Promise.all([unused, fresh, kept, sound].map(isThere))).toEqual([false, true, true, true]);
    expect(await sweep()).toBe(0);
  });

  test('are removed at the end of every pass of retention, when nothing else is left', async () => {
    const unused = await put(25);
    const activities = createRetentionActivities({
      ...ctx,
      files: store.files,
      histories: { forget: () => Promise.resolve({ runs: 0, wasRunning: false }) },
    });
    expect(
      await new MockActivityEnvironment().run(() =>
        activities.applyRetention({ afterOrganizationId: Number.MAX_SAFE_INTEGER }),
      ),
    ).toBeNull();
    expect(await isThere(unused)).toBe(false);
  });

  test('wait for an unavailable storage, and do not exist without a storage', async () => {
    const unavailable = () =>
      Promise.reject(
        new UnavailableError('The file storage is unavailable or full', { dependency: 'storage' }),
      );
    const unused = await put(25);
    await expect(sweep({ ...store.files, remove: unavailable })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await isThere(unused)).toBe(true);
    expect(await removeUnusedFiles({ deps: ctx, signal: new AbortController().signal })).toBe(0);
  });
});

test('the rest of a file whose writer died is removed with them', async () => {
  const database = await createTestDatabase('mariadb');
  const folder = await mkdtemp(join(tmpdir(), 'unused-files-'));
  try {
    const files = await openDirectory(folder);
    await writeFile(join(folder, '.incoming', 'left-behind'), 'phone');
    await utimes(join(folder, '.incoming', 'left-behind'), hoursAgo(25), hoursAgo(25));
    const ctx = await createTestContext(database.db);
    await removeUnusedFiles({ deps: { ...ctx, files }, signal: new AbortController().signal });
    await expect(
      utimes(join(folder, '.incoming', 'left-behind'), new Date(), new Date()),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

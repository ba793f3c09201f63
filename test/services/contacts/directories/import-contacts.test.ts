import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contacts, type ContactRow } from '../../../../src/db/tables/contacts.ts';
import { directories, type DirectoryRow } from '../../../../src/db/tables/directories.ts';
import { createContactFiles } from '../../../../src/providers/contact-files/contact-files.ts';
import type { ContactFiles } from '../../../../src/providers/contact-files/port.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  importContacts,
  registerUpload,
  startImport,
  updateDirectory,
  type DirectoryDeps,
} from '../../../../src/services/contacts/index.ts';
import { eraseFromFiles } from '../../../../src/services/data-lifecycle/erasure/uploaded-files.ts';
import { workbookOf } from '../../../support/contact-file-bytes.ts';
import {
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';
import { keptFiles } from '../../../support/directories.ts';
import { noFiles } from '../../../support/no-files.ts';

const files = keptFiles(noFiles);
const contactFiles = createContactFiles();
const deps: DirectoryDeps = {
  files,
  contactFiles,
  imports: { start: () => Promise.resolve('runs'), cancel: () => Promise.resolve('gone') },
  maxBytes: 1_000_000,
};

const row = (...cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`;
const sheet = (...rows: string[]) => workbookOf(rows.join(''));

describe.each(bothDatabases)('an import on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const put = async (fileKey: string, content: string | Uint8Array) =>
    await files.write(fileKey, Readable.from([Buffer.from(content)]), 1_000_000);
  /** A directory whose first check is running. */
  const importing = async (content: string | Uint8Array, changes: { duplicates?: 'last' } = {}) => {
    const fileKey = `campaigns/${ctx.organizationId}/${randomUUID()}_contacts.csv`;
    await put(fileKey, content);
    const { id } = await registerUpload({ ctx, deps, input: { fileKey } });
    await updateDirectory({ ctx, deps, input: { directoryId: id, mapping: changes } });
    await startImport({ ctx, deps, input: { directoryId: id } });
    return { id, fileKey, input: { directoryId: id, organizationId: ctx.organizationId, importNumber: 1 } };
  };
  const run = (
    input: { directoryId: number; organizationId: number; importNumber: number },
    reader: ContactFiles = contactFiles,
  ) =>
    importContacts({
      deps: { db: database.db, clock: ctx.clock, ids: ctx.ids, files, contactFiles: reader },
      input,
      signal: new AbortController().signal,
    });
  const directory = async (id: number): Promise<DirectoryRow> =>
    await database.db.getRepository(directories).findOneByOrFail({ id });
  const stored = async (directoryId: number): Promise<ContactRow[]> =>
    await database.db.getRepository(contacts).find({ where: { directoryId }, order: { rowNumber: 'ASC' } });

  const text = 'phone_number,fax\n+12025550101,+13035550102\n';
  // guarantee: replaced-file-not-imported
  test.each<[string, string | Uint8Array, string | Uint8Array, { duplicates?: 'last' }]>([
    ['a text with other columns', text, 'fax,phone_number\n+13035550102,+12025550101\n', {}],
    [
      'a text in which the last of equal rows counts',
      text,
      'fax,phone_number\n+13035550102,+12025550101\n',
      { duplicates: 'last' },
    ],
    ['a longer text', text, `${text}+12025550103,\n`, {}],
    ['a file that is not a table', text, '', {}],
    [
      'a workbook with other columns',
      sheet(row('phone_number', 'fax'), row('+12025550101', '+13035550102')),
      sheet(row('fax', 'phone_number'), row('+13035550102', '+12025550101')),
      {},
    ],
    [
      'a file that is no longer a workbook',
      sheet(row('phone_number', 'fax'), row('+12025550101', '+13035550102')),
      text,
      {},
    ],
  ])(
    'of a file that was replaced after it was registered fails with a message, and leaves no row: %s',
    async (_what, before, after, changes) => {
      const { id, fileKey, input } = await importing(before, changes);
      await put(fileKey, after);
      expect(await run(input)).toEqual({ state: 'failed', rows: 0, ok: 0 });
      expect(await directory(id)).toMatchObject({
        state: 'failed',
        fault: expect.stringContaining('was replaced after it was registered'),
      });
      expect(await stored(id)).toEqual([]);
    },
  );

  test('of a file that was replaced during its registration fails, too', async () => {
    const fileKey = `campaigns/${ctx.organizationId}/${randomUUID()}_contacts.csv`;
    await put(fileKey, text);
    const read: typeof files.read = async function* replacing(...args) {
      yield* files.read(...args);
      await put(fileKey, 'fax,phone_number\n+13035550102,+12025550101\n');
    };
    const { id } = await registerUpload({
      ctx,
      deps: { ...deps, files: { ...files, read } },
      input: { fileKey },
    });
    await startImport({ ctx, deps, input: { directoryId: id } });
    expect(await run({ directoryId: id, organizationId: ctx.organizationId, importNumber: 1 })).toMatchObject(
      { state: 'failed' },
    );
  });

  test('of an unchanged file is ready, for texts and workbooks', async () => {
    for (const content of [text, sheet(row('phone_number', 'fax'), row('+12025550101', '+13035550102'))]) {
      const { id, input } = await importing(content);
      expect(await run(input)).toEqual({ state: 'ready', rows: 1, ok: 1 });
      const { state, totals } = await directory(id);
      expect([state, totals.attempt, (await stored(id)).map(({ phone }) => phone)]).toEqual([
        'ready',
        undefined,
        ['12025550101'],
      ]);
    }
  });

  test('of a file from which an erasure removed a person reads it as it is then, without the person', async () => {
    const person = { phones: ['12025550101'], asked: '12025550101', identifier: null };
    const { id, input } = await importing('phone_number\n+12025550101\n+12025550102\n');
    await eraseFromFiles({
      ctx,
      deps: { files, contactFiles },
      person,
      where: { found: [{ directoryId: id, rows: 1 }], unreadable: [] },
    });
    expect(await run(input)).toEqual({ state: 'ready', rows: 1, ok: 1 });
    expect((await stored(id)).map(({ rowNumber, phone }) => [rowNumber, phone])).toEqual([
      [2, '12025550102'],
    ]);
  });

  test('does not bring back a person whom an erasure removes from the file meanwhile', async () => {
    const person = { phones: ['12025550101'], asked: '12025550101', identifier: null };
    const { id, input } = await importing('phone_number\n+12025550101\n+12025550102\n');
    const [reader, hold] = held();
    const reading = run(input, reader);
    await hold.reached;
    await eraseFromFiles({
      ctx,
      deps: { files, contactFiles },
      person,
      where: { found: [{ directoryId: id, rows: 1 }], unreadable: [] },
    });
    hold.release();
    expect(await reading).toMatchObject({ state: 'failed' });
    expect(await stored(id)).toEqual([]);
  });

  const forbidden = 'phone_number,do_not_call\n+12025550101,\n+12025550102,\n+12025550101,yes\n';

  test('that stalled until another attempt had completed writes nothing more: forbidden numbers stay forbidden', async () => {
    const { id, input } = await importing(forbidden);
    const [reader, hold] = held();
    const late = run(input, reader);
    await hold.reached;
    expect(await run(input)).toEqual({ state: 'ready', rows: 3, ok: 1 });
    const before = await stored(id);
    expect(before.map(({ state }) => state)).toEqual(['do_not_call', 'ok', 'do_not_call']);
    hold.release();
    expect(await late).toEqual({ state: 'superseded', rows: 0, ok: 0 });
    expect([(await directory(id)).state, await stored(id)]).toEqual(['ready', before]);
  });

  // guarantee: superseded-import-attempt-writes-nothing
  test('that stalled until another attempt had begun leaves the end to that one', async () => {
    const { id, input } = await importing(forbidden);
    const [[firstReader, first], [secondReader, second]] = [held(), held()];
    const late = run(input, firstReader);
    await first.reached;
    const later = run(input, secondReader);
    await second.reached;
    first.release();
    expect(await late).toEqual({ state: 'superseded', rows: 0, ok: 0 });
    expect([(await directory(id)).state, await stored(id)]).toEqual(['importing', []]);
    second.release();
    expect(await later).toEqual({ state: 'ready', rows: 3, ok: 1 });
    expect((await stored(id)).map(({ state }) => state)).toEqual(['do_not_call', 'ok', 'do_not_call']);
  });
});

/** A reader that stalls once the first row of a file has been read and progress was reported. */
function held(): [ContactFiles, { reached: Promise<void>; release: () => void }] {
  let [reach, release] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reader: ContactFiles = {
    ...contactFiles,
    async *rows(file, reading) {
      for await (const rows of contactFiles.rows(file, reading)) {
        yield rows.slice(0, 1);
        reach();
        await released;
        yield rows.slice(1);
      }
    },
  };
  return [reader, { reached, release: () => release() }];
}

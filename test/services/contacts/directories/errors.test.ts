import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import exceljs from 'exceljs';
import { createContactFiles } from '../../../../src/providers/contact-files/contact-files.ts';
import {
  downloadErrors,
  importContacts,
  registerUpload,
  startImport,
  type DirectoryDeps,
} from '../../../../src/services/contacts/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { keptFiles } from '../../../support/directories.ts';
import { noFiles } from '../../../support/no-files.ts';
import { recordQueries } from '../../../support/recorded-queries.ts';

const files = keptFiles(noFiles);
const deps: DirectoryDeps = {
  files,
  contactFiles: createContactFiles(),
  imports: { start: () => Promise.resolve('runs'), cancel: () => Promise.resolve('gone') },
  maxBytes: 10_000_000,
};
const rows = 12_000;
/** Every second row is left out. */
const cellsOf = (row: number): string[] => [row % 2 === 0 ? 'none' : `+1202${2_000_000 + row}`, `Ada ${row}`];

describe.each(databases)('an error file on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const imported = async (content: Uint8Array) => {
    const fileKey = `campaigns/${ctx.organizationId}/${randomUUID()}_contacts`;
    await files.write(fileKey, Readable.from([content]), deps.maxBytes);
    const { id } = await registerUpload({ ctx, deps, input: { fileKey } });
    await startImport({ ctx, deps, input: { directoryId: id } });
    await importContacts({
      deps: { db: database.db, clock: ctx.clock, ids: ctx.ids, files, contactFiles: deps.contactFiles },
      input: { directoryId: id, organizationId: ctx.organizationId, importNumber: 1 },
      signal: new AbortController().signal,
    });
    return id;
  };
  const downloaded = async (directoryId: number) => {
    const pieces: Uint8Array[] = [];
    const queries = await recordQueries(database.db, async () => {
      const input = { directoryId, includesWarnings: false };
      for await (const piece of (await downloadErrors({ ctx, deps, input })).pieces) pieces.push(piece);
    });
    return { bytes: Buffer.concat(pieces), statements: queries.length };
  };

  test('of thousands of rows takes a statement for 5,000 of them, for a text', async () => {
    const lines = ['phone_number,name', ...Array.from({ length: rows }, (_, row) => cellsOf(row).join(','))];
    const id = await imported(Buffer.from(`${lines.join('\n')}\n`));
    const { bytes, statements } = await downloaded(id);
    const found = bytes.toString().trim().split('\n');
    expect([found.length, statements]).toEqual([rows / 2 + 1, 3]);
    expect(found.at(-1)).toMatch(/^none,Ada 11998,12000,phone_number,phone_letters,/);
  });

  test('of thousands of rows takes a statement for 5,000 of them, for a workbook', async () => {
    const workbook = new exceljs.Workbook();
    workbook
      .addWorksheet('Contacts')
      .addRows([['phone_number', 'name'], ...Array.from({ length: rows }, (_, row) => cellsOf(row))]);
    const id = await imported(new Uint8Array(await workbook.xlsx.writeBuffer()));
    const { bytes, statements } = await downloaded(id);
    const read = new exceljs.Workbook();
    await read.xlsx.load(new Uint8Array(bytes).buffer);
    expect([read.worksheets[0]?.rowCount, statements]).toEqual([rows / 2 + 1, 3]);
  });
});

import { Readable } from 'node:stream';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createContactFiles } from '../../../../src/providers/contact-files/contact-files.ts';
import {
  registerUpload,
  scanDirectory,
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
import { insertCampaign } from '../../../support/campaign-targets.ts';
import { noFiles } from '../../../support/no-files.ts';

const files = keptFiles(noFiles);
const deps: DirectoryDeps = {
  files,
  contactFiles: createContactFiles(),
  imports: {
    start: () => Promise.reject(new Error('Nothing is started here')),
    cancel: () => Promise.resolve('gone'),
  },
  maxBytes: 1_000_000,
};

describe.each(databases)('an upload by link on %s (contract 11.1)', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const put = async (content: string, organizationId = ctx.organizationId): Promise<string> => {
    const key = `campaigns/${organizationId}/${randomUUID()}_contacts.csv`;
    await files.write(key, Readable.from([Buffer.from(content)]), 1_000_000);
    return key;
  };
  const register = (fileKey: string, identifierColumn?: string) =>
    registerUpload({ ctx, deps, input: { fileKey, identifierColumn } });

  test('becomes one directory, with the columns and the mapping that its names suggest', async () => {
    const content = 'Phone_Number,Ext_Customer_Id,First Name\n+12025550101,C-1,Ada\n';
    const fileKey = await put(content);
    const row = await register(fileKey);
    expect(row).toMatchObject({
      organizationId: ctx.organizationId,
      fileKey,
      fileName: 'contacts.csv',
      name: 'contacts.csv',
      kind: 'csv',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      state: 'uploaded',
      columns: ['Phone_Number', 'Ext_Customer_Id', 'First Name'],
      mapping: { phone: 'Phone_Number', identifier: 'Ext_Customer_Id' },
    });
    expect((await register(fileKey)).id).toBe(row.id);
  });

  test('becomes one directory when two requests name it concurrently, and both continue with it', async () => {
    const fileKey = await put('phone_number,a\n+12025550101,1\n');
    let asked = 0;
    let bothAsk = () => {};
    const both = new Promise<void>((resolve) => {
      bothAsk = resolve;
    });
    const facts: typeof files.facts = async (key) => {
      asked += 1;
      if (asked === 2) bothAsk();
      await both;
      return await files.facts(key);
    };
    const together = { ...deps, files: { ...files, facts } };
    const rows = await Promise.all(
      [undefined, 'a'].map((identifierColumn) =>
        registerUpload({ ctx, deps: together, input: { fileKey, identifierColumn } }),
      ),
    );
    expect(asked).toBe(2);
    expect(rows[0]?.id).toBe(rows[1]?.id);
    expect(rows[1]?.mapping.identifier).toBe('a');
  });

  test('takes the requested identifier, and another one until a campaign uses it', async () => {
    const fileKey = await put('phone_number,a,b\n+12025550101,1,2\n');
    expect((await register(fileKey, 'a')).mapping.identifier).toBe('a');
    const { id, mapping } = await register(fileKey, 'b');
    expect(mapping.identifier).toBe('b');
    await expect(register(fileKey, 'c')).rejects.toMatchObject({
      code: 'precondition',
      status: 400,
      message: expect.stringContaining("'c'"),
    });
    const campaignId = await insertCampaign(database.db, ctx.organizationId, []);
    await database.db.query('UPDATE campaigns SET directory_id = ? WHERE id = ?', [id, campaignId]);
    await expect(register(fileKey, 'a')).rejects.toMatchObject({ code: 'conflict' });
    expect((await register(fileKey, 'b')).id).toBe(id);
  });

  // guarantee: published-flow-takes-phone-number-alone
  test.each([
    ['no data row', 'phone_number\n', 'no data row'],
    ['no phone column', 'a,b\n1,2\n3,4\n', 'no column `phone_number`'],
    [
      'another name of a phone column',
      'Mobile,b\n+12025550101,2\n',
      "no column `phone_number`; it has 'Mobile', 'b'",
    ],
    [
      'two phone columns',
      'Phone_Number,PHONE_NUMBER\n+12025550101,+12025550102\n',
      'several columns `phone_number`',
    ],
    ['no content', '', 'empty'],
    ['an unsupported type', '%PDF-1.7\n1 0 obj\n', 'CSV or XLSX'],
  ])('with %s is refused with a message', async (_what, content, words) => {
    await expect(register(await put(content))).rejects.toMatchObject({
      code: 'precondition',
      status: 400,
      message: expect.stringContaining(words),
    });
  });

  test('of another organization, or an unknown one, counts as missing', async () => {
    const stranger = await createTestContext(database.db);
    for (const fileKey of [
      await put('phone_number\n+12025550101\n', stranger.organizationId),
      `campaigns/${ctx.organizationId}/${randomUUID()}_none.csv`,
      'recordings/1.wav',
      '../x',
    ]) {
      await expect(register(fileKey)).rejects.toMatchObject({
        code: 'precondition',
        status: 400,
        message: expect.stringContaining('No file was uploaded'),
      });
    }
  });

  test('is scanned without storing a row: what a check would count, and in which lines of the file', async () => {
    const directory = await register(
      await put(
        'phone_number,name,city\n+12025550101,Ada,Boston\nnone,Alan,\n+12025550101,Ada,\n+12025550102,,Denver\n1.2E+10,x,y\n',
      ),
    );
    const { totals, lines } = await scanDirectory({ ctx, deps, directory, input: { required: ['name'] } });
    expect(totals).toMatchObject({ rows: 5, ok: 2, invalid: 2, duplicate: 1 });
    const found = Object.fromEntries(
      lines.map(({ code, column, count, first }) => [`${code} ${column}`, [count, first]]),
    );
    expect(found).toMatchObject({
      'phone_letters phone_number': [1, [3]],
      'duplicate null': [1, [4]],
      'variable_empty name': [1, [5]],
      'phone_scientific phone_number': [1, [6]],
    });
    expect(await database.db.query('SELECT * FROM contacts WHERE directory_id = ?', [directory.id])).toEqual(
      [],
    );
  });
});

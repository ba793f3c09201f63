import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { suppressions } from '../../../../src/db/tables/suppressions.ts';
import { createContactFiles } from '../../../../src/providers/contact-files/contact-files.ts';
import { limits } from '../../../../src/providers/contact-files/limits.ts';
import { openDirectory } from '../../../../src/providers/storage/directory.ts';
import { importSuppressions } from '../../../../src/services/contacts/index.ts';
import { createTenant, startApi, type ApiUnderTest } from '../../../support/api-on-services.ts';
import { insertCampaign, targetsOf } from '../../../support/campaign-targets.ts';
import { workbookOf } from '../../../support/contact-file-bytes.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';

const header = 'phone_number,note\n';
const numberOf = (index: number) => `+1202555014${index}`;
/** Each cell is as long as a cell may be; together they are longer than a row may be. */
const longCells = Array.from({ length: 9 }, () => 'x'.repeat(limits.cellCharacters));

/** Its middle row takes 1 GB as text. */
function hugeWorkbook(): Buffer {
  const texts = [
    'phone_number',
    'note',
    ...[0, 1, 2].map(numberOf),
    ...['ł', 'ż'].map((letter) => letter.repeat(limits.cellCharacters)),
  ];
  const row = (...indexes: number[]) =>
    `<row>${indexes.map((index) => `<c t="s"><v>${index}</v></c>`).join('')}</row>`;
  const long = Array.from({ length: 16_000 }, (_, index) => 5 + (index % 2));
  return workbookOf(row(0, 1) + row(2, 1) + row(3, ...long) + row(4, 1), {
    sharedStrings: texts.map((text) => `<si><t>${text}</t></si>`).join(''),
  });
}

describe.each(databases)('a file of suppressed numbers on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let folder: string;
  let owner: { organizationId: number; userId: number; key: string };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    folder = await mkdtemp(join(tmpdir(), 'suppressions-'));
    api = await startApi(database.db, { files: await openDirectory(folder) });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    owner = await createTenant(database.db);
  });

  const send = (file: string | Buffer, query = '') =>
    api.send(
      { 'x-api-key': owner.key, 'content-type': 'text/csv' },
      'POST',
      `/suppressions/import${query}`,
      file,
    );
  const listed = async () =>
    (
      await database.db
        .getRepository(suppressions)
        .find({ where: { organizationId: owner.organizationId }, order: { phone: 'ASC' } })
    ).map(({ phone }) => phone);
  const kept = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map(({ name }) => name);

  test('adds its valid lines, also beside a cell that is too long, reports invalid ones by line and code, and leaves no stored file', async () => {
    const campaign = await insertCampaign(database.db, owner.organizationId, [{ phone: '12025550123' }]);
    await api.ask(owner.key, 'POST', '/suppressions', { phone_numbers: ['4930901820'] });
    const file =
      'name;phone_number\nAnna;+1 202 555 0123\nBert;1.2025550123E+10\n;\nCara;\nDora;0049 30 901820\nEmil;12025550123\nFrida;ask her\n';
    const long = `${'x'.repeat(40_000)};+12025550124\n`;
    const answer = await send(file + long, '?reason=old%20system');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        rows: 7,
        added: 2,
        already_there: 2,
        invalid: 3,
        suppressed_targets: 1,
        faults: [
          { line: 3, code: 'phone_scientific' },
          { line: 5, code: 'phone_missing' },
          { line: 8, code: 'phone_letters' },
        ],
      },
    });
    expect(await listed()).toEqual(['12025550123', '12025550124', '4930901820']);
    expect(
      await database.db
        .getRepository(suppressions)
        .findOneByOrFail({ organizationId: owner.organizationId, phone: '12025550123' }),
    ).toMatchObject({ source: 'file', reason: 'old system', createdByUserId: owner.userId });
    expect((await targetsOf(database.db, campaign))[0]).toMatchObject({
      state: 'failed',
      outcome: 'suppressed',
    });
    const entries = await database.db
      .getRepository(auditEvents)
      .findBy({ organizationId: owner.organizationId, action: 'suppressions.imported' });
    expect(entries).toMatchObject([{ changes: { added: 2, already_there: 1, suppressed_targets: 1 } }]);
    expect(JSON.stringify(entries)).not.toContain('5550123');
    expect(await kept()).toEqual([]);
  });

  // Contact files leave such a row out. A number that must not be dialed is not lost for it.
  test.each([
    ['a workbook that names two long texts 16,000 times', hugeWorkbook()],
    [
      'a CSV with more text than a row holds',
      `phone_number,${longCells.map((_, index) => `note ${index}`).join(',')}\n${numberOf(0)}\n${numberOf(1)},${longCells.join(',')}\n${numberOf(2)}\n`,
    ],
    [
      'a CSV with a longer line than is read',
      `${header}${numberOf(0)},a\n${numberOf(1)},${'x'.repeat(limits.lineCharacters)}\n${numberOf(2)},b\n`,
    ],
  ])('adds the number of a row with too much text, and those around it, from %s', async (_what, file) => {
    const before = process.resourceUsage().maxRSS;
    expect(await send(file)).toMatchObject({
      status: 200,
      body: { rows: 3, added: 3, invalid: 0, faults: [] },
    });
    expect(await listed()).toEqual([0, 1, 2].map((index) => numberOf(index).slice(1)));
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(300);
  });

  test.each([
    ['one number per line, without a header', '+12025550111\n+12025550112\n', ''],
    [
      'a first line with fewer cells than the others, without a header',
      '+12025550111,,\n+12025550112,Ann,Boston\n',
      '',
    ],
    ['one column with any name', 'Wen wir nicht anrufen\n+12025550111\n+12025550112\n', ''],
    ['a requested column', 'a,b\n1,+12025550111\n2,+12025550112\n', '?column=b'],
    ['numbers of one country', 'phone\n(202) 555-0111\n202-555-0112\n', '?default_country=us'],
    [
      'its own download',
      'phone_number,source,reason,run_id,created_at\r\n12025550111,api,,,2026-11-22T10:00:00.000000Z\r\n12025550112,api,,,2026-11-22T10:00:00.000000Z\r\n',
      '',
    ],
  ])('is read with %s', async (_what, file, query) => {
    expect(await send(file, query)).toMatchObject({ status: 200, body: { rows: 2, added: 2, invalid: 0 } });
    expect(await listed()).toEqual(['12025550111', '12025550112']);
  });

  // guarantee: suppression-file-loses-no-line
  test('loses no line without a header: a short first line is read, and one with an invalid number is reported', async () => {
    expect(await send('+12025550111,,\n+12025550112,Ann,Boston\n+12025550113,Bob,Denver\n')).toMatchObject({
      body: { rows: 3, added: 3, faults: [] },
    });
    expect(await send('2025550114\n+12025550115\n')).toMatchObject({
      body: { rows: 2, added: 1, invalid: 1, faults: [{ line: 1, code: 'phone_no_country' }] },
    });
    expect(await send('+12025550116 (home)\n+12025550117\n')).toMatchObject({
      body: { rows: 2, added: 1, faults: [{ line: 1, code: 'phone_letters' }] },
    });
    expect(await send('Ann,2025550118\nBob,+12025550119\n')).toMatchObject({
      body: { rows: 2, added: 1, faults: [{ line: 1, code: 'phone_no_country' }] },
    });
    expect(await listed()).toEqual([
      '12025550111',
      '12025550112',
      '12025550113',
      '12025550115',
      '12025550117',
      '12025550119',
    ]);
  });

  test.each([
    ['without a column of numbers', 'name,day\nAnna,Monday\n', '', /None of the columns/],
    [
      'with several columns of numbers',
      'Home phone,Mobile\n+12025550111,+12025550112\n',
      '',
      /Several of the columns/,
    ],
    ['without the requested column', 'name,day\nAnna,Monday\n', '?column=phone', /has no column 'phone'/],
    ['that is not a table', '\u0000\u0001\u0002\u0003PNG\u0000\u0000', '', /./],
    ['that is empty', '', '', /./],
  ])('%s is refused with a message, and nothing of it is stored', async (_what, file, query, words) => {
    expect(await send(file, query)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(words) },
    });
    expect([await listed(), await kept()]).toEqual([[], []]);
  });

  test('adds nothing if it breaks off', async () => {
    const ctx = { ...(await createTestContext(database.db)) };
    async function* broken() {
      yield Buffer.from('phone_number\n+12025550111\n');
      throw new Error('the client is gone');
    }
    const deps = { files: await openDirectory(folder), contactFiles: createContactFiles() };
    await expect(
      importSuppressions({
        ctx,
        deps,
        input: { bytes: broken(), column: undefined, defaultCountry: null, reason: '' },
      }),
    ).rejects.toThrow('the client is gone');
    expect(
      await database.db.getRepository(suppressions).countBy({ organizationId: ctx.organizationId }),
    ).toBe(0);
    expect(await kept()).toEqual([]);
  });

  test('adds tens of thousands in several transactions, each with its audit event', async () => {
    const numbers = Array.from(
      { length: 12_500 },
      (_, index) => `+1202555${String(index).padStart(4, '0').slice(-4)}`,
    );
    const others = Array.from({ length: 12_500 }, (_, index) => `+49309${String(100_000 + index)}`);
    const answer = await send(`phone\n${[...numbers, ...others].join('\n')}\n`);
    const distinct = new Set(numbers).size + others.length;
    expect(answer).toMatchObject({
      status: 200,
      body: { rows: 25_000, added: distinct, already_there: 25_000 - distinct, invalid: 0 },
    });
    expect(
      await database.db.getRepository(suppressions).countBy({ organizationId: owner.organizationId }),
    ).toBe(distinct);
    expect(
      await database.db
        .getRepository(auditEvents)
        .countBy({ organizationId: owner.organizationId, action: 'suppressions.imported' }),
    ).toBeGreaterThan(1);
  });

  test('is refused with a reason, unread, by an installation without files', async () => {
    const ctx = await createTestContext(database.db);
    let hasRead = false;
    async function* bytes() {
      hasRead = true;
      yield Buffer.from('phone\n+12025550111\n');
    }
    const asked = importSuppressions({
      ctx,
      deps: { contactFiles: createContactFiles() },
      input: { bytes: bytes(), column: undefined, defaultCountry: null, reason: '' },
    });
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', dependency: 'storage' });
    expect(hasRead).toBe(false);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contactBlocks } from '../../../../src/db/tables/contact-blocks.ts';
import type { ContactState } from '../../../../src/db/tables/contacts.ts';
import { contacts } from '../../../../src/db/tables/contacts.ts';
import { columns } from '../../../../src/db/rows.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { bitsOf } from '../../../../src/domain/directory/grams.ts';
import { listContacts, rebuildBlocks } from '../../../../src/services/contacts/index.ts';
import {
  insertContacts,
  removeContacts,
} from '../../../../src/services/contacts/directories/insert-contacts.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  bothDatabases,
  createTestContext,
  createTestDatabase,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertDirectoryRow } from '../../../support/directories.ts';
import { recordQueries } from '../../../support/recorded-queries.ts';

interface Given {
  cells?: string[];
  phone?: string | null;
  state?: ContactState;
  finding?: 'duplicate' | 'phone_date';
}

interface Plan {
  key: string | null;
  type: string;
  rows: number | string;
}

describe.each(bothDatabases)('a search in the rows of a directory on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const insert = (
    ...[ref, rows]: [Parameters<typeof insertContacts>[1], Parameters<typeof insertContacts>[2]]
  ) => inTransaction(database.db, (tx) => insertContacts(tx, ref, rows));
  /** A directory with that many rows; `given` says what is special about some. */
  const withRows = async (rows: number, given: Record<number, Given> = {}) => {
    const directoryId = await insertDirectoryRow(database.db, ctx.organizationId, {
      state: 'ready',
      importNumber: 1,
      columns: ['phone_number', 'name'],
    });
    const ref = { directoryId, organizationId: ctx.organizationId, importNumber: 1 };
    for (let from = 1; from <= rows; from += 2000)
      await insert(
        ref,
        Array.from({ length: Math.min(2000, rows - from + 1) }, (_, index) => {
          const rowNumber = from + index;
          const usual = String(12_020_000_000 + rowNumber);
          const {
            phone = usual,
            cells = [`+${usual}`, `Ada ${rowNumber}`],
            state = 'ok',
            finding,
          } = given[rowNumber] ?? {};
          return {
            rowNumber,
            state,
            phone,
            zoneKey: '',
            identifier: null,
            priority: 0,
            cells: JSON.stringify(cells),
            findings:
              finding === undefined ? null : [{ code: finding, level: 'error' as const, column: null }],
          };
        }),
      );
    return ref;
  };
  const found = async (
    { directoryId }: { directoryId: number },
    filter: Partial<Parameters<typeof listContacts>[0]['input']>,
  ) =>
    (await listContacts({ ctx, input: { directoryId, cursor: 0, limit: 50, ...filter } })).items.map(
      ({ row_number: row }) => row,
    );

  test('finds a part of a number in any notation, and a part of any cell in any case and with any accents', async () => {
    const ref = await withRows(600, {
      3: { phone: '493012345678', cells: ['030 / 12345678', 'Zoë Müller'] },
      400: { phone: '14155550130', cells: ['+1 (415) 555-0130', 'grace.hopper@example.com'] },
      500: { phone: null, cells: ['call 555-0130', 'Ёлкина "Мария" 100%'], state: 'invalid' },
      600: { phone: '81312345678', cells: ['+81312345678', '東京都 😀 a_b'] },
    });
    const said: [string, number[]][] = [
      ['5550130', [400]],
      ['555-0130', [400, 500]],
      ['+1 (415) 555', [400]],
      ['0014155550130', [400]],
      ['030 12345678', [3]],
      ['+49 (0)30 12345', [3]],
      ['zoe mul', [3]],
      ['HOPPER@', [400]],
      ['елкина', [500]],
      ['"мария" 100%', [500]],
      ['京都', [600]],
      ['😀', [600]],
      ['a_b', [600]],
      ['a%b', []],
      ['Ada 59', [59, 590, 591, 592, 593, 594, 595, 596, 597, 598, 599]],
      ['zq', []],
      ['nobody at all', []],
    ];
    const results = await Promise.all(
      said.map(async ([search]) => [search, await found(ref, { search })] as const),
    );
    expect(results).toEqual(said);
    expect(await found(ref, { search: 'Ada', limit: 2, cursor: 399 })).toEqual([401, 402]);
    expect(await found(await withRows(1), { search: 'hopper' })).toEqual([]);
  });

  test('takes no letters for different that the collation takes for the same', async () => {
    const weights = new Map<string, Set<string>>();
    const letters = Array.from({ length: 0xfffe }, (_, unit) => unit).filter(
      (unit) => unit > 0x22 && (unit < 0xd800 || unit > 0xdfff),
    );
    for (let from = 0; from < letters.length; from += 4096) {
      const some = String.fromCharCode(...letters.slice(from, from + 4096));
      const [row]: { weights: string }[] = await database.db.query(
        'SELECT HEX(WEIGHT_STRING(CONVERT(? USING utf8mb4) COLLATE utf8mb4_general_ci)) AS weights',
        [some],
      );
      expect(row?.weights).toHaveLength(4 * some.length);
      for (let index = 0; index < some.length; index += 1) {
        const letter = some.charAt(index);
        const weight = row?.weights.slice(4 * index, 4 * index + 4) ?? '';
        const same = weights.get(weight) ?? new Set();
        weights.set(weight, same.add(JSON.stringify(bitsOf(letter + letter))));
      }
    }
    expect([...weights].filter(([, bits]) => bits.size > 1).map(([weight]) => weight)).toEqual([]);
  });

  // guarantee: search-reads-only-blocks-that-may-match
  test.each<[string, Partial<Parameters<typeof listContacts>[0]['input']>]>([
    ['for a text', { search: 'needle' }],
    ['for a part of a number', { search: '999 1234' }],
    ['by a finding', { finding: 'phone_date' }],
    ['by a state', { state: 'invalid' }],
  ])('%s reads only the blocks that may have it, not the directory', async (_, filter) => {
    const ref = await withRows(20_000, {
      9000: { cells: ['x', 'a needle'], phone: '499991234567', state: 'invalid', finding: 'phone_date' },
    });
    await database.db.query('ANALYZE TABLE contacts');
    const queries = await recordQueries(database.db, async () =>
      expect(await found(ref, filter)).toEqual([9000]),
    );
    const reads = queries.filter(({ sql }) => /FROM `contacts`/.test(sql));
    expect(reads).toHaveLength(1);
    const explain = kind === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN';
    const plans: Plan[] = await database.db.query(`${explain} ${reads[0]?.sql}`, reads[0]?.parameters);
    expect(plans).toEqual([expect.objectContaining({ key: 'PRIMARY', type: 'range' })]);
    expect(Number(plans[0]?.rows)).toBeLessThan(1000);
  });

  test('finds what rows became, and blocks go with their rows', async () => {
    const ref = await withRows(300, { 5: { finding: 'duplicate', state: 'duplicate' } });
    await insert(ref, [
      {
        rowNumber: 5,
        state: 'ok',
        phone: '12025559999',
        zoneKey: '',
        identifier: null,
        priority: 0,
        cells: '["+12025559999","Repaired"]',
        findings: null,
      },
    ]);
    expect(await found(ref, { search: 'repaired' })).toEqual([5]);
    expect(await found(ref, { finding: 'duplicate' })).toEqual([]);
    await removeContacts(database.db, ref);
    expect(await database.db.getRepository(contactBlocks).countBy({ directoryId: ref.directoryId })).toBe(0);
  });

  // guarantee: erased-text-not-searchable
  test('an erased text leaves no trace in its block', async () => {
    const ref = await withRows(300, { 7: { cells: ['x', 'Wxyzwxyz'] } });
    const holds = async () => {
      const [row]: { holds: number | string }[] = await database.db.query(
        `SELECT ${bitsOf('wxyzwxyz')
          .map(({ byte, mask }) => `ASCII(SUBSTRING(grams, 1 + ${byte} % LENGTH(grams), 1)) & ${mask} > 0`)
          .join(' AND ')} AS holds FROM contact_blocks WHERE directory_id = ? AND block_number = 0`,
        [ref.directoryId],
      );
      return Number(row?.holds);
    };
    expect(await holds()).toBe(1);
    await database.db
      .getRepository(contacts)
      .update({ directoryId: ref.directoryId, rowNumber: 7 }, columns<object>({ cells: [], phone: null }));
    await inTransaction(database.db, (tx) =>
      rebuildBlocks(tx, ctx.organizationId, [{ ...ref, rowNumber: 7 }]),
    );
    expect(await holds()).toBe(0);
    expect(await found(ref, { search: 'Ada 8', limit: 1 })).toEqual([8]);
  });
});

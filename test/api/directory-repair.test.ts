import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import { idAt } from '../support/api-on-services.ts';
import { databases } from '../support/database.ts';
import { createImportWorld, type ImportWorld, type Tenant } from '../support/import-world.ts';

const addedColumns = ['line', 'column', 'code', 'message', 'suggestion'];

async function workbookOf(rows: readonly string[][]): Promise<Uint8Array<ArrayBuffer>> {
  const book = new exceljs.Workbook();
  book.addWorksheet('Contacts').addRows([...rows]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

/** Cells of the first sheet as a spreadsheet program reads them. A formula would not be a text here. */
async function sheetOf(bytes: ArrayBuffer): Promise<unknown[][]> {
  const book = new exceljs.Workbook();
  await book.xlsx.load(bytes);
  const rows: unknown[][] = [];
  book.worksheets[0]?.eachRow((row) => rows.push(Array.isArray(row.values) ? row.values.slice(1) : []));
  return rows;
}

describe.each(databases)('an error file for repair on %s', (kind) => {
  let world: ImportWorld;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await createImportWorld(kind);
    await world.startWorker();
  }, 120_000);
  beforeEach(async () => {
    tenant = await world.tenant();
  });
  afterAll(async () => await world.close());

  const uploaded = async (bytes: Uint8Array<ArrayBuffer>, fileName: string): Promise<number> => {
    const form = new FormData();
    form.append('file', new Blob([bytes]), fileName);
    const answer = await fetch(`${world.api.url}/api/v1/directories`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key },
      body: form,
    });
    return Number(idAt(await answer.json(), 'id'));
  };
  const errorFile = async (id: number) => {
    const answer = await fetch(`${world.api.url}/api/v1/directories/${id}/errors`, {
      headers: { 'x-api-key': tenant.key },
    });
    expect(answer.status).toBe(200);
    return { headers: answer.headers, bytes: await answer.arrayBuffer() };
  };
  const readings = async (id: number) => (await tenant.rows(id)).map(({ state, cells }) => [state, ...cells]);

  test('the repaired rows, uploaded again, can all be called; what the service added is in columns of its own', async () => {
    const id = await tenant.uploaded(
      'phone_number,name,note\n+12025550101,Ada,ok\n1.2E+10,"Alan, Mr",@alan\n,Grace,"says ""hi"""\n',
    );
    expect(await tenant.checked(id)).toMatchObject({ totals: { rows: 3, ok: 1, invalid: 1, no_phone: 1 } });
    const { bytes } = await errorFile(id);
    const [header = '', alan = '', grace = ''] = Buffer.from(bytes).toString().trim().split('\n');
    const mended = [header, alan.replace('1.2E+10', '+12025550102'), `+12025550103${grace}`].join('\n');
    const again = await tenant.uploaded(mended, 'mended.csv');
    expect(await tenant.checked(again)).toMatchObject({
      columns: ['phone_number', 'name', 'note', ...addedColumns],
      totals: { rows: 2, ok: 2, warned: 0 },
    });
    expect((await readings(again)).map((row) => row.slice(0, 4))).toEqual([
      ['ok', '+12025550102', 'Alan, Mr', '@alan'],
      ['ok', '+12025550103', 'Grace', 'says "hi"'],
    ]);
    expect((await tenant.ask('GET', `/directories/${again}/errors`)).body).toBe(
      `${header},${addedColumns.join(',')}\n`,
    );
  });

  test('of a workbook is a workbook of texts: no cell is a formula or gets a mark, and unrepaired cells come back unchanged', async () => {
    const odd = [
      '@anna',
      '-A12',
      '=HYPERLINK("x")',
      "'quoted",
      '+1+cmd',
      '007',
      ' spaced ',
      'two\nlines',
      'Ä€😀',
    ];
    const names = odd.map((_, index) => `c${index}`);
    const id = await uploaded(
      await workbookOf([
        ['phone_number', ...names],
        ['+12025550101', ...names],
        ['none', ...odd],
      ]),
      'list.xlsx',
    );
    expect(await tenant.checked(id)).toMatchObject({ kind: 'xlsx', totals: { rows: 2, ok: 1, invalid: 1 } });
    const { headers, bytes } = await errorFile(id);
    expect([headers.get('content-disposition'), headers.get('content-type')]).toEqual([
      `attachment; filename="directory_${id}_errors.xlsx"`,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(await sheetOf(bytes)).toEqual([
      ['phone_number', ...names, ...addedColumns],
      ['none', ...odd, '3', 'phone_number', 'phone_letters', expect.any(String), expect.any(String)],
    ]);
    const again = await uploaded(new Uint8Array(bytes), 'again.xlsx');
    await tenant.checked(again);
    expect((await readings(again)).map((row) => row.slice(0, 2 + odd.length))).toEqual([
      ['invalid', 'none', ...odd],
    ]);
  });

  test('of a file in windows-1251 with semicolons has the same characters, encoding and separator', async () => {
    const text = 'Телефон;Имя;Город\r\n+79161234567;Иван Петров;Москва\r\nнет;"Мария; Иванова";Тверь\r\n';
    const id = await uploaded(new Uint8Array(iconv.encode(text, 'win1251')), 'список.csv');
    await tenant.ask('PATCH', `/directories/${id}`, {
      reading: { encoding: 'win1251' },
      mapping: { phone: 'Телефон' },
    });
    expect(await tenant.checked(id)).toMatchObject({
      reading: { encoding: 'win1251', separator: ';' },
      totals: { rows: 2, ok: 1, invalid: 1 },
    });
    const { bytes } = await errorFile(id);
    const lines = iconv.decode(Buffer.from(bytes), 'win1251').split('\r\n');
    expect(lines).toEqual([
      `Телефон;Имя;Город;${addedColumns.join(';')}`,
      expect.stringMatching(/^нет;"Мария; Иванова";Тверь;3;Телефон;phone_letters;/),
      '',
    ]);
  });
});

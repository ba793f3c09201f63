import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import { campaignTargets } from '../../src/db/tables/campaign-targets.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { completeGraph, idAt } from '../support/api-on-services.ts';
import { insertCampaign } from '../support/campaign-rows.ts';
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
  });
  beforeEach(async () => {
    tenant = await world.tenant();
  });
  afterAll(async () => await world.close());

  const errorFile = async (id: number) => {
    const answer = await fetch(`${world.api.url}/api/v1/directories/${id}/errors`, {
      headers: { 'x-api-key': tenant.key },
    });
    expect(answer.status).toBe(200);
    return { headers: answer.headers, bytes: await answer.arrayBuffer() };
  };
  const directoryRow = (id: number) => world.database.db.getRepository(directories).findOneByOrFail({ id });
  const targetsOf = async (campaignId: number) =>
    (
      await world.database.db
        .getRepository(campaignTargets)
        .find({ where: { campaignId }, order: { rowNumber: 'ASC' } })
    ).map(({ rowNumber }) => rowNumber);
  const readings = async (id: number) => (await tenant.rows(id)).map(({ state, cells }) => [state, ...cells]);

  // guarantee: repaired-file-has-no-added-variables
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
      repaired_from: id,
      columns: ['phone_number', 'name', 'note', ...addedColumns],
      mapping: { phone: 'phone_number', skipped: addedColumns },
      totals: { rows: 2, ok: 2, warned: 0 },
    });
    expect((await readings(again)).map((row) => row.slice(0, 4))).toEqual([
      ['ok', '+12025550102', 'Alan, Mr', '@alan'],
      ['ok', '+12025550103', 'Grace', 'says "hi"'],
    ]);
    expect((await tenant.ask('GET', `/directories/${again}/errors`)).body).toBe(`${header}\n`);
  });

  // guarantee: repaired-duplicates-of-first-file-left-out
  test('the repaired rows are added to the directory and its campaigns under their row numbers; numbers that it already calls are not', async () => {
    const id = await tenant.uploaded(
      'phone_number,name\n+12025550101,Ada\nnone,"Alan\nTuring"\n1.2E+10,Grace\nbad,Kurt\nworse,Emmy\n',
    );
    await tenant.checked(id);
    const agentId = Number(
      idAt(
        (
          await tenant.ask('POST', '/workflow/create/definition', {
            name: 'Desk',
            workflow_definition: completeGraph(),
          })
        ).body,
        'id',
      ),
    );
    const running = await insertCampaign(world.database.db, await directoryRow(id), {
      agentId,
      state: 'running',
    });
    const over = await insertCampaign(world.database.db, await directoryRow(id), {
      agentId,
      state: 'completed',
    });
    const { bytes } = await errorFile(id);
    const again = await tenant.uploaded(
      Buffer.from(bytes)
        .toString()
        .replace('none', '+12025550102')
        .replace('1.2E+10', '+12025550101')
        .replace('bad', '+12025550104'),
      `directory_${id}_errors.csv`,
    );
    expect(await tenant.checked(again)).toMatchObject({ totals: { rows: 4, ok: 3, invalid: 1 } });
    const repair = () => tenant.ask('POST', `/directories/${id}/repairs`, { directory_id: again });
    expect(await repair()).toMatchObject({
      status: 200,
      body: {
        repaired: 2,
        duplicate: 1,
        do_not_call: 0,
        suppressed: 0,
        skipped: 0,
        campaign_ids: [running.id],
      },
    });
    expect(
      (await tenant.rows(id)).map(({ rowNumber, state, phone, cells }) => [
        rowNumber,
        state,
        phone,
        cells[1],
      ]),
    ).toEqual([
      [1, 'ok', '12025550101', 'Ada'],
      [2, 'ok', '12025550102', 'Alan\nTuring'],
      [3, 'duplicate', '12025550101', 'Grace'],
      [4, 'ok', '12025550104', 'Kurt'],
      [5, 'invalid', null, 'Emmy'],
    ]);
    expect((await tenant.ask('GET', `/directories/${id}`)).body).toMatchObject({
      totals: { rows: 5, ok: 3, duplicate: 1, invalid: 1 },
    });
    expect(await targetsOf(running.id)).toEqual([2, 4]);
    expect(await targetsOf(over.id)).toEqual([]);
    expect((await repair()).body).toMatchObject({ repaired: 0, skipped: 2, campaign_ids: [] });
    const stranger = await tenant.uploaded('phone_number\n+12025550109\n');
    expect((await tenant.ask('POST', `/directories/${id}/repairs`, { directory_id: stranger })).status).toBe(
      400,
    );
  });

  test('the error file of a repaired file names the lines of the first file', async () => {
    const id = await tenant.uploaded('phone_number\n+12025550101\nnone\nbad\n');
    await tenant.checked(id);
    const text = Buffer.from((await errorFile(id)).bytes).toString();
    const again = await tenant.uploaded(text.replace('none', '+12025550102'), `directory_${id}_errors.csv`);
    await tenant.checked(again);
    const lines = Buffer.from((await errorFile(again)).bytes)
      .toString()
      .trim()
      .split('\n');
    expect(lines).toEqual([
      ['phone_number', ...addedColumns].join(','),
      expect.stringMatching(/^bad,4,phone_number,phone_letters,/),
    ]);
    const third = await tenant.uploaded(
      lines.join('\n').replace('bad', '+12025550103'),
      `directory_${again}_errors.csv`,
    );
    expect(await tenant.checked(third)).toMatchObject({ repaired_from: id, totals: { ok: 1 } });
  });

  // guarantee: error-workbook-has-no-formulas
  // guarantee: workbook-cells-are-formatted-as-text
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
    const id = await tenant.uploadedBytes(
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
    const book = new exceljs.Workbook();
    await book.xlsx.load(bytes);
    // Also what somebody types below the rows is text.
    const sheet = book.worksheets[0];
    expect([sheet?.getCell('G2').numFmt, sheet?.getColumn('G').numFmt]).toEqual(['@', '@']);
    const again = await tenant.uploadedBytes(new Uint8Array(bytes), 'again.xlsx');
    await tenant.checked(again);
    expect((await readings(again)).map((row) => row.slice(0, 2 + odd.length))).toEqual([
      ['invalid', 'none', ...odd],
    ]);
  });

  // guarantee: error-file-names-its-encoding
  test('of a file in windows-1251 with semicolons has the same characters, encoding and separator', async () => {
    const text = 'Телефон;Имя;Город\r\n+79161234567;Иван Петров;Москва\r\nнет;"Мария; Иванова";Тверь\r\n';
    const id = await tenant.uploadedBytes(iconv.encode(text, 'win1251'), 'список.csv');
    await tenant.ask('PATCH', `/directories/${id}`, {
      reading: { encoding: 'win1251' },
      mapping: { phone: 'Телефон' },
    });
    expect(await tenant.checked(id)).toMatchObject({
      reading: { encoding: 'win1251', separator: ';' },
      totals: { rows: 2, ok: 1, invalid: 1 },
    });
    const { bytes, headers } = await errorFile(id);
    expect(headers.get('content-type')).toBe('text/csv; charset=windows-1251');
    const lines = iconv.decode(Buffer.from(bytes), 'win1251').split('\r\n');
    expect(lines).toEqual([
      `Телефон;Имя;Город;${addedColumns.join(';')}`,
      expect.stringMatching(/^нет;"Мария; Иванова";Тверь;3;Телефон;phone_letters;/),
      '',
    ]);
  });
});

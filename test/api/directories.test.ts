import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { directories } from '../../src/db/tables/directories.ts';
import { suppressions } from '../../src/db/tables/suppressions.ts';
import { importWorkflowId } from '../../src/domain/temporal-ids.ts';
import { at, completeGraph, idAt } from '../support/api-on-services.ts';
import { insertCampaign } from '../support/campaign-targets.ts';
import { databases } from '../support/database.ts';
import { contactForm, contactFormType } from '../support/directories.ts';
import { createImportWorld, type ImportWorld, type Tenant } from '../support/import-world.ts';
import { until } from '../support/until.ts';

const simple = 'phone_number,customer_id,first_name\n+12025550101,C-1,Ada\n+12025550102,C-2,Grace\n';
const states = async (tenant: Tenant, id: number) =>
  (await tenant.rows(id)).map(({ rowNumber, state }) => [rowNumber, state]);

describe.each(databases)('directories on %s', (kind) => {
  let world: ImportWorld;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await createImportWorld(kind, { maxBytes: 100_000 });
    await world.startWorker();
  });
  beforeEach(async () => {
    tenant = await world.tenant();
  });
  afterAll(async () => await world.close());

  const stored = async () =>
    (await readdir(world.folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
      .length;

  test('an upload is answered with its kind, how it is read, and where the phone and the identifier are', async () => {
    const { status, body } = await tenant.upload(simple, 'Kunden (März).csv', { name: 'Customers' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        name: 'Customers',
        file_name: 'Kunden (März).csv',
        kind: 'csv',
        file_size: Buffer.byteLength(simple),
        state: 'uploaded',
        columns: ['phone_number', 'customer_id', 'first_name'],
        reading: { separator: ',', header_line: 1, sheet: null },
        mapping: { phone: 'phone_number', identifier: 'customer_id', duplicates: 'first' },
        totals: null,
        same_file: [],
      },
    });
    expect(at(body, 'file_key')).toMatch(
      new RegExp(`^campaigns/${tenant.organizationId}/[0-9a-f-]{36}_Kunden__M_rz_\\.csv$`),
    );
  });

  test('a repeated upload of the same file is reported, within its organization only', async () => {
    const first = await tenant.uploaded(simple);
    const again = await tenant.upload(simple, 'other name.csv');
    expect(at(again.body, 'same_file')).toMatchObject([
      { directory_id: first, name: 'list.csv', imported_at: null },
    ]);
    const stranger = await world.tenant();
    expect(at((await stranger.upload(simple)).body, 'same_file')).toEqual([]);
  });

  test('are found by a part of their name or of the name of their file, within the organization', async () => {
    await tenant.upload(simple, 'list.csv', { name: 'Spring 100%' });
    await tenant.upload(simple, 'Kunden_März.csv', { name: 'Customers' });
    await (await world.tenant()).upload(simple, 'spring.csv');
    const found = async (search: string) => {
      const { body } = await tenant.ask('GET', `/directories?search=${encodeURIComponent(search)}`);
      return [at(body, 'directories', 0, 'name'), at(body, 'total_count')];
    };
    expect(await found('spring')).toEqual(['Spring 100%', 1]);
    expect(await found('0%')).toEqual(['Spring 100%', 1]);
    expect(await found('kunden_')).toEqual(['Customers', 1]);
    expect(await found('winter')).toEqual([undefined, 0]);
  });

  // guarantee: import-counts-every-row
  test('a check stores every row with its state, and counts them', async () => {
    await world.database.db.getRepository(suppressions).insert({
      organizationId: tenant.organizationId,
      phone: '12025550105',
      source: 'api',
      reason: '',
      callId: null,
      createdByUserId: null,
      createdAt: new Date(),
    });
    const id = await tenant.uploaded(
      'phone_number,name\n+12025550101,Ada\n1.20256E+10,Alan\n+12025550101,Ada again\n\n,Nobody\n+12025550105,Grace\n+12025550106,\n',
    );
    const directory = await tenant.checked(id);
    expect(directory).toMatchObject({
      state: 'ready',
      import_number: 1,
      progress_percentage: 100,
      fault: null,
      totals: {
        rows: 6,
        blank: 1,
        ok: 2,
        invalid: 1,
        duplicate: 1,
        no_phone: 1,
        suppressed: 1,
        do_not_call: 0,
        findings: { duplicate: 1, suppressed: 1 },
        empty_cells: { name: 1 },
      },
    });
    expect(await states(tenant, id)).toEqual([
      [1, 'ok'],
      [2, 'invalid'],
      [3, 'duplicate'],
      [5, 'no_phone'],
      [6, 'suppressed'],
      [7, 'ok'],
    ]);
    const [ada] = await tenant.rows(id);
    expect(ada).toMatchObject({
      phone: '12025550101',
      cells: ['+12025550101', 'Ada'],
      findings: null,
      priority: 0,
    });
  });

  test.each([
    ['first', ['ok', 'ok', 'duplicate', 'duplicate'], [[3, 4], [], [], []]],
    ['last', ['duplicate', 'ok', 'duplicate', 'ok'], [[], [], [], [1, 3]]],
    ['all', ['ok', 'ok', 'ok', 'ok'], [[], [], [], []]],
  ])(
    'of rows with the same number in any spelling, %s counts, and names those that do not',
    async (duplicates, expected, repeatedIn) => {
      const id = await tenant.uploaded(
        'phone_number\n+12025550101\n+12025550102\n(+1) 202 555-0101\n12025550101\n',
      );
      expect((await tenant.ask('PATCH', `/directories/${id}`, { mapping: { duplicates } })).status).toBe(200);
      await tenant.checked(id);
      expect(await states(tenant, id)).toEqual(expected.map((state, index) => [index + 1, state]));
      expect((await tenant.ask('GET', `/directories/${id}/rows`)).body).toMatchObject({
        items: repeatedIn.map((rows) => ({ repeated_in: rows })),
      });
    },
  );

  // guarantee: forbidden-number-closes-all-its-rows
  test('a number that any row forbids is not called for another row, before or after it', async () => {
    const id = await tenant.uploaded(
      'phone_number,do_not_call\n+12025550101,\n+12025550102,yes\n+12025550101,yes\n+12025550102,\n+12025550103,no\n',
    );
    const directory = await tenant.checked(id);
    expect(await states(tenant, id)).toEqual([
      [1, 'do_not_call'],
      [2, 'do_not_call'],
      [3, 'do_not_call'],
      [4, 'do_not_call'],
      [5, 'ok'],
    ]);
    expect(directory).toMatchObject({ totals: { ok: 1, do_not_call: 4 } });
  });

  test('empty cells count only in rows that are called: in none that is suppressed, or forbidden by a later row', async () => {
    await world.database.db.getRepository(suppressions).insert({
      organizationId: tenant.organizationId,
      phone: '12025550105',
      source: 'api',
      reason: '',
      callId: null,
      createdByUserId: null,
      createdAt: new Date(),
    });
    const id = await tenant.uploaded(
      'phone_number,first_name,do_not_call\n+12025550101,,\n+12025550105,,\n+12025550102,,\n+12025550103,Ada,\n+12025550102,,yes\n',
    );
    expect(await tenant.checked(id)).toMatchObject({
      totals: { ok: 2, suppressed: 1, do_not_call: 2, empty_cells: { first_name: 1, do_not_call: 2 } },
    });
  });

  // guarantee: called-rows-survive-import
  test('a second check replaces the rows of the first, except those that a campaign calls', async () => {
    const id = await tenant.uploaded(simple);
    // The import removes earlier rows after its own are ready.
    const imported = async () => {
      const directory = await tenant.checked(id);
      const workflowId = importWorkflowId(idAt(directory, 'uuid'), Number(at(directory, 'import_number')));
      await world.temporal.client.workflow.getHandle(workflowId).result();
    };
    await imported();
    await imported();
    expect(new Set((await tenant.rows(id)).map(({ importNumber }) => importNumber))).toEqual(new Set([2]));
    await campaignOn(id, 2);
    await imported();
    expect((await tenant.rows(id)).map(({ importNumber, rowNumber }) => [importNumber, rowNumber])).toEqual([
      [2, 1],
      [2, 2],
      [3, 1],
      [3, 2],
    ]);
  });

  // guarantee: rows-filtered-by-finding
  test('rows are listed by state and searched by number, identifier and text, page by page', async () => {
    const id = await tenant.uploaded(
      'phone_number,customer_id,note\n+12025550101,C-1,100% "sure"\n+12025550102,C-2,Zürich\nnone,C-3,x\n+442079460958,C-4,y\n',
    );
    await tenant.checked(id);
    const found = async (query: string) => {
      const { body } = await tenant.ask('GET', `/directories/${id}/rows?${query}`);
      const items = at(body, 'items');
      return Array.isArray(items) ? items.map((item) => at(item, 'row_number')) : body;
    };
    expect(await found('state=invalid')).toEqual([3]);
    expect(await found('search=%2B1 202 555')).toEqual([1, 2]);
    expect(await found('finding=phone_letters')).toEqual([3]);
    expect(await found('finding=phone_date')).toEqual([]);
    expect((await tenant.ask('GET', `/directories/${id}/rows?finding=%25`)).status).toBe(422);
    expect(await found('search=C-4')).toEqual([4]);
    expect(await found('search=zürich')).toEqual([2]);
    expect(await found('search=100%25 "')).toEqual([1]);
    expect(await found('search=1_0%25')).toEqual([]);
    const page = (await tenant.ask('GET', `/directories/${id}/rows?limit=3`)).body;
    expect(page).toMatchObject({
      has_more: true,
      next_cursor: '3',
      columns: ['phone_number', 'customer_id', 'note'],
      finding_counts: { phone_letters: 1 },
    });
    expect(await found('limit=3&cursor=3')).toEqual([4]);
  });

  // guarantee: error-file-has-left-out-rows
  test('the error file has the rows that are left out, unchanged, with line, column, code and message', async () => {
    const id = await tenant.uploaded(
      'phone_number;name\n+12025550101;"Ada; Countess"\n1.2E+10;"Alan; Mr"\n+12025550101;Ada\n',
    );
    await tenant.checked(id);
    const { status, headers, body } = await tenant.ask('GET', `/directories/${id}/errors`);
    expect({ status, disposition: headers.get('content-disposition') }).toEqual({
      status: 200,
      disposition: `attachment; filename="directory_${id}_errors.csv"`,
    });
    const lines = String(body).trim().split(/\r?\n/);
    expect(lines[0]).toBe('phone_number;name;line;column;code;message;suggestion');
    expect(lines[1]).toMatch(/^1\.2E\+10;"Alan; Mr";3;phone_number;phone_scientific;/);
    expect(lines[2]).toMatch(/^\+12025550101;Ada;4;;duplicate;Line 2 has the same number;/);
    expect(lines).toHaveLength(3);
  });

  test('the preview shows the rows as the query would read them, and changes nothing', async () => {
    const id = await tenant.uploaded('Export of today\nmobile;name\n0151 23456789;Ada\n');
    const { body } = await tenant.ask(
      'GET',
      `/directories/${id}/preview?header_line=2&separator=%3B&phone=mobile&default_country=DE`,
    );
    expect(body).toMatchObject({
      columns: ['mobile', 'name'],
      above: [['Export of today']],
      reading: { header_line: 2, separator: ';' },
      rows: [
        {
          line: 3,
          row_number: 1,
          phone_number: '4915123456789',
          state: 'ok',
          cells: ['0151 23456789', 'Ada'],
        },
      ],
    });
    expect((await tenant.ask('GET', `/directories/${id}`)).body).toMatchObject({
      mapping: { default_country: null },
    });
    expect((await tenant.ask('GET', `/directories/${id}/preview?phone=no-such`)).status).toBe(400);
  });

  test('a mapping must name columns of the file, and a check needs the phone column', async () => {
    const id = await tenant.uploaded('a,b\n1,2\n3,4\n');
    expect((await tenant.ask('GET', `/directories/${id}`)).body).toMatchObject({ mapping: { phone: null } });
    expect(await tenant.ask('POST', `/directories/${id}/check`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('phone_number') },
    });
    expect(await tenant.ask('PATCH', `/directories/${id}`, { mapping: { phone: 'c' } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("'c'") },
    });
    expect(
      (await tenant.ask('PATCH', `/directories/${id}`, { mapping: { phone: 'a', time_zone: 'b' } })).body,
    ).toMatchObject({ mapping: { phone: 'a', time_zone: 'b' }, state: 'uploaded' });
  });

  // guarantee: running-import-locks-its-settings
  test('a running check blocks changes of the reading and a second check, and can be canceled', async () => {
    const id = await tenant.uploaded(simple);
    await world.database.db
      .getRepository(directories)
      .update({ id }, { state: 'importing', importNumber: 7 });
    const refused = await Promise.all([
      tenant.ask('PATCH', `/directories/${id}`, { mapping: { duplicates: 'all' } }),
      tenant.ask('PATCH', `/directories/${id}`, { reading: { header_line: 2 } }),
      tenant.ask('DELETE', `/directories/${id}`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await tenant.ask('PATCH', `/directories/${id}`, { name: 'Renamed' })).status).toBe(200);
    expect(await tenant.ask('DELETE', `/directories/${id}/check`)).toMatchObject({
      status: 200,
      body: { state: 'failed', fault: 'The check was canceled' },
    });
    expect((await tenant.ask('DELETE', `/directories/${id}/check`)).status).toBe(409);
  });

  test('of a concurrent change and check one wins, and the rows are read as the directory says', async () => {
    const id = await tenant.uploaded(
      'phone_number,other\n+12025550101,+12025550111\n+12025550102,+12025550112\n',
    );
    const [change, check] = await Promise.all([
      tenant.ask('PATCH', `/directories/${id}`, { mapping: { phone: 'other' } }),
      tenant.ask('POST', `/directories/${id}/check`),
    ]);
    expect([change.status, check.status]).toEqual([expect.any(Number), 200]);
    await until(
      'the end of the check',
      async () => at((await tenant.ask('GET', `/directories/${id}`)).body, 'state') === 'ready',
    );
    const phone = at((await tenant.ask('GET', `/directories/${id}`)).body, 'mapping', 'phone');
    expect(phone).toBe(change.status === 200 ? 'other' : 'phone_number');
    expect((await tenant.rows(id)).map((row) => row.phone)).toEqual(
      phone === 'other' ? ['12025550111', '12025550112'] : ['12025550101', '12025550102'],
    );
  });

  test('a campaign that uses a directory fixes its mapping and keeps it from being deleted', async () => {
    const id = await tenant.uploaded(simple);
    await tenant.checked(id);
    await campaignOn(id, 1);
    expect((await tenant.ask('PATCH', `/directories/${id}`, { mapping: { duplicates: 'all' } })).status).toBe(
      409,
    );
    expect((await tenant.ask('DELETE', `/directories/${id}`)).status).toBe(409);
    expect((await tenant.rows(id)).length).toBe(2);
  });

  test('a deleted directory leaves no row and no file', async () => {
    const before = await stored();
    const id = await tenant.uploaded(simple);
    await tenant.checked(id);
    expect(await tenant.ask('DELETE', `/directories/${id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect([
      await tenant.rows(id),
      (await tenant.ask('GET', `/directories/${id}`)).status,
      await stored(),
    ]).toEqual([[], 404, before]);
  });

  test('a file without contacts is refused with the remedy, and nothing of it is stored', async () => {
    const before = await stored();
    expect(await tenant.upload('%PDF-1.7\n1 0 obj\n', 'list.csv')).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
    expect((await tenant.upload('', 'list.csv')).status).toBe(400);
    expect(await api('POST', '--x\r\n', 'application/json')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('multipart/form-data') },
    });
    expect(await api('POST', '--between-the-parts--\r\n')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('no file') },
    });
    expect(await api('POST', contactForm('list.csv', simple).slice(0, -30))).toMatchObject({ status: 400 });
    expect(await stored()).toBe(before);
  });

  // guarantee: large-upload-refused-while-reading
  test('a file that is too large for the installation is refused with the limit, announced or not', async () => {
    const before = await stored();
    const large = `phone_number\n${'+12025550101\n'.repeat(13_000)}`;
    const refused = { status: 413, body: { detail: expect.stringContaining('100000 bytes') } };
    expect(await tenant.upload(large)).toMatchObject(refused);
    const chunked = await fetch(`${world.api.url}/api/v1/directories`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key, 'content-type': contactFormType },
      body: new Blob([contactForm('list.csv', large)]).stream(),
      duplex: 'half',
    });
    expect({ status: chunked.status, body: await chunked.json() }).toMatchObject(refused);
    expect(await stored()).toBe(before);
  });

  // guarantee: broken-upload-stores-nothing
  test('an upload that breaks off leaves nothing stored', async () => {
    const before = await stored();
    const form = contactForm('list.csv', simple);
    const socket = connect(Number(new URL(world.api.url).port), '127.0.0.1');
    socket.write(
      `POST /api/v1/directories HTTP/1.1\r\nHost: x\r\nX-API-Key: ${tenant.key}\r\nContent-Type: ${contactFormType}\r\nContent-Length: ${form.length}\r\n\r\n${form.slice(0, -60)}`,
    );
    const incoming = () => readdir(`${world.folder}/.incoming`);
    await until('the file to be written', async () => (await incoming()).length > 0);
    socket.destroy();
    await until('the partial file to be removed', async () => (await incoming()).length === 0);
    expect([await stored(), at((await tenant.ask('GET', '/directories')).body, 'total_count')]).toEqual([
      before,
      0,
    ]);
  });

  test('of the shipped sample the valid rows can be called, and each invalid one says what is wrong with it', async () => {
    const id = await tenant.uploaded(await readFile('examples/contacts.csv', 'utf8'), 'contacts.csv');
    await tenant.ask('PATCH', `/directories/${id}`, { mapping: { default_country: 'US' } });
    expect(await tenant.checked(id)).toMatchObject({
      mapping: {
        phone: 'phone_number',
        identifier: 'customer_id',
        time_zone: 'time_zone',
        do_not_call: 'do_not_call',
      },
      totals: { rows: 32, blank: 1, ok: 23, invalid: 6, duplicate: 1, no_phone: 1, do_not_call: 1 },
    });
    const wrong = (await tenant.rows(id)).flatMap(({ state, cells, findings }) =>
      state === 'ok' ? [] : [[cells[0], findings?.map(({ code }) => code).join()]],
    );
    expect(wrong).toEqual([
      ['1.20256E+10', 'phone_scientific'],
      ['12025550122.0', 'phone_decimal'],
      ['+12025550123 / +12025550124', 'phone_several'],
      ['call the office', 'phone_letters'],
      ['', 'phone_missing'],
      ['202 555 0168', 'duplicate'],
      ['+12025550127', 'do_not_call'],
      ['911', 'phone_emergency'],
      ['Total', 'phone_letters'],
    ]);
  });

  test('an organization finds no directory of another one', async () => {
    const id = await tenant.uploaded(simple);
    const stranger = await world.tenant();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/preview'],
      ['POST', '/check'],
      ['DELETE', '/check'],
      ['GET', '/rows'],
      ['GET', '/errors'],
    ] as const) {
      expect({
        path,
        status: (await stranger.ask(method, `/directories/${id}${path}`, method === 'PATCH' ? {} : undefined))
          .status,
      }).toEqual({ path, status: 404 });
    }
    expect(at((await stranger.ask('GET', '/directories')).body, 'total_count')).toBe(0);
  });

  test('a directory is compared with what an agent says', async () => {
    const graph = completeGraph();
    const nodes = graph.nodes.map((node, index) =>
      index === 0
        ? {
            ...Object(node),
            data: {
              ...Object(at(node, 'data')),
              prompt: 'Call {{first_name}} of {{company}} about {{customer_id}}.',
            },
          }
        : node,
    );
    const agentId = idAt(
      (
        await tenant.ask('POST', '/workflow/create/definition', {
          name: 'a',
          workflow_definition: { ...graph, nodes },
        })
      ).body,
      'id',
    );
    const id = await tenant.uploaded(
      'phone_number,customer_id,first_name\n+12025550101,C-1,Ada\n+12025550102,C-2,\n',
    );
    await tenant.checked(id);
    const { body } = await tenant.ask('GET', `/directories/${id}/fit?workflow_id=${agentId}`);
    expect(body).toMatchObject({
      missing: expect.arrayContaining(['company', 'customer_id']),
      required: ['first_name'],
    });
    expect(at(body, 'warnings')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'own_name_of_identifier', variable: 'customer_id' }),
        expect.objectContaining({ code: 'variable_empty', variable: 'first_name', rows: 1 }),
      ]),
    );
  });

  const api = (method: string, body: string, type = contactFormType) =>
    world.api.send({ 'x-api-key': tenant.key, 'content-type': type }, method, '/directories', body);
  const campaignOn = async (directoryId: number, importNumber: number) => {
    const campaignId = await insertCampaign(world.database.db, tenant.organizationId, []);
    await world.database.db.query('UPDATE campaigns SET directory_id = ?, import_number = ? WHERE id = ?', [
      directoryId,
      importNumber,
      campaignId,
    ]);
  };
});

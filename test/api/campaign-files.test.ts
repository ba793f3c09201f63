import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { createFakeCarrier, insertConnection } from '../support/telephony.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { contacts } from '../../src/db/tables/contacts.ts';
import { insertCampaign, insertDirectory } from '../support/campaign-rows.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { keptFiles } from '../support/directories.ts';
import { noFiles } from '../support/no-files.ts';

const files = keptFiles(noFiles);

describe.each(databases)('the file of a campaign on %s (contract 11.3)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let agentId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { files, carriers: new Map([['telnyx', createFakeCarrier()]]) });
  });
  beforeEach(async () => {
    ({ organizationId, key } = await createTenant(database.db));
    agentId = Number(
      idAt(
        (
          await api.ask(key, 'POST', '/workflow/create/definition', {
            name: 'Desk',
            workflow_definition: completeGraph('Hello {{first_name}}'),
          })
        ).body,
        'id',
      ),
    );
    await api.ask(key, 'POST', `/workflow/${agentId}/publish`);
    await insertConnection(database.db, organizationId);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const put = async (content: string | Uint8Array): Promise<string> => {
    const fileKey = `campaigns/${organizationId}/${randomUUID()}_contacts.csv`;
    await files.write(fileKey, Readable.from([Buffer.from(content)]), 1_000_000);
    return fileKey;
  };
  const create = (changes: object) =>
    api.ask(key, 'POST', '/campaign/create', {
      name: 'Spring',
      workflow_id: agentId,
      source_type: 'csv',
      ...changes,
    });

  const faulty =
    'phone_number,first_name\n+12025550101,Ada\nnone,Alan\n+12025550101,Ada\n+12025550102,\n1.2E+10,Kurt\n,Nobody\n';

  // guarantee: strict-refusal-names-lines-and-reasons
  test('with bad rows is accepted, and refused under `strict` with its faults and their lines; then no campaign is created', async () => {
    const refused = await create({ source_id: await put(faulty), strict: true });
    expect([
      refused.status,
      String(at(refused.body, 'detail'))
        .split(/\. (?=[A-Z])/)
        .toSorted(),
    ]).toEqual([
      400,
      [
        'Empty cells of a variable that the agent needs (first_name): line 5',
        'Repeated phone numbers: line 4',
        'Rows that cannot be called: lines 3 (there are letters in the phone number), 6 (a spreadsheet shortened the number to a form like 1.41555E+10, and digits are lost)',
      ],
    ]);
    expect(at((await api.ask(key, 'GET', '/campaign/')).body, 'campaigns')).toEqual([]);
    expect((await create({ source_id: await put(faulty) })).status).toBe(200);
  });

  const czech = 'phone_number,first_name\n+12025550101,Ada\n+12025550102,Jiří\n';

  // guarantee: guessed-encoding-starts-no-campaign
  test.each([
    [
      'a guessed encoding',
      iconv.encode(czech, 'win1250'),
      ['a guess', 'Line 3 is win1250: «+12025550102,Jiří»', 'win1252: «+12025550102,Jiøí»'],
    ],
    [
      'mixed encodings',
      Buffer.concat([Buffer.from(czech), iconv.encode('+12025550103,Иван\n', 'win1251')]),
      ['mixes encodings', 'not line 4', 'win1251: «+12025550103,Иван»'],
    ],
  ])(
    'with %s is refused with a line under each candidate, until the request names one',
    async (_what, bytes, words) => {
      const source_id = await put(bytes);
      const refused = await create({ source_id });
      expect(refused.status).toBe(400);
      for (const each of [...words, 'send it as `encoding`'])
        expect(at(refused.body, 'detail')).toEqual(expect.stringContaining(each));
      expect(await create({ source_id, encoding: 'klingon' })).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining("'klingon' is not supported") },
      });
      expect(at((await api.ask(key, 'GET', '/campaign/')).body, 'campaigns')).toEqual([]);
      expect((await create({ source_id, encoding: 'windows-1250' })).status).toBe(200);
      expect((await create({ source_id })).status).toBe(200);
      expect((await create({ source_id, encoding: 'win1250' })).status).toBe(200);
      // Its rows are those of a campaign.
      expect((await create({ source_id, encoding: 'utf8' })).status).toBe(409);
    },
  );

  test('is refused with the name to use when a prompt names the identifier by its own column', async () => {
    const graph = completeGraph('Customer {{customer_id}}, {{order}}');
    await api.ask(key, 'PUT', `/workflow/${agentId}`, { workflow_definition: graph });
    await api.ask(key, 'POST', `/workflow/${agentId}/publish`);
    const { status, body } = await create({
      source_id: await put('phone_number,Customer_ID\n+12025550101,7\n'),
    });
    expect([status, at(body, 'detail')]).toEqual([
      400,
      expect.stringMatching(
        /^The column Customer_ID is the identifier: .* use \{\{ext_customer_id\}\} instead of \{\{customer_id\}\}\. .* order\. Add/,
      ),
    ]);
  });

  test.each([
    [true, 'phone_number,first_name\nnone,Ada\n12,Alan\nx,a\ny,b\nz,c\n2026-03-09,d\n'],
    [false, 'phone_number,first_name\nnone,Ada\n12,Alan\nx,a\ny,b\nz,c\n2026-03-09,d\n'],
  ])(
    'in which every row is bad is refused with the lines and their reasons (strict: %s)',
    async (strict, content) => {
      const { status, body } = await create({ source_id: await put(content), strict });
      const letters = 'there are letters in the phone number';
      expect([status, at(body, 'detail')]).toEqual([
        400,
        `The file has 6 rows, and none of them can be called. Rows that cannot be called: lines 2 (${letters}), 3 (the number is too short), 4 (${letters}), 5 (${letters}), 6 (${letters}) and 1 more`,
      ]);
    },
  );

  // guarantee: contacts-of-other-campaigns-are-counted
  test('is compared with the rows that other campaigns have called or will call, at the creation and at the start', async () => {
    const directory = await insertDirectory(database.db, organizationId, { rows: 4 });
    const phones = (
      await database.db.getRepository(contacts).find({ where: { directoryId: directory.id } })
    ).map(({ phone }) => phone ?? '');
    const settledAt = new Date();
    const other = await insertCampaign(database.db, directory, {
      agentId,
      state: 'running',
      name: 'Autumn',
      targets: [
        { rowNumber: 1, phone: phones[0] ?? '', state: 'processed', outcome: 'reached', settledAt },
        { rowNumber: 2, phone: phones[1] ?? '', state: 'failed', outcome: 'own_fault', settledAt },
        { rowNumber: 3, phone: phones[2] ?? '' },
      ],
    });
    const note = {
      level: 'warning',
      event: 'contacts_of_other_campaign',
      message:
        "The campaign 'Autumn' has called 1 contact of this one in the last 7 days, and is about to call 1",
      details: { campaign_id: other.id, called: 1, waiting: 1 },
    };
    const fresh = await put(`phone_number,first_name\n${phones.map((phone) => `+${phone},Ada\n`).join('')}`);
    for (const source_id of [directory.fileKey, fresh])
      expect(at((await create({ source_id })).body, 'logs')).toEqual(
        expect.arrayContaining([expect.objectContaining(note)]),
      );
    const { body } = await create({ source_id: directory.fileKey });
    await insertConnection(database.db, organizationId);
    const started = await api.ask(key, 'POST', `/campaign/${idAt(body, 'id')}/start`);
    const logs = at(started.body, 'logs');
    const ofOther = (Array.isArray(logs) ? logs : []).filter(
      (each) => at(each, 'event') === note.event && at(each, 'details', 'campaign_id') === other.id,
    );
    expect(ofOther).toEqual([expect.objectContaining(note), expect.objectContaining(note)]);
  });

  // guarantee: contacts-of-campaigns-before-their-start-are-counted
  test('is compared with the rows of campaigns that have not started, whether or not their file was checked', async () => {
    const checked = await insertDirectory(database.db, organizationId, { rows: 3 });
    const phones = (
      await database.db.getRepository(contacts).find({ where: { directoryId: checked.id } })
    ).map(({ phone }) => phone ?? '');
    const unchecked = await put('phone_number,first_name\n+12025550191,Ada\n+12025550192,Grace\n');
    const first = idAt((await create({ source_id: checked.fileKey })).body, 'id');
    const second = idAt((await create({ source_id: unchecked, name: 'Winter' })).body, 'id');
    const noted = async (source_id: string) => {
      const logs = at((await create({ source_id, name: 'Other' })).body, 'logs');
      return (Array.isArray(logs) ? logs : [])
        .filter((each) => at(each, 'event') === 'contacts_of_other_campaign')
        .map((each) => at(each, 'message'));
    };
    const says = (name: string, waiting: number) =>
      `The campaign '${name}' has called 0 contacts of this one in the last 7 days, and is about to call ${waiting}`;
    expect(await noted(await put(`phone_number,first_name\n+${phones[1]},Ada\n+12025550199,Al\n`))).toEqual([
      says('Spring', 1),
    ]);
    expect(await noted(unchecked)).toEqual([says('Winter', 2)]);
    // The campaign over one of its numbers counts, too.
    expect(await noted(checked.fileKey)).toEqual([says('Spring', 3)]);
    const started = await api.ask(key, 'POST', `/campaign/${first}/start`);
    expect(JSON.stringify(at(started.body, 'logs'))).toContain(says('Other', 3));
    await database.db.query("UPDATE campaigns SET state = 'failed' WHERE id IN (?, ?)", [first, second]);
    expect(await noted(unchecked)).toEqual([says('Other', 2)]);
  });

  test('of one row is described in the singular', async () => {
    const { body } = await create({ source_id: await put('phone_number,first_name\nnone,Ada\n') });
    expect(at(body, 'detail')).toMatch(/^The file has 1 row, and/);
    const { body: made } = await create({
      source_id: await put('phone_number,first_name\n+12025550101,Ada\n'),
    });
    expect(at(made, 'logs')).toEqual([expect.objectContaining({ message: 'The only row can be called' })]);
  });

  test('without faults is accepted under `strict`; extensions, toll-free numbers and rows without a number are not faults', async () => {
    const fileKey = await put(
      'phone_number,first_name\n+1 415 555 0130 ext. 12,Ada\n+18005550199,Grace\n+12025550103,Kurt\n,Nobody\n',
    );
    expect(await create({ source_id: fileKey, strict: true })).toMatchObject({
      status: 200,
      body: {
        logs: [
          {
            event: 'file_checked',
            details: { rows: 4, ok: 3, no_phone: 1, findings: { phone_extension: 1 } },
          },
        ],
      },
    });
  });

  test('is logged with the needed columns that are empty, and in how many rows, whether or not it was checked before', async () => {
    const entry = {
      level: 'warning',
      event: 'variables_checked',
      message: expect.stringContaining('first_name is empty in 1 row'),
      details: { code: 'variable_empty', name: 'first_name', rows: 1 },
    };
    const logOf = async (source_id: string) => at((await create({ source_id })).body, 'logs');
    expect(await logOf(await put('phone_number,first_name\n+12025550101,\n+12025550102,Ada\n'))).toEqual(
      expect.arrayContaining([expect.objectContaining(entry)]),
    );
    const { columns, totals } = await insertDirectory(database.db, organizationId, { rows: 2 });
    const checked = await insertDirectory(database.db, organizationId, {
      rows: 2,
      totals: { ...totals, emptyCells: columns.map((name) => (name === 'first_name' ? 1 : 0)) },
    });
    expect(await logOf(checked.fileKey)).toEqual(expect.arrayContaining([expect.objectContaining(entry)]));
  });
});

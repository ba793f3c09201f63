import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createFakeCarrier } from '../support/telephony.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { insertDirectory } from '../support/campaign-rows.ts';
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
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const put = async (content: string): Promise<string> => {
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

  test('with bad rows is accepted, and refused under `strict` with its faults and their lines; then no campaign is created', async () => {
    const refused = await create({ source_id: await put(faulty), strict: true });
    expect([refused.status, String(at(refused.body, 'detail')).split('. ').toSorted()]).toEqual([
      400,
      [
        'Empty cells of a variable that the agent needs (first_name): lines 5',
        'Phone numbers that cannot be called: lines 3',
        'Phone numbers that cannot be called: lines 6',
        'Repeated phone numbers: lines 4',
      ],
    ]);
    expect(at((await api.ask(key, 'GET', '/campaign/')).body, 'campaigns')).toEqual([]);
    expect((await create({ source_id: await put(faulty) })).status).toBe(200);
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

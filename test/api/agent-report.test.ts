import { rehearsedNumbers } from '../../src/domain/call/call-numbers.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { columns } from '../../src/db/rows.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import {
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

const withVariables = (...names: string[]) => {
  const variables = names.map((name) => ({ name, prompt: name }));
  const position = { x: 0, y: 0 };
  return {
    nodes: [
      {
        id: 's',
        type: 'startCall',
        position,
        data: { name: 'S', prompt: 'p', extraction_enabled: true, extraction_variables: variables },
      },
    ],
    edges: [],
  };
};
const fixed =
  'Run ID,Campaign ID,Agent ID,Agent Definition ID,Created At,Phone Number,Call Disposition,Call Duration (s)';

describe.each(databases)('the report of an agent on %s (contract 1.4, 11.8)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let agentId: string;
  let versionId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  beforeEach(async () => {
    ({ organizationId, key } = await createTenant(database.db));
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: withVariables('day', 'note'),
    });
    agentId = idAt(body, 'id');
    versionId = Number(idAt(body, 'current_definition_id'));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const report = (query = '', who = key) => api.ask(who, 'GET', `/workflow/${agentId}/report${query}`);
  const linesOf = async (query = '') =>
    String((await report(query)).body)
      .split('\r\n')
      .slice(0, -1);
  const callOf = (change: Partial<CallRow>): Omit<CallRow, 'id'> => ({
    uuid: randomUUID(),
    organizationId,
    agentId: Number(agentId),
    versionId,
    name: 'WR-TEST',
    mode: 'textchat',
    channel: 'text',
    direction: 'inbound',
    source: 'editor',
    state: 'ended',
    isTest: true,
    ...rehearsedNumbers(change.initialContext ?? {}),
    initialContext: {},
    gatheredContext: {},
    usage: {},
    logs: {},
    annotations: {},
    judging: null,
    disposition: null,
    tags: [],
    publicToken: null,
    transcriptAvailable: false,
    createdAt: new Date('2026-11-20T10:00:00.000Z'),
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSeconds: null,
    latencyP95Ms: null,
    recordedAt: null,
    costUsd: null,
    campaignId: null,
    transcriptErasedAt: null,
    variablesErasedAt: null,
    ...change,
  });
  const insert = async (...changes: Partial<CallRow>[]) => {
    const inserted = await database.db
      .getRepository(calls)
      .insert(changes.map((change) => columns<CallRow>(callOf(change))));
    return inserted.identifiers.map((each) => Number(each['id']));
  };

  test('has the columns of the contract and one line per call, oldest first', async () => {
    const [id] = await insert(
      {
        initialContext: { phone_number: '+4915112345' },
        gatheredContext: { extracted_variables: { day: 'Monday', note: 42 } },
        durationSeconds: 12.6,
        disposition: 'user_qualified',
        tags: ['user_qualified', 'user_speech'],
        publicToken: '6f0f0a3e-54e2-4c39-bd52-5b5f4c6e8c11',
        transcriptAvailable: true,
      },
      {},
    );
    const answer = await report();
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
    ]).toEqual([200, 'text/csv; charset=utf-8', `attachment; filename="workflow_${agentId}_report.csv"`]);
    expect(String(answer.body).split('\r\n')).toEqual([
      `${fixed},day,note,Call Tags,Transcript URL,Recording URL`,
      `${id},,${agentId},${versionId},2026-11-20T10:00:00.000000Z,+4915112345,user_qualified,13,Monday,42,"user_qualified, user_speech",http://api.example.test/api/v1/public/download/workflow/6f0f0a3e-54e2-4c39-bd52-5b5f4c6e8c11/transcript,`,
      `${(id ?? 0) + 1},,${agentId},${versionId},2026-11-20T10:00:00.000000Z,,,,,,,,`,
      '',
    ]);
  });

  test('has only the header without calls', async () => {
    expect(await linesOf()).toEqual([`${fixed},Call Tags,Transcript URL,Recording URL`]);
  });

  test.each([
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1',
    '＋1',
    '=HYPERLINK("http://evil.example","x")',
  ])('%j from a caller does not become a formula', async (day) => {
    await insert({ gatheredContext: { extracted_variables: { day } }, disposition: day, tags: [day] });
    const cells = (await linesOf('')).slice(1).join('\r\n');
    expect(cells).not.toMatch(/(?:^|,)"?[=+\-@\t\r＝＋]/);
    expect(cells).toContain(`'${day.replaceAll('"', '""')}`);
  });

  test('keeps commas, quotes and line breaks inside their cell, and numbers with a sign as numbers', async () => {
    await insert({ gatheredContext: { extracted_variables: { day: 'a, "b"\nc', note: '-5.5' } } });
    expect(String((await report()).body)).toContain(',"a, ""b""\nc",-5.5,');
  });

  test('the name of a variable does not become a formula either', async () => {
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: withVariables('=cmd'),
    });
    await insert({
      agentId: Number(idAt(body, 'id')),
      versionId: Number(idAt(body, 'current_definition_id')),
    });
    expect(String((await api.ask(key, 'GET', `/workflow/${idAt(body, 'id')}/report`)).body)).toContain(
      ",'=cmd,",
    );
  });

  test('has columns for the variables of all versions of its calls, and of no others', async () => {
    await api.ask(key, 'PUT', `/workflow/${agentId}`, { workflow_definition: withVariables('day', 'color') });
    const { body } = await api.ask(key, 'GET', `/workflow/${agentId}/versions?limit=1`);
    await api.ask(key, 'PUT', `/workflow/${agentId}`, { workflow_definition: withVariables('unused') });
    await insert(
      {},
      { versionId: Number(idAt(body, 0, 'id')), gatheredContext: { extracted_variables: { color: 'red' } } },
    );
    expect((await linesOf())[0]).toBe(`${fixed},day,note,color,Call Tags,Transcript URL,Recording URL`);
  });

  test.each([
    ['?start_date=2026-11-20', 2],
    ['?start_date=2026-11-21', 1],
    ['?end_date=2026-11-20', 2],
    ['?end_date=2026-11-19', 1],
    ['?start_date=2026-11-20&end_date=2026-11-20', 1],
    ['?start_date=2026-11-20T10:00:00Z&end_date=2026-11-20T10:00:01', 1],
    ['?start_date=2026-11-20T11:00:00%2B02:00', 2],
    ['?start_date=2026-11-20T13:00:01%2B02:00', 1],
  ])('%s has %d calls', async (query, count) => {
    await insert(
      { createdAt: new Date('2026-11-19T23:59:59.999Z') },
      { createdAt: new Date('2026-11-20T10:00:00.000Z') },
      { createdAt: new Date('2026-11-21T00:00:00.000Z') },
    );
    expect((await linesOf(query)).length - 1).toBe(count);
  });

  test('an invalid date is a field fault', async () => {
    expect(await report('?start_date=yesterday&end_date=2026-13-01')).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'string_pattern_mismatch', loc: ['query', 'start_date'] },
          { type: 'string_pattern_mismatch', loc: ['query', 'end_date'] },
        ],
      },
    });
  });

  test('has each call once if there are more calls than one read returns', async () => {
    await insert(...Array.from({ length: 1001 }, () => ({})));
    const ids = (await linesOf()).slice(1).map((line) => Number(line.split(',')[0]));
    expect(new Set(ids).size).toBe(1001);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  });

  test('gives a call with a transcript a link, and the link works', async () => {
    await insert({ transcriptAvailable: true });
    const url =
      /http:\/\/api\.example\.test\/api\/v1(\S+?),/.exec(String((await report()).body))?.[1] ?? 'none';
    expect((await api.send({}, 'GET', url)).status).toBe(302);
  });

  test('has no calls of other agents and other organizations', async () => {
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'b',
      workflow_definition: completeGraph(),
    });
    await insert({
      agentId: Number(idAt(body, 'id')),
      versionId: Number(idAt(body, 'current_definition_id')),
    });
    expect(await linesOf()).toHaveLength(1);
    expect((await report('', (await createTenant(database.db)).key)).status).toBe(404);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { isDownload, type Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { apiKeys } from '../../src/db/tables/api-keys.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { directories } from '../../src/db/tables/directories.ts';
import { createTickets } from '../../src/providers/secrets/tickets.ts';
import { issueDownloadTicket } from '../../src/services/identity/index.ts';
import { at, createTenant, startApi, type ApiUnderTest, type Asked } from '../support/api-on-services.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestClock,
  type TestDatabase,
} from '../support/database.ts';
import { contactForm, contactFormType, keptFiles } from '../support/directories.ts';
import { furnish } from '../support/furnished.ts';
import { noFiles } from '../support/no-files.ts';
import { joinAs, type Joined } from '../support/people.ts';
import { recordedTracing } from '../support/recorded-tracing.ts';
import { markChecked } from '../support/repaired-directory.ts';
import { requestFor, routeNames, type Slots } from '../support/route-requests.ts';

type Headers = Record<string, string>;

const downloads = routeNames.filter((name) => isDownload(routes[name]));
const suppressed = '/suppressions/export';
const refused = {
  status: 401,
  body: {
    code: 'unauthenticated',
    detail: 'The download ticket is wrong, expired or used; ask for a new one',
  },
};

test('the downloads are the files that need credentials', () => {
  expect(downloads.toSorted()).toEqual([
    'downloadCampaignReport',
    'downloadDirectoryErrors',
    'downloadUsageReport',
    'downloadWorkflowReport',
    'exportCampaign',
    'exportSuppressions',
  ]);
});

describe.each(databases)('a download ticket on %s (contract 6.9)', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let api: ApiUnderTest;
  let other: ApiUnderTest;
  let owner: Headers;
  let organizationId: number;
  let slots: Slots;
  let people = 0;
  const lines: string[] = [];
  const { tracing, spans } = recordedTracing();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock(new Date().toISOString());
    const deps = {
      clock,
      files: keptFiles(noFiles),
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
      tracing,
    };
    api = await startApi(database.db, deps);
    other = await startApi(database.db, deps);
    const tenant = await createTenant(database.db);
    organizationId = tenant.organizationId;
    owner = { 'x-api-key': tenant.key };
    slots = await furnish({
      db: database.db,
      organizationId,
      mark: 'owned',
      ask: (method, path, body) => api.ask(tenant.key, method, path, body),
    });
    await database.db
      .getRepository(calls)
      .update({ organizationId }, { initialContext: { phone_number: '+12025550143' } });
    const uploaded = await api.send(
      { ...owner, 'content-type': contactFormType },
      'POST',
      '/directories',
      contactForm('contacts.csv', 'phone_number,first_name\nnone,Ada\n'),
    );
    const directoryId = Number(at(uploaded.body, 'id'));
    await markChecked(database.db, {
      directoryId,
      organizationId,
      state: 'invalid',
      phone: null,
      cells: ['none', 'Ada'],
    });
    slots = { ...slots, directory_id: String(directoryId) };
  });
  beforeEach(() => {
    lines.splice(0);
  });
  afterAll(async () => {
    await Promise.all([api.close(), other.close()]);
    await database.drop();
  });

  const ask = (headers: Headers, path: string): Promise<Asked> =>
    api.send(headers, 'POST', '/download-tickets', { path });
  /** The address of a link from the root, for any process. */
  const linkTo = async (headers: Headers, path: string): Promise<string> => {
    const { status, body } = await ask(headers, path);
    expect({ path, status, body }).toMatchObject({ status: 200 });
    return String(at(body, 'url')).replace('http://api.example.test', '');
  };
  const open = (link: string, on = api, headers: Headers = {}): Promise<Asked> =>
    on.sendAt(headers, 'GET', link);
  const pathOf = (name: (typeof downloads)[number]) => requestFor(name, slots).path.replace('/api/v1', '');
  const join = async (role: 'owner' | 'analyst' | 'operator'): Promise<Joined> => {
    people += 1;
    return await joinAs(api, owner, { email: `${role}${people}@example.com`, role });
  };
  const makeKey = async (...scopes: string[]): Promise<{ id: number; headers: Headers }> => {
    const { body } = await api.send(owner, 'POST', '/user/api-keys', { name: 'key', scopes });
    return { id: Number(at(body, 'id')), headers: { 'x-api-key': String(at(body, 'api_key')) } };
  };
  const fileOf = ({ status, headers, body }: Asked) => ({
    status,
    type: headers.get('content-type'),
    disposition: headers.get('content-disposition'),
    body,
  });

  test.each(downloads)('%s: the link opens the file that a header opens, under its name', async (name) => {
    const path = pathOf(name);
    const withHeader = await api.send(owner, 'GET', path);
    expect(withHeader).toMatchObject({ status: 200 });
    expect(withHeader.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/);
    expect(fileOf(await open(await linkTo(owner, path)))).toEqual(fileOf(withHeader));
    const session = (await join('owner')).headers;
    expect(fileOf(await open(await linkTo(session, path)))).toEqual(fileOf(withHeader));
  });

  test('the link is absolute and says until when it works', async () => {
    const { body } = await ask(owner, suppressed);
    expect(body).toEqual({
      url: expect.stringMatching(
        /^http:\/\/api\.example\.test\/api\/v1\/suppressions\/export\?ticket=[\w.-]+$/,
      ),
      expires_at: new Date(clock.now().getTime() + 60_000).toISOString().replace('Z', '000Z'),
    });
  });

  // guarantee: download-ticket-works-once
  test('of simultaneous downloads with one ticket on several processes one succeeds, and none later', async () => {
    const link = await linkTo(owner, suppressed);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => open(link, index % 2 === 0 ? api : other)),
    );
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      200, 401, 401, 401, 401, 401,
    ]);
    const later = await startApi(database.db, { clock });
    try {
      for (const on of [api, other, later]) expect(await open(link, on)).toMatchObject(refused);
    } finally {
      await later.close();
    }
  });

  // guarantee: download-ticket-is-for-one-download
  test('it opens no other path and no other query, and is not used up by them', async () => {
    const report = pathOf('downloadCampaignReport');
    const link = await linkTo(owner, `${report}?start_date=2026-01-01&end_date=2026-12-31`);
    const ticket = link.slice(link.indexOf('ticket='));
    const campaign = `/campaign/${slots['campaign_id']}`;
    for (const elsewhere of [
      `${suppressed}?${ticket}`,
      `${campaign}/export?start_date=2026-01-01&end_date=2026-12-31&${ticket}`,
      `${report}?${ticket}`,
      `${report}?start_date=2026-01-01&${ticket}`,
      `${report}?end_date=2026-12-31&start_date=2026-01-01&${ticket}`,
      `${report}?start_date=2026-01-01&end_date=2027-12-31&${ticket}`,
      `${report}?start_date=2026-01-01&end_date=2026-12-31&end_date=2027-12-31&${ticket}`,
    ])
      expect(await open(`/api/v1${elsewhere}`)).toMatchObject(refused);
    expect((await open(`${link}&end_date=2027-12-31`)).status).toBe(401);
    expect((await open(link)).status).toBe(200);
  });

  test('it works for a minute', async () => {
    const [early, late] = [await linkTo(owner, suppressed), await linkTo(owner, suppressed)];
    clock.advance(59_999);
    expect((await open(early)).status).toBe(200);
    clock.advance(1);
    expect(await open(late)).toMatchObject(refused);
  });

  test('it ends with the session that asked for it, and with the membership of its person', async () => {
    const ways: Record<string, (person: Joined) => Promise<Asked>> = {
      'signs out': ({ headers }) => api.send(headers, 'POST', '/auth/logout'),
      'is removed': ({ userId }) => api.send(owner, 'DELETE', `/organizations/members/${userId}`),
      'gets another role': ({ userId }) =>
        api.send(owner, 'PUT', `/organizations/members/${userId}`, { role: 'analyst' }),
      'changes the password elsewhere': async ({ email }) => {
        const password = 'correct horse battery';
        const { body } = await api.ask(null, 'POST', '/auth/login', { email, password });
        const elsewhere = { authorization: `Bearer ${String(at(body, 'token'))}` };
        const change = { current_password: password, new_password: 'another horse' };
        return await api.send(elsewhere, 'POST', '/auth/password', change);
      },
    };
    for (const [way, act] of Object.entries(ways)) {
      const person = await join('operator');
      const [before, after] = [
        await linkTo(person.headers, suppressed),
        await linkTo(person.headers, suppressed),
      ];
      expect({ way, status: (await open(before)).status }).toEqual({ way, status: 200 });
      expect({ way, status: (await act(person)).status }).toEqual({ way, status: 200 });
      expect({ way, ...(await open(after)) }).toMatchObject({ way, ...refused });
    }
  });

  test('it ends with the API key that asked for it', async () => {
    const { id, headers } = await makeKey('admin');
    const [first, second] = [await linkTo(headers, suppressed), await linkTo(headers, suppressed)];
    await api.send(owner, 'DELETE', `/user/api-keys/${id}`);
    expect(await open(first)).toMatchObject(refused);
    await api.send(owner, 'PUT', `/user/api-keys/${id}/reactivate`);
    expect((await open(second)).status).toBe(200);
    const third = await linkTo(headers, suppressed);
    await database.db.getRepository(apiKeys).update({ id }, { expiresAt: clock.now() });
    expect(await open(third)).toMatchObject(refused);
  });

  test('it opens nothing that its caller may not read when it is used', async () => {
    const { id, headers } = await makeKey('read', 'people:read');
    const [list, report] = [
      await linkTo(headers, suppressed),
      await linkTo(headers, '/organizations/usage/runs/report'),
    ];
    await database.db.getRepository(apiKeys).update({ id }, { scopes: ['read'] });
    clock.advance(1000);
    expect(await open(list)).toMatchObject({
      status: 403,
      body: { detail: 'This API key lacks the scope people:read' },
    });
    const masked = await open(report);
    expect(fileOf(masked)).toEqual(
      fileOf(await api.send(headers, 'GET', '/organizations/usage/runs/report')),
    );
    expect(String(masked.body)).not.toContain('2025550143');
  });

  test('a caller who may not see people gets the masked file, and no ticket for files of people', async () => {
    const { headers } = await join('analyst');
    const path = '/organizations/usage/runs/report';
    const masked = await open(await linkTo(headers, path));
    expect(fileOf(masked)).toEqual(fileOf(await api.send(headers, 'GET', path)));
    expect(String(masked.body)).not.toContain('2025550143');
    expect(String((await api.send(owner, 'GET', path)).body)).toContain('2025550143');
    expect(await ask(headers, suppressed)).toMatchObject({
      status: 403,
      body: { detail: 'Your role lacks the scope people:read' },
    });
  });

  test('it is refused with the answer that refuses the download', async () => {
    const stranger = { 'x-api-key': (await createTenant(database.db)).key };
    const directoryId = Number(slots['directory_id']);
    await database.db.getRepository(directories).update({ id: directoryId }, { state: 'uploaded' });
    const asked = [
      [stranger, pathOf('exportCampaign')],
      [stranger, pathOf('downloadWorkflowReport')],
      [stranger, pathOf('downloadDirectoryErrors')],
      [owner, pathOf('downloadDirectoryErrors')],
      [owner, '/organizations/usage/runs/report?filters=all'],
      [(await makeKey('read')).headers, pathOf('exportCampaign')],
      [(await makeKey('read')).headers, `/organizations/usage/runs/report?filters=${numberFilter}`],
    ] as const;
    const statuses: number[] = [];
    for (const [headers, path] of asked) {
      const { status, body } = await api.send({ ...headers, 'x-request-id': 'same' }, 'GET', path);
      statuses.push(status);
      const answer = await api.send({ ...headers, 'x-request-id': 'same' }, 'POST', '/download-tickets', {
        path,
      });
      expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status, body });
    }
    await database.db.getRepository(directories).update({ id: directoryId }, { state: 'ready' });
    expect(statuses).toEqual([404, 404, 404, 409, 400, 403, 403]);
  });
  const numberFilter = encodeURIComponent(
    JSON.stringify([{ attribute: 'callerNumber', type: 'text', value: { value: '1' } }]),
  );

  test('a file that fails before its first row is refused at once', async () => {
    const id = Number(slots['directory_id']);
    const { fileKey } = await database.db.getRepository(directories).findOneByOrFail({ id });
    await database.db.getRepository(directories).update({ id }, { fileKey: 'campaigns/1/lost.csv' });
    const path = pathOf('downloadDirectoryErrors');
    const withHeader = await api.send(owner, 'GET', path);
    const withoutFile = await ask(owner, path);
    await database.db.getRepository(directories).update({ id }, { fileKey });
    expect(withHeader.status).toBeGreaterThanOrEqual(500);
    expect(withoutFile.status).toBe(withHeader.status);
  });

  test.each([
    '',
    '/',
    '/suppressions',
    '/suppressions/export/',
    'suppressions/export',
    '/suppressions/export/more',
    '/campaign/1/rows',
    '/campaign/create',
    '/user/api-keys',
    '/auth/me',
    '/organizations/reports/daily/runs?date=2026-01-31&timezone=UTC',
    '/nowhere',
    '//elsewhere.example/suppressions/export',
    'https://elsewhere.example/api/v1/suppressions/export',
    '/../../suppressions/export',
  ])('there is none for %s, which is no download', async (path) => {
    expect(await ask(owner, path)).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'path'],
            msg: 'Value error, there is no download at this path',
            input: path,
          },
        ],
      },
    });
  });

  test('there is none for fields that the download refuses; the fault is placed within `path`', async () => {
    expect((await ask(owner, '/campaign/first/export?kind=all')).body).toMatchObject({
      detail: [
        { type: 'int_parsing', loc: ['body', 'path', 'path', 'campaign_id'] },
        { type: 'literal_error', loc: ['body', 'path', 'query', 'kind'] },
      ],
    });
  });

  // guarantee: download-ticket-opens-downloads-only
  test('no other route takes one, and downloads take it with no other method', async () => {
    const ctx = { ...(await createTestContext(database.db, { clock })), organizationId };
    const { id } = await makeKey('admin');
    const actor = { kind: 'api_key', apiKeyId: id, userId: 1, scopes: null } as const;
    const forgedFor = (address: string): string => {
      const { ticket } = issueDownloadTicket({
        ctx: { ...ctx, actor },
        tickets: createTickets(testSecrets),
        address,
      });
      return `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`;
    };
    expect((await open(forgedFor(`/api/v1${suppressed}`))).status).toBe(200);
    const others = routeNames.filter((name) => {
      const route: Route = routes[name];
      return route.auth === 'key' && !isDownload(route);
    });
    expect(others.length).toBeGreaterThan(100);
    for (const name of others) {
      const { method, path } = requestFor(name, slots);
      const answer = await api.sendAt({}, method, forgedFor(path));
      expect({ name, ...answer }).toMatchObject({
        name,
        status: 401,
        body: { detail: 'Authorization header required' },
      });
    }
    const link = await linkTo(owner, pathOf('exportCampaign'));
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect({ method, status: (await api.sendAt({}, method, link)).status }).toEqual({
        method,
        status: 405,
      });
    expect((await open(link)).status).toBe(200);
  });

  test('other sealed texts and arbitrary texts are not tickets', async () => {
    const tickets = createTickets(testSecrets);
    const seal = (content: unknown) => tickets.seal(JSON.stringify(content));
    const claims = tickets.open((await linkTo(owner, suppressed)).replace(/^.*ticket=/, '')) ?? '';
    expect(claims).toContain('"use":"download"');
    const call = { callId: 1, organizationId, agentId: 1, expiresAtMs: Date.now() + 60_000 };
    for (const text of [
      '',
      'x',
      'v1.2.3.4',
      seal(null),
      seal({ use: 'web_call', ...call }),
      seal({ use: 'download', ...call }),
      tickets.seal(claims.replace('"use":"download"', '"use":"another"')),
      `${seal(null)}%0A`,
    ])
      expect((await open(`/api/v1${suppressed}?ticket=${text}`)).status).toBe(401);
  });

  test('it does not count beside a credential in a header, and is not used up', async () => {
    const stranger = { 'x-api-key': (await createTenant(database.db)).key };
    const link = await linkTo(owner, pathOf('exportCampaign'));
    expect((await open(link, api, stranger)).status).toBe(404);
    expect(await open(link, api, { 'x-api-key': 'prl_unknown' })).toMatchObject({ status: 401 });
    expect(await open(link, api, { authorization: 'Bearer no.good.token' })).toMatchObject({ status: 401 });
    expect((await open(link, api, { 'x-api-key': '' })).status).toBe(200);
  });

  test('it is in no log line, no trace and no table', async () => {
    const link = await linkTo(owner, `${suppressed}?secret-of-a-query=1`);
    const ticket = link.slice(link.indexOf('ticket=') + 'ticket='.length);
    expect((await open(link)).status).toBe(200);
    expect((await open(link)).status).toBe(401);
    const said = lines.join('');
    expect(said.match(/"route":"\/suppressions\/export"/g)).toHaveLength(2);
    const tables: { TABLE_NAME: string }[] = await database.db.query(
      'SELECT TABLE_NAME FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const rows: unknown[] = [];
    for (const { TABLE_NAME } of tables)
      rows.push(await database.db.query(`SELECT * FROM \`${TABLE_NAME}\``));
    const kept = JSON.stringify([said, spans, rows]);
    expect(spans.length).toBeGreaterThan(0);
    for (const text of [ticket, ticket.slice(-40), 'secret-of-a-query']) expect(kept).not.toContain(text);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiKeys } from '../../src/db/tables/api-keys.ts';
import { createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('credentials on %s (contract 5.6)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let live: string;
  let archived: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    live = (await createTenant(database.db)).key;
    const gone = await createTenant(database.db);
    archived = gone.key;
    await database.db.getRepository(apiKeys).update({ organizationId: gone.organizationId }, { archivedAt: new Date() });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const list = (headers: Record<string, string>) => api.send(headers, 'GET', '/workflow/fetch');
  const refused = (detail: string) => ({ status: 401, body: { detail, code: 'unauthenticated' } });

  test('a live key acts in its organization, in either header', async () => {
    expect(await list({ 'x-api-key': live })).toMatchObject({ status: 200, body: [] });
    expect(await list({ authorization: `Bearer ${live}` })).toMatchObject({ status: 200, body: [] });
    expect(await list({ 'x-api-key': '', authorization: `Bearer ${live}` })).toMatchObject({ status: 200 });
    expect(await list({ 'x-api-key': live, authorization: 'Bearer nonsense' })).toMatchObject({ status: 200 });
  });

  test('unknown and archived keys are refused even beside a good Authorization', async () => {
    for (const key of ['dgr_unknown', archived, `${live}x`, live.toLowerCase() === live ? live.toUpperCase() : live.toLowerCase()]) {
      expect(await list({ 'x-api-key': key, authorization: `Bearer ${live}` })).toMatchObject(refused('Invalid or expired API key'));
      expect(await list({ authorization: `Bearer ${key}` })).toMatchObject(refused('Invalid or expired token'));
    }
  });

  test('no credentials are asked for by name, and no scheme is offered', async () => {
    const answer = await list({});
    expect(answer).toMatchObject(refused('Authorization header required'));
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(await list({ authorization: live })).toMatchObject(refused('Invalid or expired token'));
  });

  test('broken JSON is told before credentials are asked for, wrong fields after', async () => {
    expect(await api.ask(null, 'POST', '/workflow/create/definition', '{')).toMatchObject({ status: 422, body: { detail: [{ type: 'json_invalid' }] } });
    expect(await api.ask(null, 'POST', '/workflow/create/definition', { name: 1 })).toMatchObject({ status: 401 });
    expect(await api.ask(live, 'POST', '/workflow/create/definition', { name: 1 })).toMatchObject({ status: 422, body: { detail: [{ type: 'string_type' }, { type: 'missing' }] } });
  });

  test('using a key notes when, at most once a minute', async () => {
    await list({ 'x-api-key': live });
    const [row] = await database.db.getRepository(apiKeys).findBy({ prefix: live.slice(0, 8) });
    expect(row?.lastUsedAt).toBeInstanceOf(Date);
  });
});

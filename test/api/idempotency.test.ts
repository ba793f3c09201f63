import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { idempotencyKeys } from '../../src/db/tables/idempotency-keys.ts';
import {
  answeringCalls,
  at,
  idAt,
  completeGraph,
  createTenant,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('requests with an Idempotency-Key on %s (contract 5.1)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let release: () => void = () => undefined;
  let opened = 0;
  const begun = Promise.withResolvers<void>();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    const calls: typeof answeringCalls = {
      ...answeringCalls,
      openTextSession: async () => {
        opened += 1;
        begun.resolve();
        const { promise, resolve } = Promise.withResolvers<void>();
        release = resolve;
        await promise;
        return { kind: 'answered', revision: 1 };
      },
      sendMessage: () => Promise.resolve({ kind: 'failed', code: 'provider', message: 'no' }),
    };
    api = await startApi(database.db, { calls });
    key = (await createTenant(database.db)).key;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const create = (
    idempotencyKey: string,
    body: unknown = { name: 'a', workflow_definition: { nodes: [], edges: [] } },
    as = key,
  ) =>
    api.send(
      { 'x-api-key': as, 'idempotency-key': idempotencyKey },
      'POST',
      '/workflow/create/definition',
      body,
    );

  test('a repeated request gets the same answer, marked, and changes nothing', async () => {
    const first = await create('same');
    const again = await create('same', '{"workflow_definition": {"edges": [], "nodes": []}, "name": "a"}');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(at((await create('other')).body, 'id')).not.toBe(at(first.body, 'id'));
  });

  test('the same key with a request that differs in any field is refused', async () => {
    await create('taken');
    const other = await create('taken', { name: 'b', workflow_definition: {} });
    expect(other).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'value_error', loc: ['header', 'Idempotency-Key'], input: 'taken', ctx: { error: {} } },
        ],
      },
    });
    expect(at(other.body, 'request_id')).toBeUndefined();
  });

  test('another organization may use the same key', async () => {
    const mine = await create('shared');
    const theirs = await create('shared', undefined, (await createTenant(database.db)).key);
    expect(theirs.status).toBe(200);
    expect(at(theirs.body, 'id')).not.toBe(at(mine.body, 'id'));
  });

  // guarantee: idempotency-answers-sealed
  test('stored answers are encrypted, because they may have secrets', async () => {
    const made = await api.send(
      { 'x-api-key': key, 'idempotency-key': 'secret' },
      'POST',
      '/organizations/webhook-secrets',
    );
    expect(made.status).toBe(200);
    const [row] = await database.db.getRepository(idempotencyKeys).findBy({ key: 'secret' });
    expect(row?.responseBody).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain('whsec_');
    expect(
      await api.send(
        { 'x-api-key': key, 'idempotency-key': 'secret' },
        'POST',
        '/organizations/webhook-secrets',
      ),
    ).toMatchObject({ status: 200, body: made.body });
  });

  test('a refusal is not stored: the key can be used for the corrected request', async () => {
    expect((await create('mended', { name: 1, workflow_definition: {} })).status).toBe(422);
    const graph = { nodes: [{ id: 't', type: 'trigger', data: { name: 'T', trigger_path: 'not a path!' } }] };
    expect((await create('mended', { name: 'a', workflow_definition: graph })).status).toBe(422);
    expect((await create('mended')).status).toBe(200);
  });

  test('while the first request runs, the second gets 409 with Retry-After, and nothing is started twice', async () => {
    const agentId = idAt(
      (await create('agent', { name: 'a', workflow_definition: completeGraph() })).body,
      'id',
    );
    const start = () =>
      api.send(
        { 'x-api-key': key, 'idempotency-key': 'call' },
        'POST',
        `/workflow/${agentId}/text-chat/sessions`,
        {},
      );
    const first = start();
    await begun.promise;
    const second = await start();
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
    release();
    const answered = await first;
    expect(answered.status).toBe(200);
    expect(await start()).toMatchObject({ status: 200, body: answered.body });
    expect(opened).toBe(1);

    const say = () =>
      api.send(
        { 'x-api-key': key, 'idempotency-key': 'message' },
        'POST',
        `/workflow/${agentId}/text-chat/sessions/${idAt(answered.body, 'workflow_run_id')}/messages`,
        { text: 'hi' },
      );
    expect([(await say()).status, (await say()).status]).toEqual([500, 500]);
  });
});

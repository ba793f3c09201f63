import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { apiKeys } from '../../../../src/db/tables/api-keys.ts';
import { UnavailableError } from '../../../../src/domain/errors.ts';
import { createDataSource } from '../../../../src/db/data-source.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { authenticateKey, createKey } from '../../../../src/services/identity/index.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

const log = pino({ level: 'silent' });

describe.each(databases)('API keys on %s', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let ctx: ServiceContext;
  let userId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock();
    ctx = await createTestContext(database.db, { clock });
    if (ctx.actor.kind !== 'user') throw new Error('the test context acts for a user');
    ({ userId } = ctx.actor);
  });
  afterAll(async () => await database.drop());

  const authenticate = (key: string) => authenticateKey({ db: database.db, clock, log, key });
  const rowOf = (id: number) => database.db.getRepository(apiKeys).findOneByOrFail({ id });

  /** Waits for the update of the last use, because the request does not. */
  async function lastUse(id: number, { not }: { not: Date | null }): Promise<Date | null> {
    for (let tries = 0; tries < 100 && (await rowOf(id)).lastUsedAt?.getTime() === not?.getTime(); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return (await rowOf(id)).lastUsedAt;
  }

  // guarantee: api-key-stored-as-hash
  test('have the length and the alphabet that clients expect; only their hash is stored', async () => {
    const made = await createKey({ ctx, input: { name: 'First' } });
    expect(made.api_key).toMatch(/^prl_[A-Za-z0-9_-]{43}$/);
    expect(made.key_prefix).toBe(made.api_key.slice(0, 8));
    expect((await rowOf(made.id)).keyHash).toBe(createHash('sha256').update(made.api_key).digest('hex'));
    expect(JSON.stringify(await database.db.query('SELECT * FROM api_keys'))).not.toContain(made.api_key);
    expect((await createKey({ ctx, input: { name: 'First' } })).api_key).not.toBe(made.api_key);
  });

  test('act for their users in their organizations', async () => {
    const { id, api_key: key } = await createKey({ ctx, input: { name: 'Acting' } });
    expect(await authenticate(key)).toEqual({
      organizationId: ctx.organizationId,
      actor: { kind: 'api_key', apiKeyId: id, userId, scopes: null },
    });
  });

  test('are refused if they are unknown, altered or archived', async () => {
    const { id, api_key: key } = await createKey({ ctx, input: { name: 'Archived' } });
    for (const wrong of [
      '',
      'nonsense',
      'é😀',
      key.slice(0, -1),
      `${key} `,
      key.toUpperCase(),
      "' OR 1=1 -- ",
    ])
      expect(await authenticate(wrong)).toBeNull();
    await database.db.getRepository(apiKeys).update({ id }, { archivedAt: clock.now() });
    expect(await authenticate(key)).toBeNull();
  });

  test('update their last use at most once a minute', async () => {
    const { id, api_key: key } = await createKey({ ctx, input: { name: 'Used' } });
    const first = clock.now();
    await authenticate(key);
    expect(await lastUse(id, { not: null })).toEqual(first);
    clock.advance(59_999);
    await authenticate(key);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await rowOf(id)).lastUsedAt).toEqual(first);
    clock.advance(2);
    await authenticate(key);
    expect(await lastUse(id, { not: first })).toEqual(clock.now());
  });

  test('are not called invalid while the database is down', async () => {
    const { api_key: key } = await createKey({ ctx, input: { name: 'Away' } });
    const { hostname, port } = new URL(database.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const db = await createDataSource({ url: url.href, poolSize: 1 });
    try {
      await proxy.cut();
      await expect(authenticateKey({ db, clock, log, key })).rejects.toBeInstanceOf(UnavailableError);
    } finally {
      await db.destroy();
      await proxy.close();
    }
  });
});

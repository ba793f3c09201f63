import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PoolConnection } from 'mysql2';
import { createConnection } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/db/data-source.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { translateUnavailable } from '../../src/db/unavailable.ts';
import { InvariantError, UnavailableError } from '../../src/domain/errors.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { createTestDatabase, bothDatabases, type TestDatabase } from '../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

describe.each(bothDatabases)('connections to %s', (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());

  test('every connection is UTC, strict, READ COMMITTED and speaks utf8mb4 before its first query', async () => {
    const runners = Array.from({ length: 6 }, () => database.db.createQueryRunner());
    const isolation = kind === 'mariadb' ? '@@tx_isolation' : '@@transaction_isolation';
    const answers = await Promise.all(
      runners.map(async (runner) => {
        const [row]: Record<string, string>[] = await runner.query(
          `SELECT CONNECTION_ID() AS id, @@time_zone AS zone, ${isolation} AS isolation, @@sql_mode AS mode, @@character_set_client AS charset`,
        );
        return row;
      }),
    );
    await Promise.all(runners.map((runner) => runner.release()));
    expect(new Set(answers.map((answer) => answer?.['id'])).size).toBe(6);
    for (const answer of answers) {
      expect(answer).toMatchObject({ zone: '+00:00', isolation: 'READ-COMMITTED', charset: 'utf8mb4' });
      expect(answer?.['mode']).toContain('STRICT_TRANS_TABLES');
    }
  });

  describe('behind a proxy', () => {
    let proxy: TcpProxy;
    let db: DataSource;

    beforeEach(async () => {
      const { hostname, port } = new URL(database.url);
      proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      const url = new URL(database.url);
      url.port = String(proxy.port);
      db = await createDataSource({ url: url.href, poolSize: 2 });
    });
    afterEach(async () => {
      await db.destroy();
      await proxy.close();
    });

    test('an unavailable database is UnavailableError, and the connection recovers on its own', async () => {
      await proxy.cut();
      await expect(inTransaction(db, (tx) => tx.query('SELECT 1'))).rejects.toMatchObject({
        code: 'unavailable',
        dependency: 'mysql',
      });
      const raw: unknown = await db.query('SELECT 1').catch((error: unknown) => error);
      expect(translateUnavailable(raw)).toBeInstanceOf(UnavailableError);
      await proxy.mend();
      await expect(inTransaction(db, (tx) => tx.query('SELECT 1 AS one'))).resolves.toMatchObject([
        { one: 1 },
      ]);
    });

    test('a transaction that loses its connection changed nothing', async () => {
      const uuid = randomIds.uuid();
      const torn = inTransaction(db, async (tx) => {
        await tx.getRepository(organizations).insert({ uuid, name: 'Torn', createdAt: new Date() });
        await proxy.cut();
        await tx.query('SELECT 1');
      });
      await expect(torn).rejects.toBeInstanceOf(UnavailableError);
      expect(await database.db.getRepository(organizations).countBy({ uuid })).toBe(0);
    });

    test('connecting to an unavailable database is UnavailableError', async () => {
      await proxy.cut();
      await expect(
        createDataSource({ url: `mysql://root@127.0.0.1:${proxy.port}/any` }),
      ).rejects.toBeInstanceOf(UnavailableError);
    });
  });

  test('a Unix socket works like an address', async () => {
    const [server]: { path: string }[] = await database.db.query('SELECT @@socket AS path');
    const url = new URL(database.url);
    url.searchParams.set('socketPath', server?.path ?? '');
    const db = await createDataSource({
      url: `mysql://${url.username}:${url.password}@localhost${url.pathname}${url.search}`,
      poolSize: 1,
    });
    try {
      const [row]: { name: string; zone: string }[] = await db.query(
        'SELECT DATABASE() AS name, @@time_zone AS zone',
      );
      expect(row).toEqual({ name: url.pathname.slice(1), zone: '+00:00' });
    } finally {
      await db.destroy();
    }
  });

  test('a hanging server counts as unavailable, and a connection that was idle too long is replaced', async () => {
    const db = await createDataSource({ url: database.url, poolSize: 2, silenceMs: 300 });
    try {
      await expect(inTransaction(db, (tx) => tx.query('SELECT SLEEP(3)'))).rejects.toBeInstanceOf(
        UnavailableError,
      );
      await expect(inTransaction(db, (tx) => tx.query('SELECT 1 AS one'))).resolves.toMatchObject([
        { one: 1 },
      ]);
      await new Promise((resolve) => setTimeout(resolve, 600));
      await expect(inTransaction(db, (tx) => tx.query('SELECT 1 AS one'))).resolves.toMatchObject([
        { one: 1 },
      ]);
    } finally {
      await db.destroy();
    }
  });

  test('a connection that cannot be set up is never used, and replaced', async () => {
    const db = await createDataSource({ url: database.url, poolSize: 2 });
    const { driver } = db;
    if (!('pool' in driver && driver.pool instanceof EventEmitter)) throw new Error('The driver has no pool');
    const broken: PoolConnection[] = [];
    driver.pool.prependOnceListener('connection', (connection: PoolConnection) => {
      const query = connection.query.bind(connection);
      connection.query = () => {
        broken.push(connection);
        connection.query = query;
        throw new Error('a fault in a listener');
      };
    });
    const first = db.createQueryRunner();
    try {
      await first.query('SELECT 1');
      await expect(inTransaction(db, (tx) => tx.query('SELECT 1'))).rejects.toBeInstanceOf(UnavailableError);
      expect(broken).toHaveLength(1);
      await expect(inTransaction(db, (tx) => tx.query('SELECT 1 AS one'))).resolves.toMatchObject([
        { one: 1 },
      ]);
    } finally {
      await first.release();
      await db.destroy();
    }
  });

  test('a connection that the server ended is replaced', async () => {
    const killer = await createConnection({ uri: database.url });
    const victims = await Promise.all(
      [1, 2, 3].map(async () => await database.db.query('SELECT CONNECTION_ID() AS id, SLEEP(0.05)')),
    );
    for (const [{ id }] of victims) await killer.query(`KILL ${id}`);
    await killer.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(inTransaction(database.db, (tx) => tx.query('SELECT 1 AS one'))).resolves.toMatchObject([
      { one: 1 },
    ]);
  });

  test('any other fault stays unchanged', async () => {
    const fault: unknown = await database.db
      .query('SELECT nonsense FROM nowhere')
      .catch((error: unknown) => error);
    expect(translateUnavailable(fault)).toBe(fault);
    const own = new InvariantError('connection lost in words only');
    expect(translateUnavailable(own)).toBe(own);
  });

  test('deadlocked transactions run again, and both complete', async () => {
    const [first, second] = [await organization(), await organization()];
    let tries = 0;
    let held = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const rename = (order: number[], name: string) =>
      inTransaction(database.db, async (tx) => {
        tries += 1;
        for (const id of order) {
          await tx.getRepository(organizations).update({ id }, { name });
          held += 1;
          if (held === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
        }
      });
    await Promise.all([rename([first, second], 'A'), rename([second, first], 'B')]);
    expect(tries).toBeGreaterThan(2);
    const names = await database.db
      .getRepository(organizations)
      .find({ where: [{ id: first }, { id: second }] });
    expect(new Set(names.map(({ name }) => name)).size).toBe(1);
  });

  async function organization(): Promise<number> {
    const { identifiers } = await database.db
      .getRepository(organizations)
      .insert({ uuid: randomIds.uuid(), name: 'Some', createdAt: new Date() });
    return Number(identifiers[0]?.['id']);
  }
});

import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { createDataSource, type ServerKind } from '../../src/db/data-source.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { memberships } from '../../src/db/tables/memberships.ts';
import { users } from '../../src/db/tables/users.ts';
import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { takeDatabase, newDatabase } from './database-pool.ts';
import { insertedId } from './inserted-id.ts';
import { addNeighbor, keepWithoutNeighbor } from './neighbor.ts';
import { testSecrets } from './secrets.ts';
import { testServices } from './services.ts';

export { testKeyRing, testSecrets } from './secrets.ts';

/**
 * The servers that a suite runs on: `describe.each(databases)`. By default one server, preferably MySQL;
 * PARLANCE_TEST_EVERY_SERVER selects all of them (`npm run test:all`).
 */
export const databases: readonly ServerKind[] = serversOf(process.env);

/**
 * For suites about differences between the servers: dialect, types, locks, isolation, migrations, query
 * plans. They always run on both.
 */
export const bothDatabases = ['mariadb', 'mysql'] as const satisfies ServerKind[];

function serversOf(environment: Readonly<Record<string, string | undefined>>): ServerKind[] {
  if (environment['PARLANCE_TEST_EVERY_SERVER'] === 'true') return ['mariadb', 'mysql'];
  return environment['PARLANCE_TEST_MYSQL_URL'] ? ['mysql'] : ['mariadb'];
}

export interface EmptyDatabase {
  url: string;
  drop: () => Promise<void>;
}

export interface TestDatabase extends EmptyDatabase {
  kind: ServerKind;
  db: DataSource;
  /** Closes the pool and returns the database; call it in `afterAll`. */
  drop: () => Promise<void>;
}

/**
 * A database for one suite with empty tables. The first organization gets a neighbor (test/support/neighbor.ts),
 * unless the suite really needs an otherwise empty database.
 */
export async function createTestDatabase(
  kind: ServerKind,
  { hasNeighbor = true }: { hasNeighbor?: boolean } = {},
): Promise<TestDatabase> {
  const { url, release } = await takeDatabase(kind, serverUrl(kind));
  const db = await createDataSource({ url, poolSize: 8 });
  if (!hasNeighbor) keepWithoutNeighbor(db);
  return {
    kind,
    url,
    db,
    drop: async () => {
      if (db.isInitialized) await db.destroy();
      release();
    },
  };
}

/**
 * A database without tables. It has the server's default charset, because the schema must not depend on that.
 */
export async function createEmptyDatabase(kind: ServerKind): Promise<EmptyDatabase> {
  const { url, drop } = await newDatabase(serverUrl(kind));
  return { url, drop };
}

/**
 * The statements that match and that the server runs now in this database, also those that wait for a lock. The
 * server's views of connections and transactions fail on MySQL while any suite sends a character outside of
 * utf8mb3; this list does not.
 */
export async function statementsUnderWay(
  { db, url }: Pick<TestDatabase, 'db' | 'url'>,
  matching: RegExp,
): Promise<string[]> {
  const name = new URL(url).pathname.slice(1);
  const all: { db: string | null; Info: string | null }[] = await db.query('SHOW FULL PROCESSLIST');
  return all.flatMap(({ db: of, Info }) =>
    of === name && Info !== null && matching.test(Info) ? [Info] : [],
  );
}

function serverUrl(kind: ServerKind): string {
  const services = testServices();
  return kind === 'mariadb' ? services.mariadbUrl : services.mysqlUrl;
}

/** A clock that tests set. */
export interface TestClock extends Clock {
  set(at: Date | string): void;
  advance(ms: number): void;
}

export function createTestClock(at = '2026-11-21T10:00:00.000Z'): TestClock {
  let now = new Date(at);
  return {
    now: () => new Date(now),
    set: (to) => {
      now = new Date(to);
    },
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
  };
}

/** A user of a fresh organization, as a service context: each call makes another tenant. */
export async function createTestContext(
  db: DataSource,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<ServiceContext> {
  const organizationId = await insertedId(
    db
      .getRepository(organizations)
      .insert({ uuid: randomIds.uuid(), name: 'Test organization', createdAt: clock.now() }),
  );
  const user = {
    uuid: randomIds.uuid(),
    email: `${randomIds.uuid()}@example.test`,
    name: null,
    passwordHash: null,
    isSuperuser: false,
    createdAt: clock.now(),
  };
  const userId = await insertedId(db.getRepository(users).insert(user));
  const [createdAt, role] = [clock.now(), 'owner' as const];
  await db
    .getRepository(memberships)
    .insert({ organizationId, userId, role, createdAt, chosenAt: createdAt });
  await addNeighbor(db, clock);
  return {
    organizationId,
    actor: { kind: 'user', userId, role },
    db,
    clock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    secrets: testSecrets,
    requestId: 'test-request',
  };
}

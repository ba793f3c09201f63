import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDataSource } from '../../src/db/data-source.ts';
import { createOwnCounter } from '../../src/db/request-counter.ts';
import { createSharedCounters, type SharedCounters } from '../../src/db/shared-request-counter.ts';
import { createTestDatabase, bothDatabases, type TestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const minute = { what: 'limit_test', windowSeconds: 60 };

describe('the counter of one process', () => {
  test('grows by one with each request of a subject, and starts anew when its window has ended', async () => {
    const counter = createOwnCounter({ what: 'limit_test', windowSeconds: 0.2 });
    expect(await counter.count('a')).toEqual({ requests: 1, msLeft: 200 });
    expect((await counter.count('a')).requests).toBe(2);
    expect((await counter.count('b')).requests).toBe(1);
    await until('the window is over', async () =>
      (await counter.count('a')).requests === 1 ? true : undefined,
    );
  });
});

describe.each(bothDatabases)('shared counters on %s', (kind) => {
  let database: TestDatabase;
  const open: SharedCounters[] = [];
  /** Only the test reports. */
  const shared = (
    db = database.db,
    onFailure: (error: unknown) => void = (error) => {
      throw error;
    },
    limits: { timeoutMs?: number } = { timeoutMs: 20_000 },
  ) => {
    // The service waits for half a second, which a busy machine may need for one statement.
    const counters = createSharedCounters({ db, onFailure, reportEveryMs: 3_600_000, ...limits });
    open.push(counters);
    return counters;
  };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => {
    await Promise.all(open.map((each) => each.stop()));
    await database.drop();
  });

  test('exact: no concurrent request in two processes is lost or counted twice', async () => {
    const [one, other] = [shared().exact(minute), shared().exact(minute)];
    const counted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).count('exact')),
    );
    expect(counted.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  test('reported: with its report a process learns the count of the others, and when the window ends', async () => {
    const [one, other] = [shared(), shared()];
    const [here, there] = [one.reported(minute), other.reported(minute)];
    for (let requests = 1; requests <= 5; requests += 1)
      expect((await here.count('told')).requests).toBe(requests);
    await one.report();
    expect((await there.count('told')).requests).toBe(1);
    await other.report();
    const counted = await there.count('told');
    expect(counted.requests).toBe(7);
    expect(counted.msLeft).toBeLessThan(60_000);
    await Promise.all([one.report(), other.report()]);
    await here.count('told');
    await one.report();
    expect((await here.count('told')).requests).toBe(9);
  });

  test('reported: requests during a report are neither lost nor counted twice', async () => {
    const counters = shared();
    const counter = counters.reported(minute);
    await counter.count('busy');
    const reporting = counters.report();
    await counter.count('busy');
    await reporting;
    expect((await counter.count('busy')).requests).toBe(3);
    await counters.report();
    expect((await counter.count('busy')).requests).toBe(4);
  });

  test('a subject whose window has ended starts anew in all processes', async () => {
    const counters = shared();
    const [exact, reported] = [counters.exact(minute), counters.reported(minute)];
    await exact.count('past');
    await reported.count('gone');
    await counters.report();
    await database.db.query("UPDATE attempts SET points = 50, expire = 1 WHERE `key` LIKE 'limit_test:%'");
    expect((await exact.count('past')).requests).toBe(1);
    const later = shared();
    const fresh = later.reported(minute);
    await fresh.count('gone');
    await later.report();
    expect((await fresh.count('gone')).requests).toBe(2);
  });

  test('the timer reports automatically', async () => {
    const counters = createSharedCounters({ db: database.db, onFailure: () => undefined, reportEveryMs: 5 });
    open.push(counters);
    await counters.reported(minute).count('timed');
    expect(
      await until(
        'the report',
        async () =>
          (await database.db.query("SELECT points FROM attempts WHERE `key` = 'limit_test:timed'"))[0],
      ),
    ).toEqual({ points: 1 });
  });

  test('a failure that cannot be reported ends no process', async () => {
    const db = await createDataSource({ url: database.url, poolSize: 1 });
    const failures: unknown[] = [];
    const counters = createSharedCounters({
      db,
      reportEveryMs: 5,
      onFailure(error) {
        failures.push(error);
        if (failures.length === 1) throw new Error('a fault in a timer');
      },
    });
    const counter = counters.reported(minute);
    await db.destroy();
    await counter.count('unreported');
    await until('the fault', () => Promise.resolve(failures.length > 1));
    expect(failures[1]).toEqual(new Error('a fault in a timer'));
  });

  test('without MySQL each process continues with its own count, reports the failure, and shares again afterwards', async () => {
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const db = await createDataSource({ url: url.href, poolSize: 2 });
    const failures: unknown[] = [];
    const counters = shared(db, (error) => failures.push(error));
    try {
      const [exact, reported] = [counters.exact(minute), counters.reported(minute)];
      await exact.count('cut');
      await proxy.cut();
      expect((await exact.count('cut')).requests).toBe(2);
      expect(failures).toHaveLength(1);
      await reported.count('cut off');
      await counters.report();
      expect((await reported.count('cut off')).requests).toBe(2);
      expect(failures).toHaveLength(2);
      await proxy.mend();
      await until(
        'MySQL counts again',
        async () => (
          (failures.length = 0),
          await exact.count('again'),
          failures.length === 0 ? true : undefined
        ),
      );
    } finally {
      await db.destroy();
      await proxy.close();
    }
  });

  test('an exact count waits at most half a second for a MySQL that does not answer', async () => {
    const failures: unknown[] = [];
    const lock = database.db.createQueryRunner();
    const counter = shared(database.db, (error) => failures.push(error), {}).exact(minute);
    await counter.count('locked');
    await lock.startTransaction();
    try {
      await lock.query("UPDATE attempts SET points = points WHERE `key` = 'limit_test:locked'");
      expect((await counter.count('locked')).requests).toBe(2);
      expect(String(failures[0])).toContain('timed out');
    } finally {
      await lock.rollbackTransaction();
      await lock.release();
    }
  });
});

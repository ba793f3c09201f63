import type { DataSource } from 'typeorm';

/** Long enough for another process to finish a large migration. */
const lockWaitSeconds = 300;

/**
 * Brings the schema up to date. Two processes that start together migrate once: the second waits for the lock
 * of this database and finds nothing to do. Answers the names of the migrations that ran.
 */
export async function migrate(db: DataSource): Promise<string[]> {
  const runner = db.createQueryRunner();
  const lock = `migrate.${db.driver.database}`.slice(0, 64);
  try {
    const [answer]: { taken: number | string | null }[] = await runner.query(
      'SELECT GET_LOCK(?, ?) AS taken',
      [lock, lockWaitSeconds],
    );
    if (Number(answer?.taken) !== 1)
      throw new Error(`another process has been migrating for ${lockWaitSeconds} s`);
    const ran = await db.runMigrations({ transaction: 'none' });
    return ran.map(({ name }) => name);
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [lock]).catch(() => undefined); // a lost connection holds no lock
    await runner.release();
  }
}

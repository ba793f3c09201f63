/** Brings the schema up to date. Safe to run repeatedly and in several processes at once. */
import { configWithoutKeys } from '../config/read-env.ts';
import { createLogger } from '../runtime/logger.ts';
import { createDataSource } from './data-source.ts';
import { migrate } from './migrate.ts';

const config = configWithoutKeys();
const log = createLogger({ level: config.logLevel, role: 'migrate' });
const db = await createDataSource({ url: config.databaseUrl, poolSize: 3, silenceMs: null });
try {
  const ran = await migrate(db);
  log.info(
    { migrations: ran },
    ran.length === 0 ? 'The schema is up to date' : 'The schema was brought up to date',
  );
} finally {
  await db.destroy();
}

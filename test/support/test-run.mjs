import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

const variable = 'PARLANCE_TEST_RUN';

/** The prefix of all database names of this run of jest. */
export function databasePrefix() {
  process.env[variable] ??= randomBytes(4).toString('hex');
  return `suite_${process.env[variable]}_`;
}

/** jest's globalSetup: the workers inherit the id of the run. */
export default function setUp() {
  databasePrefix();
}

/** Drops the databases of this run. */
export async function dropDatabases() {
  for (const name of ['PARLANCE_TEST_MARIADB_URL', 'PARLANCE_TEST_MYSQL_URL']) {
    const uri = process.env[name];
    if (!uri) continue;
    const connection = await createConnection({ uri });
    try {
      const [rows] = await connection.query('SELECT schema_name AS name FROM information_schema.schemata');
      for (const each of rows)
        if (each.name.startsWith(databasePrefix())) await connection.query(`DROP DATABASE ${each.name}`);
    } finally {
      await connection.end();
    }
  }
}

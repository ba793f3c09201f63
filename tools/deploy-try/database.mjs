import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { run, tail } from '../bootstrap/command.mjs';
import { startMysql } from '../bootstrap/mysql.mjs';
import { folder, root } from '../bootstrap/project.mjs';
import { provideRealMysql } from '../bootstrap/real-mysql.mjs';
import { StepError } from '../bootstrap/report.mjs';
import { socketPath } from '../bootstrap/socket-path.mjs';

/**
 * Settings that the bootstrap changes for development, reset to the values of MySQL's image; the last one
 * counts.
 */
const asInTheImage = ['--collation-server=utf8mb4_0900_ai_ci', '--log-bin=binlog', '--max-connections=151'];

/**
 * A private MySQL with the options and the root password of the compose file's service, and the accounts of
 * its init script. Answers the running server with `fingerprint(databases)`.
 */
export async function startDatabase({ service, home, port, logFile, onStarted }) {
  const server = await provideRealMysql();
  if (server === null)
    throw new StepError(
      'The trial needs a real MySQL server, and none could be provided',
      'put a mysqld 8.4 or newer on the PATH',
    );
  const rootPassword = service.environment.MYSQL_ROOT_PASSWORD;
  const grants = rootAccounts(rootPassword);
  const data = folder(join(home, 'mysql'));
  const running = await startMysql({
    name: 'mysql',
    server,
    home: data,
    runFolder: join(home, 'run'),
    logFile,
    port,
    grants,
    tuning: [...service.command, ...asInTheImage],
  });
  onStarted(running);
  const socket = socketPath(data, 'my.sock').path;
  await initialize({ service, home, socket });
  return {
    ...running,
    fingerprint: (databases) =>
      fingerprint({ socketPath: socket, user: 'root', password: rootPassword }, databases),
  };
}

/** The accounts that the image creates. */
function rootAccounts(password) {
  return [
    `ALTER USER 'root'@'localhost' IDENTIFIED BY '${password}';`,
    `CREATE USER IF NOT EXISTS 'root'@'%' IDENTIFIED BY '${password}';`,
    "GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;",
  ];
}

/** Runs the script of the image, with our own `mysql` on the PATH. */
async function initialize({ service, home, socket }) {
  const client = join(folder(join(home, 'bin')), 'mysql');
  writeFileSync(
    client,
    `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(new URL('mysql-client.mjs', import.meta.url))}' "$@"\n`,
  );
  chmodSync(client, 0o755);
  const mounted = service.volumes
    .map((each) => each.split(':'))
    .find(([, target]) => target.startsWith('/docker-entrypoint-initdb.d/'));
  const env = {
    ...service.environment,
    MYSQL_UNIX_PORT: socket,
    PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
  };
  const { code, output } = await run('sh', [join(root, mounted[0])], { env });
  if (code !== 0) throw new StepError(`${mounted[0]} failed:\n${tail(output)}`, 'fix the cause above');
}

/**
 * Everything that a repeated schema tool could change: columns, indexes and Temporal's own records of its
 * schema.
 */
async function fingerprint(account, databases) {
  const connection = await createConnection(account);
  try {
    const [columns] = await connection.query(
      'SELECT * FROM information_schema.columns WHERE table_schema IN (?) ORDER BY table_schema, table_name, column_name',
      [databases],
    );
    const [indexes] = await connection.query(
      'SELECT * FROM information_schema.statistics WHERE table_schema IN (?) ORDER BY table_schema, table_name, index_name, seq_in_index',
      [databases],
    );
    const records = [];
    for (const database of databases) {
      for (const table of ['schema_version', 'schema_update_history'])
        records.push((await connection.query('SELECT * FROM ??.??', [database, table]))[0]);
    }
    const tables = new Set(columns.map(({ TABLE_SCHEMA, TABLE_NAME }) => `${TABLE_SCHEMA}.${TABLE_NAME}`));
    return {
      tables: tables.size,
      text: JSON.stringify([columns, indexes.map(({ CARDINALITY, ...rest }) => rest), records]),
    };
  } finally {
    await connection.end();
  }
}

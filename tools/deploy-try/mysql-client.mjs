/**
 * The part of the `mysql` client that deploy/mysql/init.sh uses: `--user`, `--password`, statements on
 * standard input, and the socket of MYSQL_UNIX_PORT.
 */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';

const { values } = parseArgs({ options: { user: { type: 'string' }, password: { type: 'string' } } });
const connection = await createConnection({
  socketPath: process.env.MYSQL_UNIX_PORT,
  user: values.user,
  password: values.password,
  multipleStatements: true,
});
try {
  await connection.query(await text(process.stdin));
} finally {
  await connection.end();
}

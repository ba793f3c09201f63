import { createConnection, type RowDataPacket } from 'mysql2/promise';

/** All tables of a database and their rows as SQL statements, ordered by table name. */
export async function dumpDatabase(uri: string): Promise<string> {
  const connection = await createConnection({
    uri,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  try {
    const query = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];
    const names = await query(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
    );
    const statements: string[] = [];
    for (const { name } of names) {
      const [shown] = await query(`SHOW CREATE TABLE \`${name}\``);
      statements.push(withoutDefaults(String(shown?.['Create Table'])));
      for (const row of await query(`SELECT * FROM \`${name}\``))
        statements.push(connection.format('INSERT INTO ?? SET ?', [name, row]));
    }
    return statements.map((each) => `${each};\n`).join('');
  } finally {
    await connection.end();
  }
}

/** Removes the default charset and collation, which depend on the server and not on a migration. */
function withoutDefaults(createTable: string): string {
  return createTable.replace(/ DEFAULT CHARSET=\w+( COLLATE=\w+)?$/, '');
}

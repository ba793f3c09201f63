/**
 * `npm run dumps:record -- <release>` writes the database of a release, with rows in every table, to
 * test/db/releases/<release>/<server>.sql.gz, on the MariaDB and MySQL servers of the environment
 * (PARLANCE_TEST_*). test/db/upgrade.test.ts migrates these dumps to the current schema. Record while
 * preparing the release; never change the dump of a published release.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { bothDatabases, createTestDatabase } from '../../test/support/database.ts';
import { dumpFile } from '../../test/support/release-dump.ts';
import { dumpDatabase } from './dump.ts';
import { insertSampleRows } from './sample-rows.ts';

const [release] = process.argv.slice(2);
if (release === undefined) throw new Error('Usage: npm run dumps:record -- <release>');

for (const kind of bothDatabases) {
  const database = await createTestDatabase(kind);
  try {
    await insertSampleRows(database.db);
    const sql = await dumpDatabase(database.url);
    const file = dumpFile(release, kind);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, gzipSync(sql, { level: 9 }));
    console.log(`recorded ${release}/${kind}: ${sql.length} bytes of SQL`);
  } finally {
    await database.drop();
  }
}

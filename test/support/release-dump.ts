import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import type { ServerKind } from '../../src/db/data-source.ts';

const releases = new URL('../db/releases/', import.meta.url);

/** The database of a release on one server; `npm run dumps:record` writes it. */
export const dumpFile = (release: string, kind: ServerKind): URL =>
  new URL(`${release}/${kind}.sql.gz`, releases);

/** Releases with a dump. */
export const dumpedReleases = (): string[] => readdirSync(releases).toSorted();

/** Loads a release's dump into an empty database. */
export async function loadDump(uri: string, release: string, kind: ServerKind): Promise<void> {
  const sql = gunzipSync(readFileSync(dumpFile(release, kind))).toString('utf8');
  const connection = await createConnection({ uri, multipleStatements: true, charset: 'utf8mb4' });
  try {
    await connection.query(`SET FOREIGN_KEY_CHECKS = 0, time_zone = '+00:00';\n${sql}`);
  } finally {
    await connection.end();
  }
}

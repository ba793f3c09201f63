import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { folder, root, statePath } from '../../tools/bootstrap/project.mjs';

const variable = 'PARLANCE_TEST_RUN';
const ownerVariable = 'PARLANCE_TEST_RUN_OWNER';

/** The prefix of all database names of this run of jest. */
export function databasePrefix() {
  process.env[variable] ??= randomBytes(4).toString('hex');
  return `suite_${process.env[variable]}_`;
}

/** False in a tool that uses the support of the tests, such as the bench. */
export const isTestRun = () => process.env[ownerVariable] !== undefined;

/** The file of the Workflows that all workers of this run use. */
export const workflowBundle = () => join(runFolder(), 'workflow-bundle.js');

const runFolder = () => statePath('test', `run-${process.env[ownerVariable]}`);

/**
 * jest's globalSetup: the workers inherit the id of the run. It builds the Workflows once, also for several
 * projects.
 */
export default function setUp() {
  databasePrefix();
  if (process.env[ownerVariable] === String(process.pid) && existsSync(workflowBundle())) return;
  process.env[ownerVariable] = String(process.pid);
  folder(runFolder());
  const bundler = join(root, 'src/worker/bundle-main.ts');
  writeFileSync(workflowBundle(), execFileSync(process.execPath, [bundler], { maxBuffer: 64 * 1024 * 1024 }));
}

/** Does the work of a tool that uses the worlds of the tests. */
export async function asTestRun(work) {
  setUp();
  try {
    await work();
  } finally {
    await tearDown();
  }
}

/** jest's globalTeardown. */
export async function tearDown() {
  rmSync(runFolder(), { recursive: true, force: true });
  await dropDatabases();
}

/** Drops the databases of this run. */
async function dropDatabases() {
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

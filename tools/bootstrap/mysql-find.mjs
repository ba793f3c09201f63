import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installPackages, isDebianRoot } from './apt.mjs';
import { run, which } from './command.mjs';
import { StepError, say, step } from './report.mjs';

/**
 * A server program: `{ kind: 'mariadb' | 'mysql', version, program, prefixArgs, extraArgs, share }`.
 * `prefixArgs` come before the server's own (an own loader), `extraArgs` after `--no-defaults`, `share` is
 * the folder of its SQL files.
 */

/** `{ kind, version }` of the line that `mysqld --version` prints, or null. */
export function parseServerVersion(line) {
  const version = /Ver (\d+\.\d+\.\d+)/.exec(line)?.[1];
  if (version === undefined) return null;
  return { kind: /mariadb/i.test(line) ? 'mariadb' : 'mysql', version };
}

/** A server on the PATH of one of the kinds, or null. */
export async function findServer(kinds) {
  for (const name of ['mariadbd', 'mysqld']) {
    const program = which(name);
    const found = program === null ? null : await serverOf(program);
    if (found !== null && kinds.includes(found.kind)) return found;
  }
  return null;
}

/** The server kind of this program, or null if it is not a server. */
export async function serverOf(program) {
  const found = parseServerVersion((await run(program, ['--no-defaults', '--version'])).output);
  return found === null
    ? null
    : { ...found, program, prefixArgs: [], extraArgs: [], share: shareFolder(program) };
}

function shareFolder(program) {
  const base = dirname(dirname(realpathSync(program)));
  return (
    ['share/mysql', 'share/mariadb', 'share']
      .map((each) => join(base, each))
      .find((each) => existsSync(join(each, 'mysql_system_tables.sql'))) ?? null
  );
}

/**
 * A server of the kinds: on the PATH, else Debian's package when running as root on Debian. Null when neither
 * works.
 */
export async function provideServer(kinds) {
  const found = await findServer(kinds);
  if (found !== null) return found;
  if (!kinds.includes('mariadb') || !isDebianRoot()) return null;
  await step(
    { title: 'No MariaDB or MySQL on the PATH: installing the package mariadb-server-core', about: '0:30' },
    () => installPackages(['mariadb-server-core']),
  );
  return findServer(['mariadb']);
}

/** The failure that lists the choices. */
export function noServer() {
  say();
  return new StepError(
    'No MySQL or MariaDB could be provided',
    'set DATABASE_URL to a server, install mariadb-server or mysql-server, or start a Docker engine',
  );
}

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuredArchive, isDebianRoot, unstableSource } from './apt.mjs';
import { cachedEntry, entryName, provideEntry } from './cache.mjs';
import { run, tail } from './command.mjs';
import { findServer, parseServerVersion } from './mysql-find.mjs';
import { folder } from './project.mjs';
import { StepError, failureOf, step } from './report.mjs';

/** The version of the unstable suite: any MySQL from 8.4 on is suitable. */
const entry = entryName('mysql', 'server-core');

/**
 * A real MySQL server (MariaDB does not count): on the PATH, else in the cache, else Debian's
 * mysql-server-core of the unstable suite, unpacked there and run with its own loader. Null if there is none.
 */
export async function provideRealMysql() {
  const found = (await findServer(['mysql'])) ?? (await unpackedServer());
  if (found !== null || !isDebianRoot()) return found;
  const title =
    'No MySQL on the PATH (MariaDB does not count here): unpacking mysql-server-core, once per user';
  await step({ title, about: '0:40' }, () => provideEntry(entry, unpackServer));
  return unpackedServer();
}

export async function unpackedServer() {
  const cached = cachedEntry(entry);
  if (cached === null) return null;
  const base = join(cached, 'root', 'usr');
  const program = join(base, 'sbin', 'mysqld');
  const library = librariesOf(base);
  if (library === null) return null;
  const prefixArgs = ['--library-path', `${library.folder}:${library.folder}/mysql/private`, program];
  const { output } = await run(library.loader, [...prefixArgs, '--no-defaults', '--version']);
  const found = parseServerVersion(output);
  if (found === null)
    throw new StepError('The unpacked MySQL cannot run', `remove ${cached} and run again`, tail(output));
  const share = join(base, 'share', 'mysql');
  const extraArgs = [
    `--basedir=${base}`,
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${share}/charsets`,
    '--secure-file-priv=NULL',
    '--mysqlx=OFF',
  ];
  return { ...found, program: library.loader, prefixArgs, extraArgs, share: null };
}

function librariesOf(base) {
  const libraries = existsSync(join(base, 'lib'))
    ? readdirSync(join(base, 'lib')).filter((each) => each.endsWith('-linux-gnu'))
    : [];
  for (const each of libraries) {
    const path = join(base, 'lib', each);
    const loader = readdirSync(path).find((file) => /^ld-linux.*\.so\.\d+$/.test(file));
    if (loader !== undefined) return { folder: path, loader: join(path, loader) };
  }
  return null;
}

/**
 * Downloads with apt and separate folders, which leaves the machine's package state unchanged, and unpacks
 * into the folder.
 */
async function unpackServer(part) {
  const archive = configuredArchive();
  if (archive === null)
    throw new StepError(
      'apt has no archive with component main configured',
      'set PARLANCE_TEST_MYSQL_URL to a MySQL 8.4 or newer',
    );
  const options = aptOptions(archive, join(part, 'apt'));
  for (const args of [
    ['update'],
    ['install', '-y', '--download-only', '--no-install-recommends', 'mysql-server-core'],
  ]) {
    const { code, output } = await run('apt-get', [...options, ...args]);
    if (code !== 0)
      throw failureOf(
        `apt-get ${args[0]} of the unstable suite failed`,
        'check the connection to the package mirror of this machine, or set PARLANCE_TEST_MYSQL_URL',
        output,
      );
  }
  const packages = join(part, 'apt', 'cache', 'archives');
  const target = folder(join(part, 'root'));
  for (const each of readdirSync(packages).filter((file) => file.endsWith('.deb'))) {
    const { code, output } = await run('dpkg-deb', ['-x', join(packages, each), target]);
    if (code !== 0) throw failureOf(`dpkg-deb could not unpack ${each}`, 'run the command again', output);
  }
  rmSync(join(part, 'apt'), { recursive: true, force: true });
}

function aptOptions(archive, apt) {
  const parts = folder(join(apt, 'sources'));
  for (const each of ['state/lists/partial', 'cache/archives/partial']) folder(join(apt, each));
  writeFileSync(join(parts, 'unstable.sources'), unstableSource(archive));
  writeFileSync(join(apt, 'status'), '');
  const settings = {
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': parts,
    'Dir::State': join(apt, 'state'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'APT::Get::List-Cleanup': '0',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  return ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}

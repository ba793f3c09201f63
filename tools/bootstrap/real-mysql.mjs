import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuredArchive, isDebianRoot, unstableSource } from './apt.mjs';
import { run, tail } from './command.mjs';
import { findServer, parseServerVersion } from './mysql-find.mjs';
import { folder, statePath } from './project.mjs';
import { StepError, step } from './report.mjs';

const home = () => statePath('tools', 'mysql');

/**
 * A real MySQL server (MariaDB does not count): on the PATH, else in the tool folder, else Debian's
 * mysql-server-core of the unstable suite, unpacked there and run with its own loader. Null where neither can
 * be had.
 */
export async function provideRealMysql() {
  const found = (await findServer(['mysql'])) ?? (await unpackedServer());
  if (found !== null || !isDebianRoot()) return found;
  await step(
    {
      title:
        'No MySQL on the PATH (MariaDB does not count here): unpacking mysql-server-core into the tool folder',
      about: '0:40',
    },
    unpackServer,
  );
  return unpackedServer();
}

export async function unpackedServer() {
  const base = join(home(), 'root', 'usr');
  const program = join(base, 'sbin', 'mysqld');
  if (!existsSync(program)) return null;
  const library = librariesOf(base);
  if (library === null) return null;
  const prefixArgs = ['--library-path', `${library.folder}:${library.folder}/mysql/private`, program];
  const { output } = await run(library.loader, [...prefixArgs, '--no-defaults', '--version']);
  const found = parseServerVersion(output);
  if (found === null)
    throw new StepError(
      `The unpacked MySQL does not run:\n${tail(output)}`,
      `remove ${home()} and run again`,
    );
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
 * Downloads by an apt of our own folders (the machine's package state is not touched) and unpacks into the
 * tool folder.
 */
async function unpackServer() {
  const archive = configuredArchive();
  if (archive === null)
    throw new StepError(
      'apt has no archive with component main configured',
      'set PARLANCE_TEST_MYSQL_URL to a MySQL 8.4 or newer',
    );
  rmSync(home(), { recursive: true, force: true });
  const options = aptOptions(archive);
  for (const args of [
    ['update'],
    ['install', '-y', '--download-only', '--no-install-recommends', 'mysql-server-core'],
  ]) {
    const { code, output } = await run('apt-get', [...options, ...args]);
    if (code !== 0)
      throw new StepError(
        `apt-get ${args[0]} of the unstable suite failed:\n${tail(output)}`,
        'a connection to the package mirror of this machine, or PARLANCE_TEST_MYSQL_URL',
      );
  }
  const packages = join(home(), 'apt', 'cache', 'archives');
  const target = folder(join(home(), 'root.part'));
  for (const each of readdirSync(packages).filter((file) => file.endsWith('.deb'))) {
    const { code, output } = await run('dpkg-deb', ['-x', join(packages, each), target]);
    if (code !== 0)
      throw new StepError(`dpkg-deb could not unpack ${each}:\n${tail(output)}`, 'free space on the disk');
  }
  renameSync(target, join(home(), 'root'));
  rmSync(join(home(), 'apt'), { recursive: true, force: true });
}

function aptOptions(archive) {
  const apt = join(home(), 'apt');
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

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './processes.mjs';
import { folder } from './project.mjs';
import { say } from './report.mjs';

/**
 * Expensive programs (Node, the Temporal server, MySQL, the Python environments of tests) are cached for all clones of a user. An entry is a
 * folder named by content, version and platform. It is made under a temporary name and renamed when it is
 * complete. Its stamp lists the size of every file, so that a truncated or incomplete entry is detected and
 * replaced.
 */
const stampName = 'stamp.json';

/** The folder of all entries: PARLANCE_CACHE_HOME, else `parlance` in XDG_CACHE_HOME or ~/.cache. */
export function cacheHome(env = process.env) {
  return env.PARLANCE_CACHE_HOME || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'parlance');
}

/** The name of an entry, such as temporal-1.8.2-linux-x64. */
export function entryName(what, version, platform = `${process.platform}-${process.arch}`) {
  return `${what}-${version}-${platform}`;
}

/** The path of a complete entry, or null without one. Removes a damaged one. */
export function cachedEntry(name, home = cacheHome()) {
  const path = join(home, name);
  if (!existsSync(path)) return null;
  const damage = damageOf(path);
  if (damage === null) return path;
  say(`- ${path} is damaged (${damage}): removing it`);
  rmSync(path, { recursive: true, force: true });
  return null;
}

/**
 * The path of the entry. A missing one is made by `make(part)`, which fills an empty folder. `make` may be
 * interrupted at any time; the next run starts with an empty folder again.
 */
export async function provideEntry(name, make, home = cacheHome()) {
  const cached = cachedEntry(name, home);
  if (cached !== null) return cached;
  removeAbandoned(name, home);
  const part = mkdtempSync(join(home, `${name}.part-${process.pid}-`));
  try {
    chmodSync(part, 0o755); // a database server with another account must be able to read it
    await make(part);
    writeFileSync(join(part, stampName), JSON.stringify({ files: sizesOf(part) }));
    return keep(part, name, home);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** If another process has made the same entry in the meantime, that one is used. */
function keep(part, name, home) {
  const path = join(home, name);
  try {
    renameSync(part, path);
  } catch (error) {
    if (cachedEntry(name, home) === null) throw error;
  }
  return path;
}

function removeAbandoned(name, home) {
  for (const each of readdirSync(folder(home))) {
    const [whole, pid] = each.split('.part-');
    if (whole === name && pid !== undefined && !isAlive(Number.parseInt(pid, 10)))
      rmSync(join(home, each), { recursive: true, force: true });
  }
}

function damageOf(path) {
  const stamp = join(path, stampName);
  if (!existsSync(stamp)) return 'it has no stamp';
  let files;
  try {
    ({ files } = JSON.parse(readFileSync(stamp, 'utf8')));
  } catch {
    return 'its stamp is not JSON';
  }
  const sizes = sizesOf(path);
  const wrong = Object.keys(files ?? {}).find((file) => sizes[file] !== files[file]);
  return wrong === undefined ? null : `${wrong} is missing or has another size`;
}

/** Sizes of the files below a folder, by path, without the stamp. Symbolic links are not followed. */
function sizesOf(path, below = '') {
  return Object.assign(
    {},
    ...readdirSync(join(path, below)).map((each) => {
      const name = below === '' ? each : `${below}/${each}`;
      const stats = lstatSync(join(path, name));
      if (stats.isDirectory()) return sizesOf(path, name);
      return stats.isFile() && name !== stampName ? { [name]: stats.size } : {};
    }),
  );
}

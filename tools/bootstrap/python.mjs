import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, isDebianRoot } from './apt.mjs';
import { cachedEntry, cacheHome, entryName, provideEntry } from './cache.mjs';
import { run, which } from './command.mjs';
import { failureOf, step } from './report.mjs';

/**
 * The path of a Python with exactly these packages (`name==version`, including all dependencies), in a virtual
 * environment of the user's cache. Another list and another base Python get another one. Run its programs by
 * `-m`: the scripts in `bin` name the folder in which they were made. Throws StepError if it cannot be provided.
 */
export async function providePython({ name, packages }) {
  const { output: base } = await run(which('python3') ?? 'python3', ['-VV']);
  const entry = environmentName({ name, packages, base });
  const home =
    usableEnvironment(entry) ??
    (await step(
      { title: `Downloading ${packages[0].replace('==', ' ')} for Python, once per user`, about: '0:20' },
      () => provideEntry(entry, (part) => fill(part, packages)),
    ));
  return pythonIn(home);
}

/** The name of a cached environment; `base` is what the base Python says of itself. */
export function environmentName({ name, packages, base }) {
  const digest = createHash('sha256').update([base, ...packages].join('\n'));
  return entryName(`python-${name}`, digest.digest('hex').slice(0, 16));
}

/** The folder of a complete environment whose base Python still exists, or null. Removes any other. */
export function usableEnvironment(entry, cache = cacheHome()) {
  const home = cachedEntry(entry, cache);
  if (home === null || existsSync(pythonIn(home))) return home;
  rmSync(home, { recursive: true });
  return null;
}

const pythonIn = (home) => join(home, 'bin', 'python');

async function fill(home, packages) {
  await makeEnvironment(home);
  const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-deps'];
  const { code, output } = await run(pythonIn(home), ['-m', 'pip', 'install', ...options, ...packages], {
    cwd: home,
  });
  if (code !== 0)
    throw failureOf(
      `pip could not install ${packages[0]} and its dependencies`,
      'check that Python is 3.10 or newer, and the connection to the package index that pip is configured for',
      output,
    );
}

async function makeEnvironment(home) {
  const make = () => run(which('python3') ?? 'python3', ['-m', 'venv', home]);
  const first = await make();
  if (first.code === 0) return;
  if (!isDebianRoot())
    throw failureOf(
      'python3 could not create a virtual environment',
      'install Python 3.10 or newer with venv (Debian: python3-venv)',
      first.output,
    );
  await installPackages(['python3-venv']); // Debian's Python lacks the module that installs pip into an environment
  const second = await make();
  if (second.code !== 0)
    throw failureOf(
      'python3 could not create a virtual environment',
      'install Python 3.10 or newer',
      second.output,
    );
}

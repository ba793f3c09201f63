import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, isDebianRoot } from './apt.mjs';
import { run, which } from './command.mjs';
import { folder, statePath } from './project.mjs';
import { failureOf, step } from './report.mjs';

/**
 * The path of a Python with exactly these packages (`name==version`, including all dependencies), in a
 * separate virtual environment below `.parlance/tools`. Recreated when the list changes. Throws StepError if
 * it cannot be provided.
 */
export async function providePython({ name, packages }, home = statePath('tools', `python-${name}`)) {
  const python = join(home, 'bin', 'python');
  if (isComplete(home, packages)) return python;
  await step(
    { title: `Downloading ${packages[0].replace('==', ' ')} for Python into the tool folder`, about: '0:20' },
    async () => {
      rmSync(home, { recursive: true, force: true });
      await makeEnvironment(folder(home));
      const { code, output } = await run(
        python,
        [
          '-m',
          'pip',
          'install',
          '--quiet',
          '--disable-pip-version-check',
          '--no-input',
          '--no-deps',
          ...packages,
        ],
        { cwd: home },
      );
      if (code !== 0)
        throw failureOf(
          `pip could not install ${packages[0]} and its dependencies`,
          'check that Python is 3.10 or newer, and the connection to the package index that pip is configured for',
          output,
        );
      writeFileSync(stampOf(home), stampText(packages));
    },
  );
  return python;
}

/** Whether an earlier run installed exactly these packages completely, and its Python still exists. */
export function isComplete(home, packages) {
  return (
    existsSync(join(home, 'bin', 'python')) &&
    existsSync(stampOf(home)) &&
    readFileSync(stampOf(home), 'utf8') === stampText(packages)
  );
}

const stampOf = (home) => join(home, 'complete');
const stampText = (packages) => `${packages.join('\n')}\n`;

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

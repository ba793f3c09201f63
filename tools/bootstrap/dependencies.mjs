import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, tail, which } from './command.mjs';
import { folder, root, statePath } from './project.mjs';
import { StepError, step } from './report.mjs';

/** What an installation depends on: the lockfile and the platform (packages with native parts differ). */
export function lockfileStamp(lockfileText, platform = `${process.platform}-${process.arch}`) {
  return `${createHash('sha256').update(lockfileText).digest('hex')} ${platform}\n`;
}

/** True when `node_modules` was installed from this very lockfile. */
export function isInstalled(projectFolder = root, stampFile = statePath('installed')) {
  if (!existsSync(stampFile) || !existsSync(join(projectFolder, 'node_modules', '.package-lock.json')))
    return false;
  return (
    readFileSync(stampFile, 'utf8') ===
    lockfileStamp(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8'))
  );
}

/**
 * Installs the lockfile unless that is done already. `npm install --no-save` keeps to the locked versions and
 * leaves the lockfile alone; `npm ci` refuses a lockfile that lacks platform packages of systems other than
 * the one it was made on.
 */
export async function installDependencies() {
  if (isInstalled()) return;
  const npm = which('npm');
  if (npm === null) throw new StepError('npm is not on the PATH', 'install npm (it comes with Node)');
  await step(
    { title: 'Installing the dependencies that package-lock.json names', about: '0:30' },
    async () => {
      const { code, output } = await run(npm, ['install', '--no-save', '--no-audit', '--no-fund'], {
        cwd: root,
      });
      if (code !== 0)
        throw new StepError(
          `npm install failed:\n${tail(output)}`,
          'a connection to the npm registry that npm is configured for',
        );
    },
  );
  folder(statePath());
  writeFileSync(statePath('installed'), lockfileStamp(readFileSync(join(root, 'package-lock.json'), 'utf8')));
}

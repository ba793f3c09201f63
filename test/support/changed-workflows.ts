import { cpSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import { root } from './process.ts';
import { silentLogger } from './quiet.ts';

/** One place of the source and its replacement. */
export interface SourceChange {
  file: string;
  from: string;
  to: string;
}

/**
 * A bundle of this project's Workflows with the changes of a later release: a copy of the sources is edited
 * and bundled. Answers the file. Throws when a change does not match exactly one place.
 */
export async function bundleChangedWorkflows(
  name: string,
  changes: readonly SourceChange[],
): Promise<string> {
  // The SDK writes its entry in memory and finds it only below the folder's own name, not below a link to it.
  const home = realpathSync(folder(statePath('test', `run-${process.pid}`, `workflows-${name}`)));
  cpSync(join(root, 'src'), join(home, 'src'), { recursive: true });
  for (const { file, from, to } of changes) {
    const parts = readFileSync(join(home, file), 'utf8').split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places like: ${from}`);
    writeFileSync(join(home, file), parts.join(to));
  }
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(home, 'src/workflows/index.ts'),
    logger: silentLogger,
  });
  rmSync(join(home, 'src'), { recursive: true });
  const bundle = join(home, 'bundle.js');
  writeFileSync(bundle, code);
  return bundle;
}

import { agentFolders } from '../agent-files/folder.ts';
import { UsageError } from '../failures.ts';

/** Returns the named folders, or all agent folders in `dir`. Throws UsageError if there are none. */
export async function chosenFolders(named: readonly string[], dir: string): Promise<string[]> {
  if (named.length > 0) return named.map((each) => each.replace(/[/\\]+$/, ''));
  const found = await agentFolders(dir);
  if (found.length === 0)
    throw new UsageError(
      `There are no agent folders in ${dir}`,
      'Create them with `parlance agents pull`, or set --dir.',
    );
  return found;
}

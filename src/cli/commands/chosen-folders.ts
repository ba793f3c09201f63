import { agentFolders } from '../agent-files/folder.ts';
import { UsageError } from '../failures.ts';

/**
 * The folders that were named, else every folder of an agent below `dir`. Throws UsageError when there is
 * none.
 */
export async function chosenFolders(named: readonly string[], dir: string): Promise<string[]> {
  if (named.length > 0) return named.map((each) => each.replace(/[/\\]+$/, ''));
  const found = await agentFolders(dir);
  if (found.length === 0)
    throw new UsageError(
      `There is no folder of an agent below ${dir}`,
      '`parlance agents pull` makes them; --dir says where they are.',
    );
  return found;
}

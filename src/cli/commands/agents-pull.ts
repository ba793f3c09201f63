import { join } from 'node:path';
import type { WorkflowListItem } from '../../contract/agents.ts';
import { agentFolders, readAgentFolder, writeAgentFolder, type AgentFolder } from '../agent-files/folder.ts';
import { slug } from '../agent-files/slug.ts';
import { chooseAgent, uuidOf } from '../remote/agents.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, UsageError, type ExitCode } from '../failures.ts';
import { oneLine } from '../output/terminal.ts';
import { settled, standingOf } from './agent-standing.ts';

export interface PullOptions {
  /** Ids, uuids or names. If empty, the agents that have a folder. */
  wanted: readonly string[];
  all?: boolean;
  dir: string;
  /** Whether to overwrite local changes that were not pushed. */
  force?: boolean;
}

type Outcome = 'unchanged' | 'updated' | 'created' | 'kept';

/**
 * Writes agents to folders. Folders with local changes are kept unless `force`. Exit code 1 if one was kept.
 */
export async function pullAgents(
  ctx: CliContext,
  { wanted, all = false, dir, force = false }: PullOptions,
): Promise<ExitCode> {
  const folders = await Promise.all((await agentFolders(dir)).map(readAgentFolder));
  const listed = await ctx.agents.list();
  const chosen = choose({ listed, folders, wanted, all });
  const results = [];
  for (const item of chosen) {
    const result = await pullOne(ctx, { item, folders, dir, force });
    if (result.folder !== undefined) folders.push(result.folder);
    tell(ctx, result);
    results.push({
      id: item.id,
      uuid: uuidOf(item),
      name: item.name,
      folder: result.path,
      outcome: result.outcome,
    });
  }
  ctx.terminal.value(results);
  return results.some(({ outcome }) => outcome === 'kept') ? exitCodes.difference : exitCodes.ok;
}

function choose({
  listed,
  folders,
  wanted,
  all,
}: {
  listed: readonly WorkflowListItem[];
  folders: readonly AgentFolder[];
  wanted: readonly string[];
  all: boolean;
}): WorkflowListItem[] {
  if (wanted.length > 0) return wanted.map((each) => chooseAgent(listed, each));
  if (all) return listed.filter(({ status }) => status === 'active');
  const known = listed.filter((item) => folders.some(({ origins }) => Object.hasOwn(origins, uuidOf(item))));
  if (known.length === 0)
    throw new UsageError(
      'No agent is named, and there are no agent folders',
      'Name agents by id or name, or use --all.',
    );
  return known;
}

async function pullOne(
  ctx: CliContext,
  {
    item,
    folders,
    dir,
    force,
  }: { item: WorkflowListItem; folders: readonly AgentFolder[]; dir: string; force: boolean },
): Promise<{ path: string; outcome: Outcome; folder?: AgentFolder }> {
  const present = folders.find(({ origins }) => Object.hasOwn(origins, uuidOf(item)));
  const server = await ctx.agents.get(item.id);
  if (present === undefined) {
    const folder = settled({ path: freePath(folders, dir, item), origins: {} }, server, ctx.url);
    await writeAgentFolder(folder);
    return { path: folder.path, outcome: 'created', folder };
  }
  const standing = standingOf(present, server);
  if (!force && (standing === 'changed_here' || standing === 'changed_both'))
    return { path: present.path, outcome: 'kept' };
  const isChanged = await writeAgentFolder(settled(present, server, ctx.url));
  return { path: present.path, outcome: isChanged ? 'updated' : 'unchanged' };
}

/** The path of a new folder: the name of the agent, with its id if another folder has that name. */
function freePath(folders: readonly AgentFolder[], dir: string, { id, name }: WorkflowListItem): string {
  const wanted = join(dir, slug(name) || 'agent');
  return folders.some(({ path }) => path === wanted) ? `${wanted}-${id}` : wanted;
}

function tell({ terminal }: CliContext, { path, outcome }: { path: string; outcome: Outcome }): void {
  const words = {
    unchanged: terminal.dim('unchanged'),
    updated: terminal.good('updated  '),
    created: terminal.good('created  '),
    kept: terminal.bad('kept     '),
  };
  terminal.say(
    `${words[outcome]}  ${oneLine(path, 200)}${outcome === 'kept' ? '  has changes that were not pushed: push them, or pull with --force' : ''}`,
  );
}

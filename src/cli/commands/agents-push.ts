import { basename } from 'node:path';
import type { WorkflowListItem } from '../../contract/agents.ts';
import { readAgentFolder, writeAgentFolder, type AgentFolder } from '../agent-files/folder.ts';
import { digestOf, isSame } from '../agent-files/stable-json.ts';
import type { AgentContent, ServerAgent } from '../remote/agents.ts';
import type { CliContext } from '../context.ts';
import {
  ApiRefusal,
  CliError,
  ConflictError,
  exitCodes,
  type ExitCode,
  type Fault,
  UnreachableError,
  UsageError,
} from '../failures.ts';
import { failureLines } from '../output/tell-failure.ts';
import { oneLine, shown } from '../output/terminal.ts';
import { counterpartOf, settled, standingOf } from './agent-standing.ts';
import { chosenFolders } from './chosen-folders.ts';

export interface PushOptions {
  folders: readonly string[];
  dir: string;
  publish?: boolean;
  /** Makes an agent of a folder that this server does not know. */
  create?: boolean;
  /** Also over what somebody changed on the server. */
  force?: boolean;
}

interface Pushed {
  outcome: 'unchanged' | 'pushed' | 'created';
  isPublished: boolean;
  server: ServerAgent;
  /** What is missing before the draft can be published. */
  faults: readonly Fault[];
}

/**
 * Sends folders to the server, each in one request that is carried out whole or not at all; what is the same
 * there already is not sent. One that fails does not stop the others; the exit code is that of the first
 * failure.
 */
export async function pushAgents(
  ctx: CliContext,
  { folders, dir, ...options }: PushOptions,
): Promise<ExitCode> {
  const read = [];
  for (const path of await chosenFolders(folders, dir)) read.push(await readAgentFolder(path)); // a broken file stops everything before anything is sent
  const listed = await ctx.agents.list();
  const results = [];
  let exitCode: ExitCode = exitCodes.ok;
  for (const folder of read) {
    try {
      const pushed = await pushOne(ctx, { folder, listed, options });
      tell(ctx, folder.path, pushed);
      results.push({
        folder: folder.path,
        id: pushed.server.id,
        uuid: pushed.server.uuid,
        outcome: pushed.outcome,
        is_published: pushed.isPublished,
        version: pushed.server.version,
        faults: pushed.faults,
      });
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.interrupted) throw error;
      exitCode = exitCode === exitCodes.ok ? error.exitCode : exitCode;
      ctx.terminal.note(`${oneLine(folder.path, 200)}\n${failureLines(error).join('\n')}`);
      results.push({
        folder: folder.path,
        id: null,
        uuid: null,
        outcome: error instanceof ConflictError ? 'conflict' : 'failed',
        is_published: false,
        version: null,
        faults: error instanceof ApiRefusal ? error.faults : [],
        message: error.message,
      });
    }
  }
  ctx.terminal.value(results);
  return exitCode;
}

interface Pushing {
  folder: AgentFolder;
  listed: readonly WorkflowListItem[];
  options: Pick<PushOptions, 'publish' | 'create' | 'force'>;
}

async function pushOne(ctx: CliContext, { folder, listed, options }: Pushing): Promise<Pushed> {
  const item = counterpartOf(folder, listed);
  const { outcome, server } =
    item === undefined
      ? await create(ctx, folder, options.create ?? false)
      : await update(ctx, { folder, id: item.id, isForced: options.force ?? false });
  // The server's answer, not what was sent: it drops what no node has and gives triggers their paths.
  await writeAgentFolder(settled(folder, server, ctx.url));
  if (!server.isDraft) return { outcome, server, isPublished: false, faults: [] };
  if (options.publish !== true)
    return { outcome, server, isPublished: false, faults: await faultsOf(ctx, server.id) };
  await ctx.agents.publish(server.id, server.etag).catch(asConflict);
  return { outcome, server, isPublished: true, faults: [] };
}

/** The key makes the same folder the same agent, should the answer get lost and somebody push again. */
async function create(
  ctx: CliContext,
  { path, content }: AgentFolder,
  isWanted: boolean,
): Promise<Pick<Pushed, 'outcome' | 'server'>> {
  if (!isWanted)
    throw new UsageError(
      'This server has no agent of this folder',
      '--create makes one; or is this another server than the one it was pulled from?',
    );
  const made = await ctx.agents.create(
    content,
    `parlance-create-${digestOf([basename(path), content]).slice(-40)}`,
  );
  const server = await ctx.agents.get(made.id);
  const { settings, testValues } = content;
  const isDone = isSame([settings, testValues], [server.content.settings, server.content.testValues]);
  return {
    outcome: 'created',
    server: isDone ? server : await ctx.agents.save(server.id, { settings, testValues }, server.etag),
  };
}

/** How often a push goes on when others change the agent meanwhile. */
const maxTries = 3;

async function update(
  ctx: CliContext,
  { folder, id, isForced }: { folder: AgentFolder; id: number; isForced: boolean },
): Promise<Pick<Pushed, 'outcome' | 'server'>> {
  for (let number = 1; ; number += 1) {
    const server = await ctx.agents.get(id);
    const standing = standingOf(folder, server);
    if (standing === 'same') return { outcome: number === 1 ? 'unchanged' : 'pushed', server };
    // guarantee: push-refuses-unseen-changes
    if (standing !== 'changed_here' && !isForced) throw changedThere(folder, server);
    try {
      return {
        outcome: 'pushed',
        server: await ctx.agents.save(id, changesOf(folder.content, server.content), server.etag),
      };
    } catch (error) {
      // It is not known whether an answer that was lost belongs to a change that was made, and a repeated one
      // finds its own: the next look at the agent says so.
      // guarantee: lost-push-answer-makes-one-version
      const isOpen = error instanceof UnreachableError || isPreconditionFailed(error);
      if (!isOpen || number === maxTries) throw error;
    }
  }
}

const isPreconditionFailed = (error: unknown): boolean => error instanceof ApiRefusal && error.status === 412;

function asConflict(error: unknown): never {
  if (isPreconditionFailed(error))
    throw new ConflictError(
      'The agent was changed on the server before it could be published',
      'What was pushed is there as a draft: `parlance agents diff` shows what differs.',
    );
  throw error;
}

function changedThere({ origins }: AgentFolder, server: ServerAgent): ConflictError {
  const base = origins[server.uuid];
  const since =
    base === undefined || base.version === server.version
      ? ''
      : ` (version ${base.version} then, ${server.version} now)`;
  return new ConflictError(
    `The agent was changed on the server since the last pull${since}`,
    '`parlance agents diff` shows what differs; pull --force takes theirs, push --force overwrites it with yours.',
  );
}

/** Only what differs: settings and test values alone make no new version of a draft. */
function changesOf(here: AgentContent, there: AgentContent): Partial<AgentContent> {
  return {
    ...(here.name === there.name ? {} : { name: here.name }),
    ...(isSame(here.definition, there.definition) ? {} : { definition: here.definition }),
    ...(isSame(here.settings, there.settings) ? {} : { settings: here.settings }),
    ...(isSame(here.testValues, there.testValues) ? {} : { testValues: here.testValues }),
  };
}

async function faultsOf(ctx: CliContext, id: number): Promise<readonly Fault[]> {
  try {
    await ctx.agents.validate(id);
    return [];
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 422) return error.faults;
    throw error;
  }
}

function tell(
  { terminal }: CliContext,
  path: string,
  { outcome, isPublished, server, faults }: Pushed,
): void {
  const words = {
    unchanged: terminal.dim('unchanged'),
    pushed: terminal.good('pushed   '),
    created: terminal.good('created  '),
  };
  const state = isPublished
    ? 'published'
    : server.isDraft
      ? 'a draft; calls use what is published'
      : 'published';
  terminal.say(`${words[outcome]}  ${oneLine(path, 200)}  version ${server.version}, ${state}`);
  for (const { place, message } of faults)
    terminal.say(`  before it can be published: ${shown(place)}: ${shown(message)}`);
}

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
import { failureLines } from '../output/show-failure.ts';
import { oneLine, shown } from '../output/terminal.ts';
import { counterpartOf, settled, standingOf } from './agent-standing.ts';
import { chosenFolders } from './chosen-folders.ts';

export interface PushOptions {
  folders: readonly string[];
  dir: string;
  publish?: boolean;
  /** Whether to create agents for folders that this server does not know. */
  create?: boolean;
  /** Whether to overwrite changes on the server. */
  force?: boolean;
}

interface Pushed {
  outcome: 'unchanged' | 'pushed' | 'created';
  isPublished: boolean;
  server: ServerAgent;
  /** Faults to fix before the draft can be published. */
  faults: readonly Fault[];
}

/**
 * Sends folders to the server, each in one atomic request, and skips unchanged ones. A failure does not stop
 * the others. The exit code is that of the first failure.
 */
export async function pushAgents(
  ctx: CliContext,
  { folders, dir, ...options }: PushOptions,
): Promise<ExitCode> {
  const read = [];
  for (const path of await chosenFolders(folders, dir)) read.push(await readAgentFolder(path)); // a malformed file stops the push before anything is sent
  const listed = await ctx.agents.list();
  const results = [];
  let exitCode: ExitCode = exitCodes.ok;
  for (const folder of read) {
    try {
      const pushed = await pushOne(ctx, { folder, listed, options });
      report(ctx, folder.path, pushed);
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
  // The server's answer differs from the request: unknown keys are dropped, and triggers get their paths.
  await writeAgentFolder(settled(folder, server, ctx.url));
  if (!server.isDraft) return { outcome, server, isPublished: false, faults: [] };
  if (options.publish !== true)
    return { outcome, server, isPublished: false, faults: await faultsOf(ctx, server.id) };
  await ctx.agents.publish(server.id, server.etag).catch(asConflict);
  return { outcome, server, isPublished: true, faults: [] };
}

/**
 * Creates an agent. The idempotency key prevents a second agent if the answer is lost and the push is
 * repeated.
 */
async function create(
  ctx: CliContext,
  { path, content }: AgentFolder,
  isWanted: boolean,
): Promise<Pick<Pushed, 'outcome' | 'server'>> {
  if (!isWanted)
    throw new UsageError(
      'This server has no agent for this folder',
      'Use --create to create one, or check that this is the server it was pulled from.',
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
const maxAttempts = 3;

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
      // If the answer was lost, the change may have been made, and a repeated change conflicts with it. The
      // next read of the agent shows which.
      // guarantee: lost-push-answer-makes-one-version
      const isOpen = error instanceof UnreachableError || isPreconditionFailed(error);
      if (!isOpen || number === maxAttempts) throw error;
    }
  }
}

const isPreconditionFailed = (error: unknown): boolean => error instanceof ApiRefusal && error.status === 412;

function asConflict(error: unknown): never {
  if (isPreconditionFailed(error))
    throw new ConflictError(
      'The agent was changed on the server before it could be published',
      'The pushed content is a draft. `parlance agents diff` shows the differences.',
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
    "`parlance agents diff` shows the differences. pull --force takes the server's state, push --force overwrites it.",
  );
}

/** Returns the changed parts. A change of settings or test values alone creates no new version of a draft. */
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

function report(
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
      ? 'a draft; calls use the published version'
      : 'published';
  terminal.say(`${words[outcome]}  ${oneLine(path, 200)}  version ${server.version}, ${state}`);
  for (const { place, message } of faults)
    terminal.say(`  before it can be published: ${shown(place)}: ${shown(message)}`);
}

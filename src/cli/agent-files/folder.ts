import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { AgentContent } from '../remote/agents.ts';
import { UsageError } from '../failures.ts';
import { own } from '../json.ts';
import { originFile, parseOrigins, renderOrigins, type Origins } from './origin.ts';
import { namedFiles, parseAgent } from './parse.ts';
import { agentFile, renderAgent, type Files } from './render.ts';

/** A folder with an agent. */
export interface AgentFolder {
  path: string;
  content: AgentContent;
  origins: Origins;
}

/** Returns the agent folders in `dir`, sorted by name. A missing `dir` has none. */
export async function agentFolders(dir: string): Promise<string[]> {
  const entries = await unlessMissing(readdir(dir, { withFileTypes: true }), []);
  const folders = entries.filter((each) => each.isDirectory()).map(({ name }) => join(dir, name));
  const found = await Promise.all(
    folders.map(async (folder) => ((await textOf(join(folder, agentFile))) === null ? [] : [folder])),
  );
  return found.flat().toSorted();
}

/** Reads an agent folder. Throws UsageError if it has no agent, or if files are missing or malformed. */
export async function readAgentFolder(path: string): Promise<AgentFolder> {
  const where = join(path, agentFile);
  const text = await textOf(where);
  if (text === null)
    throw new UsageError(
      `${path} is not an agent folder`,
      `An agent folder has ${agentFile}. \`parlance agents pull\` creates agent folders.`,
    );
  const prompts = new Map<string, string | null>();
  for (const file of namedFiles(text, where)) prompts.set(file, await textInside(path, file, where));
  return {
    path,
    content: parseAgent(text, { where, read: (file) => prompts.get(file) ?? null }),
    origins: await readOrigins(path),
  };
}

/**
 * Writes `content` and `origins` to the folder: prompts first, then `agent.json`, and `origin.json` last.
 * Each file is replaced atomically. Removes prompts that the agent no longer has, and changes nothing else in
 * the folder. Returns whether a file changed.
 */
export async function writeAgentFolder({ path, content, origins }: AgentFolder): Promise<boolean> {
  const before = await textOf(join(path, agentFile));
  const files = renderAgent(content);
  const prompts = [...files].filter(([name]) => name !== agentFile);
  const written = [];
  for (const [name, text] of [...prompts, [agentFile, files.get(agentFile) ?? ''] as const])
    written.push(await replace(join(path, name), text));
  for (const name of before === null ? [] : ownFiles(before))
    if (!files.has(name)) await rm(join(path, name), { force: true });
  await replace(join(path, originFile), renderOrigins(origins));
  return written.includes(true);
}

/** Reads the files of the agent in a folder. */
export async function filesOf(path: string): Promise<Files> {
  const text = await textOf(join(path, agentFile));
  const files = new Map<string, string>();
  if (text === null) return files;
  files.set(agentFile, text);
  for (const name of namedFiles(text, join(path, agentFile)))
    files.set(name, (await textInside(path, name, join(path, agentFile))) ?? '');
  return files;
}

async function readOrigins(path: string): Promise<Origins> {
  const text = await textOf(join(path, originFile));
  return text === null ? {} : parseOrigins(text, join(path, originFile));
}

/** Names of prompt files that `renderAgent` may have written. Other files belong to the user. */
function ownFiles(text: string): string[] {
  try {
    return namedFiles(text, agentFile).filter((name) => /^prompts\/[a-z0-9.-]+\.md$/.test(name));
  } catch {
    return []; // a malformed file is replaced; its prompt files are unknown
  }
}

/**
 * Reads a prompt, only from inside the agent folder even through links, because a push must not send other
 * files of this machine.
 */
async function textInside(folder: string, file: string, where: string): Promise<string | null> {
  const path = join(folder, file);
  const home = await realpath(folder);
  // guarantee: push-stays-inside-agent-folder
  const real = await unlessMissing(realpath(path), null);
  if (real === null) return null;
  const inside = relative(home, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || inside === '' || real === inside)
    throw new UsageError(`${where} names ${file}, which is outside of the agent folder`);
  return await textOf(path);
}

/** Replaces a file atomically. Returns whether its content changed. */
async function replace(path: string, text: string): Promise<boolean> {
  if ((await textOf(path)) === text) return false;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return true;
}

const textOf = (path: string): Promise<string | null> => unlessMissing(readFile(path, 'utf8'), null);

async function unlessMissing<Found, Otherwise>(
  reading: Promise<Found>,
  otherwise: Otherwise,
): Promise<Found | Otherwise> {
  try {
    return await reading;
  } catch (error) {
    const code = own(error, 'code');
    if (code === 'ENOENT' || code === 'ENOTDIR') return otherwise;
    throw error;
  }
}

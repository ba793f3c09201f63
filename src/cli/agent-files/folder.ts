import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { AgentContent } from '../remote/agents.ts';
import { UsageError } from '../failures.ts';
import { own } from '../json.ts';
import { originFile, parseOrigins, renderOrigins, type Origins } from './origin.ts';
import { namedFiles, parseAgent } from './parse.ts';
import { agentFile, renderAgent, type Files } from './render.ts';

/** A folder with an agent in it. */
export interface AgentFolder {
  path: string;
  content: AgentContent;
  origins: Origins;
}

/** Folders below `dir` that hold an agent, by name. A `dir` that is not there holds none. */
export async function agentFolders(dir: string): Promise<string[]> {
  const entries = await unlessMissing(readdir(dir, { withFileTypes: true }), []);
  const folders = entries.filter((each) => each.isDirectory()).map(({ name }) => join(dir, name));
  const found = await Promise.all(
    folders.map(async (folder) => ((await textOf(join(folder, agentFile))) === null ? [] : [folder])),
  );
  return found.flat().toSorted();
}

/** Throws UsageError for a folder without an agent, or one whose files do not fit together. */
export async function readAgentFolder(path: string): Promise<AgentFolder> {
  const where = join(path, agentFile);
  const text = await textOf(where);
  if (text === null)
    throw new UsageError(
      `${path} holds no agent`,
      `A folder of an agent has ${agentFile}; \`parlance agents pull\` makes such folders.`,
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
 * Makes the folder say what `content` and `origins` are: prompts first, then `agent.json`, its origin last,
 * each whole or not at all. Prompts that the agent no longer has are removed; nothing else in the folder is
 * touched. Answers whether a file changed.
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

/** The files of a folder that belong to its agent, as they are now. */
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

/**
 * Names that an earlier `renderAgent` may have given. What somebody points at by hand elsewhere is theirs.
 */
function ownFiles(text: string): string[] {
  try {
    return namedFiles(text, agentFile).filter((name) => /^prompts\/[a-z0-9.-]+\.md$/.test(name));
  } catch {
    return []; // a broken file is replaced; what it named nobody knows
  }
}

/**
 * A prompt's text, read only from inside the agent's folder, also through links: a push must not send other
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
    throw new UsageError(`${where} names ${file}, which is outside of the agent's folder`);
  return await textOf(path);
}

/** Answers whether the file was another. */
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
  looking: Promise<Found>,
  otherwise: Otherwise,
): Promise<Found | Otherwise> {
  try {
    return await looking;
  } catch (error) {
    const code = own(error, 'code');
    if (code === 'ENOENT' || code === 'ENOTDIR') return otherwise;
    throw error;
  }
}

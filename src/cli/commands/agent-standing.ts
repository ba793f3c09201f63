import type { WorkflowListItem } from '../../contract/agents.ts';
import type { AgentFolder } from '../agent-files/folder.ts';
import { digestOf, isSame } from '../agent-files/stable-json.ts';
import { uuidOf, type ServerAgent } from '../remote/agents.ts';

/** How a folder and the server's agent stand to each other, seen from what they last had in common. */
export type Standing = 'same' | 'changed_here' | 'changed_there' | 'changed_both';

/**
 * The digest, not the number of the version, says whether the server changed: settings change without a new
 * number, and publishing is no change.
 */
export function standingOf({ content, origins }: AgentFolder, server: ServerAgent): Standing {
  // guarantee: killed-push-leaves-whole-agent
  if (isSame(content, server.content)) return 'same';
  const base = origins[server.uuid]?.digest;
  const isChangedThere = base !== digestOf(server.content);
  if (base !== digestOf(content)) return isChangedThere ? 'changed_both' : 'changed_here';
  return 'changed_there';
}

/**
 * The agent of this server that the folder is a copy of; undefined when the server has none of those that it
 * knows.
 */
export const counterpartOf = (
  { origins }: AgentFolder,
  agents: readonly WorkflowListItem[],
): WorkflowListItem | undefined => agents.find((each) => Object.hasOwn(origins, uuidOf(each)));

/** The folder equal to the server, with that noted. */
export const settled = (
  { path, origins }: Pick<AgentFolder, 'path' | 'origins'>,
  server: ServerAgent,
  url: string,
): AgentFolder => ({
  path,
  content: server.content,
  origins: {
    ...origins,
    [server.uuid]: { server: url, id: server.id, version: server.version, digest: digestOf(server.content) },
  },
});

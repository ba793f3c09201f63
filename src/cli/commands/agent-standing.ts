import type { WorkflowListItem } from '../../contract/agents.ts';
import type { AgentFolder } from '../agent-files/folder.ts';
import { digestOf, isSame } from '../agent-files/stable-json.ts';
import { uuidOf, type ServerAgent } from '../remote/agents.ts';

/** How a folder and the server's agent differ, compared with their last common state. */
export type Standing = 'same' | 'changed_here' | 'changed_there' | 'changed_both';

/**
 * Compares a folder with the server's agent. The digest decides whether the server changed, not the version
 * number: settings change without a new number, and publishing gives no new content.
 */
export function standingOf({ content, origins }: AgentFolder, server: ServerAgent): Standing {
  // guarantee: killed-push-leaves-whole-agent
  if (isSame(content, server.content)) return 'same';
  const base = origins[server.uuid]?.digest;
  const isChangedThere = base !== digestOf(server.content);
  if (base !== digestOf(content)) return isChangedThere ? 'changed_both' : 'changed_here';
  return 'changed_there';
}

/** Returns the agent on this server that belongs to the folder, or undefined if there is none. */
export const counterpartOf = (
  { origins }: AgentFolder,
  agents: readonly WorkflowListItem[],
): WorkflowListItem | undefined => agents.find((each) => Object.hasOwn(origins, uuidOf(each)));

/** Returns the folder with the server's content and with this state as its origin. */
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

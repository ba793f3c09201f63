import type { WorkflowListItem } from '../../contract/agents.ts';
import { appendAudit, type ServiceContext, write } from '../kernel/index.ts';
import { lockFolder } from './folders/internal.ts';
import { changeAgent, countCallsOf, lockAgent } from './internal.ts';
import { toWorkflowListItem } from './mapper.ts';

/**
 * Moves an agent into a folder, or out of its folder with null (contract 1.4). Throws NotFoundError for an
 * unknown agent or folder.
 */
export async function moveAgentToFolder({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number; folderId: number | null };
}): Promise<WorkflowListItem> {
  return await write(ctx, async (tx) => {
    // The folder is locked first, as when a folder is deleted.
    const folder = input.folderId === null ? null : await lockFolder(tx, ctx, input.folderId);
    const agent = await lockAgent(tx, ctx, input.agentId);
    const states = { before: { folder_id: agent.folderId }, after: { folder_id: folder?.id ?? null } };
    await changeAgent(tx, ctx, agent, { folderId: folder?.id ?? null });
    await appendAudit(tx, { action: 'agent.moved', subjectKind: 'agent', subjectId: agent.id, states });
    return toWorkflowListItem({ agent, callCount: await countCallsOf(tx, agent) });
  });
}

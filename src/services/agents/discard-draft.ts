import type { WorkflowVersion } from '../../contract/agents.ts';
import { updateRows } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { NotFoundError } from '../../domain/errors.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { changeAgent, lockAgent, versionOf } from './internal.ts';
import { toWorkflowVersion } from './mapper.ts';
import { reservePaths } from './trigger-paths.ts';

/** Archives the draft, so that the published version is shown again; its row and number stay (contract 1.4). Throws NotFoundError, also without a draft. */
export async function discardDraft({ ctx, input }: { ctx: ServiceContext; input: { agentId: number } }): Promise<WorkflowVersion> {
  return await inTransaction(ctx.db, async (tx) => {
    const agent = await lockAgent(tx, ctx, input.agentId);
    if (agent.draftVersionId === null) throw new NotFoundError('No draft to discard');
    const draft = await versionOf(tx, agent, agent.draftVersionId);
    await updateRows(tx, agentVersions, { where: { id: draft.id, organizationId: ctx.organizationId }, change: { state: 'archived' } });
    await changeAgent(tx, ctx, agent, { draftVersionId: null });
    await reservePaths(tx, ctx, agent);
    await appendAudit(tx, ctx, { action: 'agent.draft_discarded', subjectKind: 'agent', subjectId: agent.id, changes: { version: draft.number } });
    return toWorkflowVersion({ ...draft, state: 'archived' });
  });
}

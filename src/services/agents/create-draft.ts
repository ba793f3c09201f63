import type { WorkflowVersion } from '../../contract/agents.ts';
import { inTransaction } from '../../db/transaction.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { addVersion, lockAgent, shownVersion } from './internal.ts';
import { toWorkflowVersion } from './mapper.ts';

/** The draft; a copy of the published version with the next number when there is none (contract 4.3). Throws NotFoundError. */
export async function createDraft({ ctx, input }: { ctx: ServiceContext; input: { agentId: number } }): Promise<WorkflowVersion> {
  return await inTransaction(ctx.db, async (tx) => {
    const agent = await lockAgent(tx, ctx, input.agentId);
    const shown = await shownVersion(tx, agent);
    if (agent.draftVersionId !== null) return toWorkflowVersion(shown);
    const { definition, settings, testValues } = shown;
    const draft = await addVersion(tx, ctx, { agent, content: { definition, settings, testValues }, state: 'draft' });
    await appendAudit(tx, ctx, { action: 'agent.draft_created', subjectKind: 'agent', subjectId: agent.id, changes: { version: draft.number } });
    return toWorkflowVersion(draft);
  });
}

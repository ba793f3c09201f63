import { isDeepStrictEqual } from 'node:util';
import type { WorkflowVersion } from '../../contract/agents.ts';
import { updateRows } from '../../db/rows.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { NotFoundError } from '../../domain/errors.ts';
import { appendAudit, type ServiceContext, type Write, write } from '../kernel/index.ts';
import { type AgentRef, requireAgentAsSeen } from './if-match.ts';
import { changeAgent, lockAgent, shownVersion, versionOf } from './internal.ts';
import { auditedAgent, toWorkflow, toWorkflowVersion } from './mapper.ts';
import { reservePaths } from './trigger-paths.ts';

/**
 * Archives the draft, so that the published version is shown again; its row and number stay (contract 1.4).
 * Throws NotFoundError, also without a draft; PreconditionError (412) when the agent has changed since the
 * client read it.
 */
export async function discardDraft({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AgentRef;
}): Promise<WorkflowVersion> {
  return await write(ctx, async (tx) => {
    const agent = await lockAgent(tx, ctx, input.agentId);
    await requireAgentAsSeen(tx, ctx, agent, input);
    if (agent.draftVersionId === null) throw new NotFoundError('No draft to discard');
    const draft = await versionOf(tx, agent, agent.draftVersionId);
    await discard(tx, ctx, { agent, draft });
    return toWorkflowVersion({ ...draft, state: 'archived' });
  });
}

/**
 * Discards a draft that is a mere copy of the published version. A client that makes one ahead of a change
 * leaves it behind when the change is refused.
 */
export async function discardUntouchedDraft(ctx: ServiceContext, agentId: number): Promise<void> {
  await write(ctx, async (tx) => {
    const agent = await lockAgent(tx, ctx, agentId);
    if (agent.draftVersionId === null || agent.publishedVersionId === null) return;
    const draft = await versionOf(tx, agent, agent.draftVersionId);
    const published = await versionOf(tx, agent, agent.publishedVersionId);
    if (isDeepStrictEqual(contentOf(draft), contentOf(published))) await discard(tx, ctx, { agent, draft });
  });
}

const contentOf = ({ definition, settings, testValues }: AgentVersionRow) => [
  definition,
  settings,
  testValues,
];

async function discard(
  tx: Write,
  ctx: ServiceContext,
  { agent, draft }: { agent: AgentRow; draft: AgentVersionRow },
): Promise<void> {
  const before = auditedAgent(toWorkflow({ agent, shown: draft, callCount: 0 }));
  await updateRows(tx, agentVersions, {
    where: { id: draft.id, organizationId: ctx.organizationId },
    change: { state: 'archived' },
  });
  await changeAgent(tx, ctx, agent, { draftVersionId: null });
  const shown = await shownVersion(tx, agent);
  await reservePaths(tx, ctx, agent, { read: [shown] });
  const after = auditedAgent(toWorkflow({ agent, shown, callCount: 0 }));
  await appendAudit(tx, {
    action: 'agent.draft_discarded',
    subjectKind: 'agent',
    subjectId: agent.id,
    changes: { version: draft.number },
    states: { before, after },
  });
}

import type { WorkflowVersion } from '../../contract/agents.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { appendAudit, type ServiceContext, once, type Write, write } from '../kernel/index.ts';
import { type AgentRef, requireAgentAsSeen } from './if-match.ts';
import { addVersion, lockAgent, shownVersion, versionOf } from './internal.ts';
import { toWorkflowVersion } from './mapper.ts';

/**
 * Returns the draft. When there is none, it copies the published version with the next number (contract 4.3).
 * Throws NotFoundError, PreconditionError (412) when the agent has changed since the client read it.
 */
export async function createDraft({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AgentRef;
}): Promise<WorkflowVersion> {
  return await write(ctx, async (tx) => {
    const agent = await lockAgent(tx, ctx, input.agentId);
    const make = async () => {
      await requireAgentAsSeen(tx, ctx, agent, input);
      const draft = await draftOf(tx, ctx, agent);
      return { id: draft.id, answer: toWorkflowVersion(draft) };
    };
    const again = async (id: number) => toWorkflowVersion(await versionOf(tx, agent, id));
    return await once(tx, { kind: 'draft_version', make, again });
  });
}

async function draftOf(tx: Write, ctx: ServiceContext, agent: AgentRow): Promise<AgentVersionRow> {
  const shown = await shownVersion(tx, agent);
  if (agent.draftVersionId !== null) return shown;
  const { definition, settings, testValues } = shown;
  const draft = await addVersion(tx, ctx, {
    agent,
    content: { definition, settings, testValues },
    state: 'draft',
  });
  await appendAudit(tx, {
    action: 'agent.draft_created',
    subjectKind: 'agent',
    subjectId: agent.id,
    changes: { version: draft.number },
  });
  return draft;
}

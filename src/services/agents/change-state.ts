import type { Workflow } from '../../contract/agents.ts';
import type { AgentState } from '../../db/tables/agents.ts';
import { appendAudit, type ServiceContext, write } from '../kernel/index.ts';
import { readAgent } from './get.ts';
import { type AgentRef, requireAgentAsSeen } from './if-match.ts';
import { changeAgent, lockAgent } from './internal.ts';

/**
 * Archives or reactivates an agent; versions stay unchanged (contract 4.3). Real calls require an active
 * agent; test conversations do not. Throws NotFoundError, PreconditionError (412) when the agent has changed
 * since the client read it.
 */
export async function changeAgentState({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AgentRef & { state: AgentState };
}): Promise<Workflow> {
  return await write(ctx, async (tx) => {
    const agent = await lockAgent(tx, ctx, input.agentId);
    await requireAgentAsSeen(tx, ctx, agent, input);
    if (agent.state !== input.state) {
      const states = { before: { status: agent.state }, after: { status: input.state } };
      await changeAgent(tx, ctx, agent, { state: input.state });
      // guarantee: unrecorded-change-rolled-back
      await appendAudit(tx, {
        action: input.state === 'archived' ? 'agent.archived' : 'agent.reactivated',
        subjectKind: 'agent',
        subjectId: agent.id,
        states,
      });
    }
    return await readAgent(tx, ctx, agent.id);
  });
}

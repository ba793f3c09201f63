import type { WorkflowVersionDetail } from '../../contract/agents.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { countCallsOf, findAgent, numberedVersion } from './internal.ts';
import { toListedVersion, toWorkflow } from './mapper.ts';
import { agentTag } from './tag.ts';
import { factsOf } from './version-facts.ts';

/** One version with its content and, while the agent shows it, the agent's tag (contract 1.5). Throws NotFoundError. */
export async function getVersion({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number; versionNumber: number };
}): Promise<WorkflowVersionDetail> {
  const { manager } = ctx.db;
  const agent = await findAgent(manager, ctx, input.agentId);
  const version = await numberedVersion(manager, agent, input.versionNumber);
  const facts = await factsOf(ctx, agent, [version]);
  const isShown = version.id === (agent.draftVersionId ?? agent.publishedVersionId);
  const etag = isShown
    ? agentTag(toWorkflow({ agent, shown: version, callCount: await countCallsOf(manager, agent) }))
    : null;
  return { ...toListedVersion(version, facts(version)), etag };
}

import type { PublishedVersion } from '../../contract/agents.ts';
import { updateRows } from '../../db/rows.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { PreconditionError } from '../../domain/errors.ts';
import { GraphError } from '../../domain/graph/faults.ts';
import { validateDefinition } from '../../domain/graph/validate.ts';
import { appendAudit, type ServiceContext, once, type Write, write } from '../kernel/index.ts';
import { toolsOfGraph } from './agent-tools/graph-tools.ts';
import { type AgentRef, requireAgentAsSeen } from './if-match.ts';
import { changeAgent, lockAgent, versionOf } from './internal.ts';
import { auditedAgent, toPublishedVersion, toWorkflow } from './mapper.ts';
import { reservePaths } from './trigger-paths.ts';

/**
 * Publishes the draft: new calls use it, live calls keep the version that they began with (contract 1.4,
 * 4.3). Throws NotFoundError, PreconditionError (400 without a draft, 412 when the agent has changed since
 * the client read it), GraphError (422) for an incomplete graph.
 */
export async function publishDraft({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AgentRef & { note?: string | undefined };
}): Promise<PublishedVersion> {
  return await write(ctx, async (tx) => {
    const agent = await lockAgent(tx, ctx, input.agentId);
    const make = async () => {
      await requireAgentAsSeen(tx, ctx, agent, input);
      const published = await publish(tx, ctx, agent, input.note);
      return { id: published.id, answer: toPublishedVersion(published) };
    };
    const again = async (id: number) => {
      const version = await versionOf(tx, agent, id);
      return isPublished(version) ? toPublishedVersion(version) : null;
    };
    return await once(tx, { kind: 'published_version', make, again });
  });
}

type Published = AgentVersionRow & { publishedAt: Date };

function isPublished(version: AgentVersionRow): version is Published {
  return version.publishedAt !== null;
}

async function publish(
  tx: Write,
  ctx: ServiceContext,
  agent: AgentRow,
  given: string | undefined,
): Promise<Published> {
  if (agent.draftVersionId === null) throw new PreconditionError('No draft to publish', { status: 400 });
  const draft = await versionOf(tx, agent, agent.draftVersionId);
  const { is_valid, errors } = validateDefinition(
    draft.definition,
    await toolsOfGraph(tx, ctx.organizationId, draft.definition),
  );
  if (!is_valid) throw new GraphError(errors, { status: 422 });

  const publishedAt = ctx.clock.now();
  const note = given ?? draft.note;
  const { organizationId } = agent;
  const replaced =
    agent.publishedVersionId === null ? null : await versionOf(tx, agent, agent.publishedVersionId);
  const before =
    replaced === null ? null : auditedAgent(toWorkflow({ agent, shown: replaced, callCount: 0 }));
  if (agent.publishedVersionId !== null)
    await updateRows(tx, agentVersions, {
      where: { id: agent.publishedVersionId, organizationId },
      change: { state: 'archived' },
    });
  await updateRows(tx, agentVersions, {
    where: { id: draft.id, organizationId },
    change: { state: 'published', publishedAt, note },
  });
  await changeAgent(tx, ctx, agent, { publishedVersionId: draft.id, draftVersionId: null });
  await reservePaths(tx, ctx, agent, { read: [draft] });
  const published = { ...draft, state: 'published' as const, publishedAt, note };
  // The versions that calls used before and use now.
  const states = { before, after: auditedAgent(toWorkflow({ agent, shown: published, callCount: 0 })) };
  await appendAudit(tx, {
    action: 'agent.published',
    subjectKind: 'agent',
    subjectId: agent.id,
    changes: { version: draft.number, replaced: replaced?.number ?? null },
    states,
  });
  return published;
}

import { IsNull, Not } from 'typeorm';
import type { ListedVersion } from '../../contract/agents.ts';
import { findRows } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { findAgent } from './internal.ts';
import { toListedVersion } from './mapper.ts';
import { factsOf } from './version-facts.ts';

/**
 * One page of an agent's versions, newest first (contract 1.4, 1.5); with `isPublishedOnly` of those that were published,
 * and of the draft. Throws NotFoundError.
 */
export async function listVersions({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number; limit: number; offset: number; isPublishedOnly?: boolean };
}): Promise<ListedVersion[]> {
  const agent = await findAgent(ctx.db.manager, ctx, input.agentId);
  const all = { agentId: agent.id, organizationId: ctx.organizationId };
  const rows = await findRows(
    ctx.db,
    agentVersions,
    input.isPublishedOnly
      ? [
          { ...all, publishedAt: Not(IsNull()) },
          { ...all, state: 'draft' },
        ]
      : all,
    { order: { number: 'DESC' }, take: input.limit, skip: Math.min(input.offset, Number.MAX_SAFE_INTEGER) },
  );
  const facts = await factsOf(ctx, agent, rows);
  return rows.map((version) => toListedVersion(version, facts(version)));
}

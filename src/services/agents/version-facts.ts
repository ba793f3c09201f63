import { In, MoreThanOrEqual } from 'typeorm';
import type { Author } from '../../contract/common.ts';
import { findRows, selectFrom } from '../../db/rows.ts';
import { auditEvents } from '../../db/tables/audit-events.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { findActors, type ServiceContext } from '../kernel/index.ts';
import { toAuthor } from './last-authors.ts';

/** What other tables know about a version. */
export interface VersionFacts {
  author: Author | null;
  publishedBy: Author | null;
  calls: number;
}

/** Who made and who published versions of an agent, from the audit log, and how many calls they have. */
export async function factsOf(
  ctx: ServiceContext,
  agent: AgentRow,
  versions: readonly AgentVersionRow[],
): Promise<(version: AgentVersionRow) => VersionFacts> {
  const [counts, made] = [await countCalls(ctx, agent, versions), await readChanges(ctx, agent, versions)];
  return ({ id, number }) => {
    const own = made.filter(({ version }) => version === number);
    // Version 1 is published by the request that makes it.
    const publishing =
      own.find(({ action }) => action === 'agent.published') ?? (number === 1 ? own[0] : undefined);
    return {
      author: own[0]?.author ?? null,
      publishedBy: publishing?.author ?? null,
      calls: counts.get(id) ?? 0,
    };
  };
}

async function countCalls(
  { db, organizationId }: ServiceContext,
  { id: agentId }: AgentRow,
  versions: readonly AgentVersionRow[],
): Promise<Map<number, number>> {
  const rows: { version: string; count: string }[] = await selectFrom(db, calls, {
    as: 'call',
    organizationId,
  })
    .select('call.versionId', 'version')
    .addSelect('COUNT(*)', 'count')
    .andWhere({ agentId, versionId: In(versions.map(({ id }) => id)) })
    .groupBy('call.versionId')
    .getRawMany();
  return new Map(rows.map(({ version, count }) => [Number(version), Number(count)]));
}

/** The changes of the agent since the oldest of the versions, oldest first, each with its version. */
async function readChanges(
  { db, organizationId }: ServiceContext,
  agent: AgentRow,
  versions: readonly AgentVersionRow[],
): Promise<{ action: string; version: number; author: Author }[]> {
  const oldest = Math.min(...versions.map(({ createdAt }) => createdAt.getTime()));
  if (versions.length === 0) return [];
  const rows = await findRows(
    db,
    auditEvents,
    {
      organizationId,
      subjectKind: 'agent',
      subjectKey: String(agent.id),
      createdAt: MoreThanOrEqual(new Date(oldest)),
    },
    {
      select: ['organizationId', 'actorKind', 'actorId', 'actorName', 'action', 'changes'],
      order: { id: 'ASC' },
    },
  );
  const actorOf = await findActors(db.manager, organizationId, rows);
  return rows.flatMap((row) => {
    // A copy is recorded with its original, and is version 1.
    const version = row.action === 'agent.duplicated' ? 1 : row.changes['version'];
    return typeof version === 'number'
      ? [{ action: row.action, version, author: toAuthor(actorOf(row)) }]
      : [];
  });
}

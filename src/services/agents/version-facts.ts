import { In, MoreThanOrEqual } from 'typeorm';
import type { ListedVersion } from '../../contract/agents.ts';
import type { Author } from '../../contract/common.ts';
import { findRows, selectFrom } from '../../db/rows.ts';
import { auditEvents } from '../../db/tables/audit-events.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { campaigns } from '../../db/tables/campaigns.ts';
import { openCampaignStates } from '../../domain/campaign/state.ts';
import { findActors, type ServiceContext } from '../kernel/index.ts';
import { toAuthor } from './last-authors.ts';

/** What other tables know about a version. */
export interface VersionFacts {
  author: Author | null;
  publishedBy: Author | null;
  calls: number;
  /** Its calls by disposition, the most frequent first. */
  outcomes: ListedVersion['outcomes'];
  /** Campaigns that may still dial, all with this version. */
  pinnedBy: ListedVersion['pinned_by'];
}

/** Who made and who published versions of an agent, from the audit log, and what their calls came to. */
export async function factsOf(
  ctx: ServiceContext,
  agent: AgentRow,
  versions: readonly AgentVersionRow[],
): Promise<(version: AgentVersionRow) => VersionFacts> {
  const counts = await countCalls(ctx, agent, versions);
  const made = await readChanges(ctx, agent, versions);
  const pins = Map.groupBy(await readPins(ctx, versions), ({ versionId }) => versionId);
  return ({ id, number }) => {
    const own = made.filter(({ version }) => version === number);
    // Version 1 is published by the request that makes it.
    const publishing =
      own.find(({ action }) => action === 'agent.published') ?? (number === 1 ? own[0] : undefined);
    const calls = counts.get(id) ?? [];
    return {
      author: own[0]?.author ?? null,
      publishedBy: publishing?.author ?? null,
      calls: calls.reduce((sum, { count }) => sum + count, 0),
      outcomes: calls
        .flatMap(({ disposition, count }) => (disposition === null ? [] : [{ disposition, calls: count }]))
        .toSorted((one, other) => other.calls - one.calls || (one.disposition < other.disposition ? -1 : 1)),
      pinnedBy: (pins.get(id) ?? []).map(({ id: campaignId, name }) => ({ id: campaignId, name })),
    };
  };
}

async function countCalls(
  { db, organizationId }: ServiceContext,
  { id: agentId }: AgentRow,
  versions: readonly AgentVersionRow[],
): Promise<Map<number, { disposition: string | null; count: number }[]>> {
  const rows: { version: string; disposition: string | null; count: string }[] = await selectFrom(db, calls, {
    as: 'call',
    organizationId,
  })
    .select('call.versionId', 'version')
    .addSelect('call.disposition', 'disposition')
    .addSelect('COUNT(*)', 'count')
    .andWhere({ agentId, versionId: In(versions.map(({ id }) => id)) })
    .groupBy('call.versionId')
    .addGroupBy('call.disposition')
    .getRawMany();
  const counted = rows.map(({ version, disposition, count }) => ({
    version: Number(version),
    disposition,
    count: Number(count),
  }));
  return Map.groupBy(counted, ({ version }) => version);
}

async function readPins({ db, organizationId }: ServiceContext, versions: readonly AgentVersionRow[]) {
  return await findRows(
    db,
    campaigns,
    { organizationId, versionId: In(versions.map(({ id }) => id)), state: In([...openCampaignStates]) },
    { select: ['id', 'name', 'versionId'], order: { id: 'DESC' } },
  );
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

import { In } from 'typeorm';
import type { WorkflowOverviewPage } from '../../../contract/agent-overviews.ts';
import { findRows, selectFrom, type NarrowedQuery } from '../../../db/rows.ts';
import { agents, type AgentRow, type AgentState } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { folders } from '../../../db/tables/folders.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toolsOfGraph } from '../agent-tools/graph-tools.ts';
import { lastAuthors } from '../last-authors.ts';
import { toWorkflowOverview } from './mapper.ts';
import { recentFigures } from './recent-figures.ts';
import { usesOf } from './uses.ts';

export interface ListOverviewsInput {
  /** Part of the name; empty = any name. */
  search: string;
  states: AgentState[];
  /** Absent = every folder, null = agents without a folder. */
  folder: number | null | undefined;
  sortBy: 'name' | 'created_at' | 'changed_at';
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

const sorted = { name: 'LOWER(agent.name)', created_at: 'agent.createdAt', changed_at: 'agent.updatedAt' };

/** A page of the organization's agents as a console shows them, in the same number of queries for any page (contract 1.5). */
export async function listAgentOverviews({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ListOverviewsInput;
}): Promise<WorkflowOverviewPage> {
  const { limit, offset, sortBy, sortOrder } = input;
  const order = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const [rows, total] = await narrowed(
    selectFrom(ctx.db, agents, { as: 'agent', organizationId: ctx.organizationId }),
    input,
  )
    .orderBy(sorted[sortBy], order)
    .addOrderBy('agent.id', order)
    .limit(limit)
    .offset(offset)
    .getManyAndCount();
  return { items: rows.length === 0 ? [] : await describe(ctx, rows), total_count: total, limit, offset };
}

function narrowed(
  query: NarrowedQuery<AgentRow>,
  { search, states, folder }: ListOverviewsInput,
): NarrowedQuery<AgentRow> {
  query.andWhere({ state: In(states) });
  if (search !== '') query.andWhere('INSTR(LOWER(agent.name), LOWER(:search)) > 0', { search });
  if (folder === null) query.andWhere('agent.folderId IS NULL');
  else if (folder !== undefined) query.andWhere('agent.folderId = :folder', { folder });
  return query;
}

async function describe(ctx: ServiceContext, rows: readonly AgentRow[]) {
  const { db, organizationId } = ctx;
  const ids = rows.map(({ id }) => id);
  const versionIds = rows
    .flatMap(({ draftVersionId, publishedVersionId }) => [draftVersionId, publishedVersionId])
    .filter((id) => id !== null);
  const found = await findRows(db, agentVersions, { organizationId, id: In(versionIds) });
  const versions = new Map(found.map((version) => [version.id, version]));
  const shown = rows
    .map((row) => versions.get(row.draftVersionId ?? row.publishedVersionId ?? 0))
    .filter((version) => version !== undefined)
    .map(({ definition }) => definition);
  const tools = await toolsOfGraph(db.manager, organizationId, ...shown);
  const folderNames = new Map(
    (await findRows(db, folders, { organizationId })).map(({ id, name }) => [id, name]),
  );
  const uses = await usesOf(ctx, ids);
  const figures = await recentFigures(ctx, ids);
  const authors = await lastAuthors(ctx, ids);
  return rows.map((agent) =>
    toWorkflowOverview({
      agent,
      published: versions.get(agent.publishedVersionId ?? 0) ?? null,
      draft: versions.get(agent.draftVersionId ?? 0) ?? null,
      folderName: folderNames.get(agent.folderId ?? 0) ?? null,
      tools,
      usedBy: uses(agent.id),
      figures: figures(agent.id),
      changedBy: authors.get(agent.id) ?? null,
    }),
  );
}

import { In } from 'typeorm';
import type { WorkflowVariables } from '../../contract/agents.ts';
import { findRows } from '../../db/rows.ts';
import { campaigns } from '../../db/tables/campaigns.ts';
import { directories } from '../../db/tables/directories.ts';
import { exposedNames } from '../../domain/directory/exposed-names.ts';
import type { Mapping } from '../../domain/directory/mapping.ts';
import { listVariables } from '../../domain/graph/list-variables.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { findAgent, shownVersion } from './internal.ts';

/** The newest campaigns of the agent whose files count. */
const maxCampaigns = 20;

/** Columns that calls know by another name only (contract 11.4). */
function renamedColumns({ identifier, phone }: Mapping): { name: string; column: string }[] {
  return [
    ...(identifier === null ? [] : [{ name: 'ext_customer_id', column: identifier }]),
    { name: 'phone_number', column: phone },
  ];
}

/** The variables of the draft, else of the published version, with their sources (contract 1.6). Throws NotFoundError. */
export async function listAgentVariables({
  ctx,
  input: { agentId },
}: {
  ctx: ServiceContext;
  input: { agentId: number };
}): Promise<WorkflowVariables> {
  const { db, organizationId } = ctx;
  const agent = await findAgent(db.manager, ctx, agentId);
  const { definition, testValues } = await shownVersion(db.manager, agent);
  const newest = await findRows(
    db,
    campaigns,
    { organizationId, agentId },
    { select: ['directoryId'], order: { id: 'DESC' }, take: maxCampaigns },
  );
  const ids = [...new Set(newest.map(({ directoryId }) => directoryId))];
  const files = await findRows(
    db,
    directories,
    { organizationId, id: In(ids) },
    { select: ['id', 'name', 'columns', 'mapping'], order: { id: 'DESC' } },
  );
  const names = new Map(files.map(({ id, name }) => [id, name]));
  const variables = listVariables({
    definition,
    testValues,
    files: files.map(({ id, columns, mapping }) => ({
      directoryId: id,
      columns: [
        ...exposedNames(columns, mapping).map(({ name, index }) => ({
          name,
          column: columns[index] ?? name,
        })),
        ...renamedColumns(mapping),
      ],
    })),
  });
  return {
    variables: variables.map(({ name, scope, defaultText, uses, sources }) => ({
      name,
      scope,
      default: defaultText,
      uses: uses.map(({ kind, id, field, hasDefault }) => ({ kind, id, field, has_default: hasDefault })),
      sources: sources.map(({ type, nodeId = null, directoryId = null, column = null }) => ({
        type,
        node_id: nodeId,
        directory_id: directoryId,
        directory_name: directoryId === null ? null : (names.get(directoryId) ?? null),
        column,
      })),
    })),
  };
}

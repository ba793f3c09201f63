import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import { insertRow } from '../../db/rows.ts';
import { agents, type AgentRow } from '../../db/tables/agents.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { addVersion, type VersionContent } from './internal.ts';
import { toWorkflow } from './mapper.ts';
import { reservePaths } from './trigger-paths.ts';

interface NewAgent {
  name: string;
  folderId: number | null;
  /** Content of version 1, which is published at once. */
  content: VersionContent;
}

/** Writes an agent and its first version. */
export async function insertAgent(
  tx: EntityManager,
  ctx: ServiceContext,
  { name, folderId, content }: NewAgent,
): Promise<Workflow> {
  const now = ctx.clock.now();
  const row: Omit<AgentRow, 'id'> = {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    name,
    state: 'active',
    folderId,
    dispositionCodes: [],
    publishedVersionId: null,
    draftVersionId: null,
    lastVersionNumber: 0,
    createdAt: now,
    updatedAt: now,
  };
  const agent = await insertRow(tx, agents, row);
  const shown = await addVersion(tx, ctx, { agent, content, state: 'published' });
  await reservePaths(tx, ctx, agent, { read: [shown], isNew: true });
  return toWorkflow({ agent, shown, callCount: 0 });
}

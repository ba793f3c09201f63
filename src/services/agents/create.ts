import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import { insertRow } from '../../db/rows.ts';
import { agents, type AgentRow } from '../../db/tables/agents.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { once } from '../idempotency/index.ts';
import { readAgent } from './get.ts';
import { addVersion } from './internal.ts';
import { toWorkflow } from './mapper.ts';
import { prepareDefinition, translateTakenPath } from './prepare-definition.ts';
import { reservePaths } from './trigger-paths.ts';

/**
 * Creates an agent whose version 1 is published at once (contract 1.2). The graph may be incomplete. Throws GraphError: 422 for
 * a graph that cannot be stored, 409 for a trigger path that another agent owns.
 */
export async function createAgent({ ctx, input }: { ctx: ServiceContext; input: { name: string; definition: Definition } }): Promise<Workflow> {
  let definition: Definition | undefined;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const make = async () => {
        definition = await prepareDefinition(tx, ctx, { definition: input.definition, agentId: null });
        const answer = await insertAgent(tx, ctx, { name: input.name, definition });
        return { id: answer.id, answer };
      };
      return await once(tx, ctx, { kind: 'agent', make, again: (id) => readAgent(tx, ctx, id) });
    });
  } catch (error) {
    throw translateTakenPath(error, definition);
  }
}

async function insertAgent(tx: EntityManager, ctx: ServiceContext, { name, definition }: { name: string; definition: Definition }): Promise<Workflow> {
  const agent = await insertRow(tx, agents, newAgent(ctx, name));
  const shown = await addVersion(tx, ctx, { agent, content: { definition, settings: {}, testValues: {} }, state: 'published' });
  await reservePaths(tx, ctx, agent);
  await appendAudit(tx, ctx, { action: 'agent.created', subjectKind: 'agent', subjectId: agent.id, changes: { version: shown.number } });
  return toWorkflow({ agent, shown, callCount: 0 });
}

function newAgent(ctx: ServiceContext, name: string): Omit<AgentRow, 'id'> {
  const now = ctx.clock.now();
  return {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    name,
    state: 'active',
    dispositionCodes: [],
    publishedVersionId: null,
    draftVersionId: null,
    lastVersionNumber: 0,
    createdAt: now,
    updatedAt: now,
  };
}

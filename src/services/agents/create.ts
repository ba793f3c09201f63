import type { Workflow } from '../../contract/agents.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { once } from '../idempotency/index.ts';
import { readAgent } from './get.ts';
import { insertAgent } from './insert.ts';
import { prepareDefinition, translateTakenPath } from './prepare-definition.ts';

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
        const answer = await insertAgent(tx, ctx, { name: input.name, folderId: null, content: { definition, settings: {}, testValues: {} } });
        await appendAudit(tx, ctx, { action: 'agent.created', subjectKind: 'agent', subjectId: answer.id, changes: { version: answer.version_number } });
        return { id: answer.id, answer };
      };
      return await once(tx, ctx, { kind: 'agent', make, again: (id) => readAgent(tx, ctx, id) });
    });
  } catch (error) {
    throw translateTakenPath(error, definition);
  }
}

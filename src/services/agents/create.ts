import type { Workflow } from '../../contract/agents.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { restoreMaskedSecrets } from '../../domain/graph/secrets.ts';
import { appendAudit, type ServiceContext, definitionPlace, sealerOf, once, write } from '../kernel/index.ts';
import { readAgent } from './get.ts';
import { insertAgent } from './insert.ts';
import type { VersionContent } from './internal.ts';
import { prepareDefinition, translateTakenPath } from './prepare-definition.ts';
import { auditedAgent } from './mapper.ts';

interface NewAgent {
  name: string;
  definition: Definition;
  settings?: VersionContent['settings'];
  testValues?: VersionContent['testValues'];
  /** The source of the agent, for the audit log: ids and fixed codes. */
  madeFrom?: Record<string, string | number>;
}

/**
 * Creates an agent whose version 1 is published at once (contract 1.2). The graph may be incomplete. Throws
 * GraphError: 422 for a graph that cannot be stored, 409 for a trigger path that another agent owns.
 */
export async function createAgent({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: NewAgent;
}): Promise<Workflow> {
  const { name, settings = {}, testValues = {}, madeFrom = {} } = input;
  let definition: Definition | undefined;
  try {
    return await write(ctx, async (tx) => {
      const make = async () => {
        definition = await prepareDefinition(tx, ctx, {
          definition: restoreMaskedSecrets(
            {},
            input.definition,
            sealerOf(ctx.secrets, definitionPlace(ctx.organizationId)),
          ),
          agentId: null,
        });
        const answer = await insertAgent(tx, ctx, {
          name,
          folderId: null,
          content: { definition, settings, testValues },
        });
        await appendAudit(tx, {
          action: 'agent.created',
          subjectKind: 'agent',
          subjectId: answer.id,
          changes: { version: answer.version_number, ...madeFrom },
          states: { before: null, after: auditedAgent(answer) },
        });
        return { id: answer.id, answer };
      };
      return await once(tx, { kind: 'agent', make, again: (id) => readAgent(tx, ctx, id) });
    });
  } catch (error) {
    throw translateTakenPath(error, definition);
  }
}

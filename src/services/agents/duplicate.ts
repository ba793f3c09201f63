import type { Workflow } from '../../contract/agents.ts';
import { cleanDefinition } from '../../domain/graph/clean.ts';
import { mintTriggerPaths, withoutTriggerPaths } from '../../domain/graph/trigger-paths.ts';
import { appendAudit, type ServiceContext, once, write } from '../kernel/index.ts';
import { readAgent } from './get.ts';
import { insertAgent } from './insert.ts';
import { lockAgent, shownVersion } from './internal.ts';
import { auditedAgent } from './mapper.ts';

/**
 * Copies an agent (contract 1.4): the draft, else the published version, becomes the only, published version
 * of the copy, which is in the same folder. The stored graph is not checked again. Throws NotFoundError.
 */
export async function duplicateAgent({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number };
}): Promise<Workflow> {
  return await write(ctx, async (tx) => {
    // Locked, so that its folder is not deleted during the copy.
    const original = await lockAgent(tx, ctx, input.agentId);
    const make = async () => {
      const { definition, settings, testValues } = await shownVersion(tx, original);
      const copied = mintTriggerPaths(withoutTriggerPaths(cleanDefinition(definition)), () => ctx.ids.uuid());
      const answer = await insertAgent(tx, ctx, {
        name: `${original.name} - Duplicate`,
        folderId: original.folderId,
        content: { definition: copied, settings, testValues },
      });
      await appendAudit(tx, {
        action: 'agent.duplicated',
        subjectKind: 'agent',
        subjectId: answer.id,
        changes: { from: original.id },
        states: { before: null, after: auditedAgent(answer) },
      });
      return { id: answer.id, answer };
    };
    return await once(tx, { kind: 'agent_copy', make, again: (id) => readAgent(tx, ctx, id) });
  });
}

import type { WorkflowVersion } from '../../contract/agents.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { appendAudit, type ServiceContext, once, write } from '../kernel/index.ts';
import { type AgentRef, requireAgentAsSeen } from './if-match.ts';
import { addVersion, lockAgent, numberedVersion, shownVersion, versionOf } from './internal.ts';
import { auditedAgent, toWorkflow, toWorkflowVersion } from './mapper.ts';
import { prepareDefinition, translateTakenPath } from './prepare-definition.ts';
import { reservePaths } from './trigger-paths.ts';

export interface RestoreInput extends AgentRef {
  versionNumber: number;
  /** Of the new draft. */
  note?: string | undefined;
}

/**
 * Makes a new draft with the content of an earlier version (contract 1.4); a former draft is archived and
 * kept. Throws NotFoundError, PreconditionError (412) when the agent has changed since the client read it,
 * and GraphError when the graph can no longer be stored, because its trigger path or the name of a tool is
 * now taken.
 */
export async function restoreVersion({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RestoreInput;
}): Promise<WorkflowVersion> {
  let definition: Definition | undefined;
  try {
    return await write(ctx, async (tx) => {
      const agent = await lockAgent(tx, ctx, input.agentId);
      const make = async () => {
        await requireAgentAsSeen(tx, ctx, agent, input);
        const before = auditedAgent(
          toWorkflow({ agent, shown: await shownVersion(tx, agent), callCount: 0 }),
        );
        const { settings, testValues, ...earlier } = await numberedVersion(tx, agent, input.versionNumber);
        definition = await prepareDefinition(tx, ctx, { definition: earlier.definition, agentId: agent.id });
        const draft = await addVersion(tx, ctx, {
          agent,
          content: { definition, settings, testValues },
          state: 'draft',
          note: input.note,
        });
        await reservePaths(tx, ctx, agent, { read: [draft] });
        const after = auditedAgent(toWorkflow({ agent, shown: draft, callCount: 0 }));
        await appendAudit(tx, {
          action: 'agent.version_restored',
          subjectKind: 'agent',
          subjectId: agent.id,
          changes: { version: draft.number, from: earlier.number },
          states: { before, after },
        });
        return { id: draft.id, answer: toWorkflowVersion(draft) };
      };
      const again = async (id: number) => toWorkflowVersion(await versionOf(tx, agent, id));
      return await once(tx, { kind: 'restored_version', make, again });
    });
  } catch (error) {
    throw translateTakenPath(error, definition);
  }
}

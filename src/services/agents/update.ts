import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import { updateRows } from '../../db/rows.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Definition, JsonObject } from '../../domain/graph/definition.ts';
import { restoreMaskedSecrets } from '../../domain/graph/secrets.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { addVersion, changeAgent, countCalls, lockAgent, shownVersion, type VersionContent } from './internal.ts';
import { toWorkflow } from './mapper.ts';
import { prepareDefinition, translateTakenPath } from './prepare-definition.ts';
import { restoreMaskedSettings } from './settings-secrets.ts';
import { reservePaths } from './trigger-paths.ts';

/** What a PUT may change; absent = unchanged. Settings are replaced as a whole (contract 1.3). */
export interface AgentChange {
  agentId: number;
  name?: string | undefined;
  definition?: Definition | undefined;
  testValues?: JsonObject | undefined;
  settings?: JsonObject | undefined;
}

/**
 * Changes an agent (contract 1.3, 4.3). A definition makes a new draft version and archives the former draft; settings or test
 * values alone change the draft in place, or make one from the published version; a name alone touches no version.
 * Throws NotFoundError, and GraphError for a graph that may not be stored.
 */
export async function updateAgent({ ctx, input }: { ctx: ServiceContext; input: AgentChange }): Promise<Workflow> {
  let definition: Definition | undefined;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const agent = await lockAgent(tx, ctx, input.agentId);
      const before = await shownVersion(tx, agent);
      if (input.definition !== undefined) {
        definition = await prepareDefinition(tx, ctx, { definition: restoreMaskedSecrets(before.definition, input.definition), agentId: agent.id });
      }
      const shown = await storeVersion(tx, ctx, { agent, before, change: input, definition });
      if (input.name !== undefined) await changeAgent(tx, ctx, agent, { name: input.name });
      if (definition !== undefined) await reservePaths(tx, ctx, agent);
      await appendAudit(tx, ctx, { action: 'agent.updated', subjectKind: 'agent', subjectId: agent.id, changes: { version: shown.number, fields: changedFields(input) } });
      const count = await countCalls(tx, ctx.organizationId, [agent.id]);
      return toWorkflow({ agent, shown, callCount: count.get(agent.id) ?? 0 });
    });
  } catch (error) {
    throw translateTakenPath(error, definition);
  }
}

interface Storing {
  agent: AgentRow;
  before: AgentVersionRow;
  change: AgentChange;
  /** Prepared; undefined when the change has none. */
  definition: Definition | undefined;
}

/** The table of contract 4.3. Answers the version that the agent shows afterwards. */
async function storeVersion(tx: EntityManager, ctx: ServiceContext, { agent, before, change, definition }: Storing): Promise<AgentVersionRow> {
  if (definition === undefined && change.settings === undefined && change.testValues === undefined) return before;
  const content: VersionContent = {
    definition: definition ?? before.definition,
    settings: change.settings === undefined ? before.settings : restoreMaskedSettings(before.settings, change.settings),
    testValues: change.testValues ?? before.testValues,
  };
  if (definition !== undefined || agent.draftVersionId === null) return await addVersion(tx, ctx, { agent, content, state: 'draft' });
  const { settings, testValues } = content;
  await updateRows(tx, agentVersions, { where: { id: before.id, organizationId: agent.organizationId }, change: { settings, testValues } });
  await changeAgent(tx, ctx, agent, {});
  return { ...before, ...content };
}

function changedFields(change: AgentChange): string[] {
  return Object.entries(change)
    .filter(([name, value]) => name !== 'agentId' && value !== undefined)
    .map(([name]) => name);
}

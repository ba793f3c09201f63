import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import { updateRows } from '../../db/rows.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { ValidationError } from '../../domain/errors.ts';
import type { Definition, JsonObject } from '../../domain/graph/definition.ts';
import { restoreMaskedSecrets } from '../../domain/graph/secrets.ts';
import { restoreMaskedSettings } from '../../domain/models/settings-secrets.ts';
import {
  appendAudit,
  type ServiceContext,
  definitionPlace,
  sealerOf,
  settingsPlace,
  write,
} from '../kernel/index.ts';
import { requireUsableOverrides } from './check-overrides.ts';
import { discardUntouchedDraft } from './discard-draft.ts';
import { type AgentRef, requireRecordAsSeen } from './if-match.ts';
import { readShown } from './get.ts';
import { addVersion, changeAgent, type VersionContent } from './internal.ts';
import { auditedAgent, givenFields, toWorkflow } from './mapper.ts';
import { prepareDefinition, translateTakenPath } from './prepare-definition.ts';
import { pathsOf, reservePaths } from './trigger-paths.ts';

/** What a PUT may change; absent = unchanged. Settings are replaced as a whole (contract 1.3). */
export interface AgentChange extends AgentRef {
  name?: string | undefined;
  definition?: Definition | undefined;
  testValues?: JsonObject | undefined;
  settings?: JsonObject | undefined;
}

/**
 * Changes an agent (contract 1.3, 4.3). A definition creates a new draft version and archives the former
 * draft; settings or test values alone change the draft in place, or create one from the published version; a
 * name alone changes no version. Throws NotFoundError, PreconditionError (412) when the agent has changed
 * since the client read it, ValidationError for model overrides that no call could use, and GraphError for a
 * graph that may not be stored; after a ValidationError no draft stays that is a copy of the published version.
 */
export async function updateAgent({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AgentChange;
}): Promise<Workflow> {
  let definition: Definition | undefined;
  try {
    return await write(ctx, async (tx) => {
      const read = await readShown(tx, ctx, input.agentId, { isLocked: true });
      const { agent, shown: before, callCount } = read;
      const seen = toWorkflow(read);
      await requireRecordAsSeen(tx, ctx, seen, input);
      if (input.definition !== undefined) {
        definition = await prepareDefinition(tx, ctx, {
          definition: restoreMaskedSecrets(
            before.definition,
            input.definition,
            sealerOf(ctx.secrets, definitionPlace(ctx.organizationId)),
          ),
          agentId: agent.id,
          before: before.definition,
        });
      }
      if (input.settings !== undefined)
        await requireUsableOverrides(tx, ctx, { previous: before.settings, next: input.settings });
      const shown = await storeVersion(tx, ctx, { agent, before, change: input, definition });
      if (input.name !== undefined) await changeAgent(tx, ctx, agent, { name: input.name });
      if (definition !== undefined && !hasSamePaths(before.definition, definition))
        await reservePaths(tx, ctx, agent, { read: [before, shown] });
      const answer = toWorkflow({ agent, shown, callCount });
      const fields = givenFields(input);
      if (fields.length > 0)
        await appendAudit(tx, {
          action: 'agent.updated',
          subjectKind: 'agent',
          subjectId: agent.id,
          changes: { version: shown.number, fields },
          states: { before: auditedAgent(seen), after: auditedAgent(answer) },
        });
      return answer;
    });
  } catch (error) {
    if (error instanceof ValidationError) await discardUntouchedDraft(ctx, input.agentId);
    throw translateTakenPath(error, definition);
  }
}

/** Whether the agent holds the new graph's paths already, and lets none go. */
const hasSamePaths = (before: Definition, after: Definition): boolean =>
  isDeepStrictEqual(pathsOf(before), pathsOf(after));

interface Storing {
  agent: AgentRow;
  before: AgentVersionRow;
  change: AgentChange;
  /** The prepared definition; undefined when the change has none. */
  definition: Definition | undefined;
}

/** Applies the table of contract 4.3. Returns the version that the agent then shows. */
async function storeVersion(
  tx: EntityManager,
  ctx: ServiceContext,
  { agent, before, change, definition }: Storing,
): Promise<AgentVersionRow> {
  if (definition === undefined && change.settings === undefined && change.testValues === undefined)
    return before;
  const content: VersionContent = {
    definition: definition ?? before.definition,
    settings:
      change.settings === undefined
        ? before.settings
        : restoreMaskedSettings(
            before.settings,
            change.settings,
            sealerOf(ctx.secrets, settingsPlace(ctx.organizationId)),
          ),
    testValues: change.testValues ?? before.testValues,
  };
  if (definition !== undefined || agent.draftVersionId === null)
    return await addVersion(tx, ctx, { agent, content, state: 'draft' });
  const { settings, testValues } = content;
  await updateRows(tx, agentVersions, {
    where: { id: before.id, organizationId: agent.organizationId },
    change: { settings, testValues },
  });
  await changeAgent(tx, ctx, agent, {});
  return { ...before, ...content };
}

import type { WorkflowOverview } from '../../../contract/agent-overviews.ts';
import type { AgentRow } from '../../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { readAgentSettings } from '../../../domain/agents/settings.ts';
import { countChanges } from '../../../domain/graph/count-changes.ts';
import { outlineOf } from '../../../domain/graph/outline.ts';
import { maskSecrets } from '../../../domain/graph/secrets.ts';
import { type Surroundings, validateDefinition } from '../../../domain/graph/validate.ts';
import { ownModels } from '../../../domain/models/own-models.ts';
import { maskSettings } from '../../../domain/models/settings-secrets.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** An agent of the list for people (contract 1.5). */
export function toWorkflowOverview({
  agent,
  published,
  draft,
  folderName,
  tools,
  usedBy,
  figures,
  changedBy,
}: {
  agent: AgentRow;
  published: AgentVersionRow | null;
  draft: AgentVersionRow | null;
  folderName: string | null;
  tools: Surroundings;
  usedBy: WorkflowOverview['used_by'];
  figures: WorkflowOverview['last_7_days'];
  changedBy: WorkflowOverview['changed_by'];
}): WorkflowOverview {
  const definition = (draft ?? published)?.definition ?? {};
  return {
    id: agent.id,
    name: agent.name,
    status: agent.state,
    workflow_uuid: agent.uuid,
    created_at: wireTimestamp(agent.createdAt),
    folder: agent.folderId === null || folderName === null ? null : { id: agent.folderId, name: folderName },
    published: published === null ? null : placeOf(published),
    draft: draft === null ? null : { ...placeOf(draft), changes: countChanges(seen(published), seen(draft)) },
    problems: validateDefinition(definition, tools).errors.length,
    own_models: ownModels(readAgentSettings((published ?? draft)?.settings ?? {})),
    used_by: usedBy,
    last_7_days: figures,
    changed_at: wireTimestamp(agent.updatedAt),
    changed_by: changedBy,
    outline: outlineOf(definition),
  };
}

function placeOf({ number, publishedAt, createdAt }: AgentVersionRow): {
  version_number: number;
  at: string;
} {
  return { version_number: number, at: wireTimestamp(publishedAt ?? createdAt) };
}

/** What people edit, with masked secrets: sealing one secret twice gives two texts. */
function seen(version: AgentVersionRow | null) {
  const { definition = {}, settings = {}, testValues = {} } = version ?? {};
  return { definition: maskSecrets(definition), settings: maskSettings(settings), testValues };
}

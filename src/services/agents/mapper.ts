import type { WorkflowTemplate } from '../../contract/agent-templates.ts';
import type {
  ListedVersion,
  PublishedVersion,
  Workflow,
  WorkflowListItem,
  WorkflowVersion,
} from '../../contract/agents.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { isObject, own, ownText, type JsonObject } from '../../domain/graph/definition.ts';
import { composeAgent } from '../../domain/agent-templates/compose.ts';
import type { AgentTemplate } from '../../domain/agent-templates/template.ts';
import { maskSecrets } from '../../domain/graph/secrets.ts';
import { maskSettings } from '../../domain/models/settings-secrets.ts';
import { wireTimestamp } from '../kernel/index.ts';
import type { VersionFacts } from './version-facts.ts';

/**
 * The workflow record of contract 1.1; `shown` is the draft when there is one, else the published version.
 */
export function toWorkflow({
  agent,
  shown,
  callCount,
}: {
  agent: AgentRow;
  shown: AgentVersionRow;
  callCount: number;
}): Workflow {
  return {
    id: agent.id,
    name: agent.name,
    status: agent.state,
    created_at: wireTimestamp(agent.createdAt),
    workflow_definition: maskSecrets(shown.definition),
    current_definition_id: agent.publishedVersionId,
    template_context_variables: shown.testValues,
    call_disposition_codes: { disposition_codes: agent.dispositionCodes },
    total_runs: callCount,
    workflow_configurations: maskSettings(shown.settings),
    version_number: shown.number,
    version_status: shown.state,
    workflow_uuid: agent.uuid,
  };
}

/** A list item of contract 1.4. */
export function toWorkflowListItem({
  agent,
  callCount,
}: {
  agent: AgentRow;
  callCount: number;
}): WorkflowListItem {
  return {
    id: agent.id,
    name: agent.name,
    status: agent.state,
    created_at: wireTimestamp(agent.createdAt),
    total_runs: callCount,
    folder_id: agent.folderId,
    workflow_uuid: agent.uuid,
  };
}

/** A version record of contract 1.4. */
export function toWorkflowVersion(version: AgentVersionRow): WorkflowVersion {
  return {
    id: version.id,
    version_number: version.number,
    status: version.state,
    created_at: wireTimestamp(version.createdAt),
    published_at: version.publishedAt === null ? null : wireTimestamp(version.publishedAt),
    workflow_json: maskSecrets(version.definition),
    workflow_configurations: maskSettings(version.settings),
    template_context_variables: version.testValues,
  };
}

/** A version of a list (contract 1.5). */
export function toListedVersion(
  version: AgentVersionRow,
  { author, publishedBy, calls, outcomes, pinnedBy }: VersionFacts,
): ListedVersion {
  return {
    ...toWorkflowVersion(version),
    note: version.note,
    author,
    published_by: publishedBy,
    calls,
    outcomes,
    pinned_by: pinnedBy,
  };
}

/** The publish answer of contract 1.4. */
export function toPublishedVersion(version: AgentVersionRow & { publishedAt: Date }): PublishedVersion {
  return {
    id: version.id,
    version_number: version.number,
    status: 'published',
    published_at: wireTimestamp(version.publishedAt),
  };
}

/** A template of contract 1.4. */
export function toWorkflowTemplate({
  id,
  name,
  description,
  design,
  addedAt,
  testValues,
  tagline,
  sampleReplies,
}: AgentTemplate): WorkflowTemplate {
  return {
    id,
    template_name: name,
    template_description: description,
    template_json: composeAgent(design),
    created_at: wireTimestamp(addedAt),
    caller_name: String(testValues['company_name']),
    tagline,
    sample_replies: sampleReplies,
  };
}

/**
 * The record as the audit log compares it: with masked secrets, and with nodes and edges by id, so that paths
 * stay the same when others are added or removed. Test values are left out, because they may be personal
 * data, and so are counters.
 */
export function auditedAgent({
  name,
  status,
  current_definition_id,
  workflow_definition,
  workflow_configurations,
  version_number,
  version_status,
}: Workflow): object {
  return {
    name,
    status,
    current_definition_id,
    version_number,
    version_status,
    workflow_configurations,
    workflow_definition: byIds(workflow_definition),
  };
}

function byIds(definition: JsonObject): object {
  return {
    ...definition,
    ...(['nodes', 'edges'] as const).reduce(
      (lists, key) => ({ ...lists, [key]: keyed(own(definition, key)) }),
      {},
    ),
  };
}

/** A list as an object by the ids of its items; unchanged when an id is missing or used twice. */
function keyed(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const entries = list.map(
    (item: unknown) => [isObject(item) ? ownText(item, 'id') : undefined, item] as const,
  );
  const ids = entries.flatMap(([id]) => (id === undefined ? [] : [id]));
  return new Set(ids).size === list.length ? Object.fromEntries(entries) : list;
}

/** The names of the fields that a request changes, as in the API. */
export function givenFields({
  name,
  definition,
  testValues,
  settings,
}: {
  name?: unknown;
  definition?: unknown;
  testValues?: unknown;
  settings?: unknown;
}): string[] {
  const given = {
    name,
    workflow_definition: definition,
    template_context_variables: testValues,
    workflow_configurations: settings,
  };
  return Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

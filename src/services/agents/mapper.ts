import type { PublishedVersion, Workflow, WorkflowListItem, WorkflowVersion } from '../../contract/agents.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { maskSecrets } from '../../domain/graph/secrets.ts';
import { wireMoment } from '../wire-moment.ts';
import { maskSettings } from './settings-secrets.ts';

/** The workflow record of contract 1.1; `shown` is the draft when there is one, else the published version. */
export function toWorkflow({ agent, shown, callCount }: { agent: AgentRow; shown: AgentVersionRow; callCount: number }): Workflow {
  return {
    id: agent.id,
    name: agent.name,
    status: agent.state,
    created_at: wireMoment(agent.createdAt),
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
export function toWorkflowListItem({ agent, callCount }: { agent: AgentRow; callCount: number }): WorkflowListItem {
  return {
    id: agent.id,
    name: agent.name,
    status: agent.state,
    created_at: wireMoment(agent.createdAt),
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
    created_at: wireMoment(version.createdAt),
    published_at: version.publishedAt === null ? null : wireMoment(version.publishedAt),
    workflow_json: maskSecrets(version.definition),
    workflow_configurations: maskSettings(version.settings),
    template_context_variables: version.testValues,
  };
}

/** The publish answer of contract 1.4. */
export function toPublishedVersion(version: AgentVersionRow & { publishedAt: Date }): PublishedVersion {
  return { id: version.id, version_number: version.number, status: 'published', published_at: wireMoment(version.publishedAt) };
}

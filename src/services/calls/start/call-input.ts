import type { EntityManager } from 'typeorm';
import { aliased, queryRows } from '../../../db/rows.ts';
import type { AgentRow } from '../../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { OrganizationRow } from '../../../db/tables/organizations.ts';
import { readAgentSettings, type AgentSettings } from '../../../domain/agents/settings.ts';
import { compilePlan } from '../../../domain/graph/compile.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import type { Definition } from '../../../domain/graph/definition.ts';
import { nodeOf } from '../../../domain/graph/model.ts';
import type { CallInput } from '../../../temporal/port.ts';

/** The channel of a text conversation, by the settings of its version. */
export function textChannel({ textInactivityMs }: AgentSettings): CallInput['channel'] {
  return { kind: 'text', inactivityTimeoutMs: textInactivityMs };
}

/**
 * What the call is started with: made from its row and the version it is pinned to, so it is the same
 * whenever it is asked for.
 */
export async function callInputOf(
  manager: EntityManager,
  call: CallRow,
  channelOf: (settings: AgentSettings) => CallInput['channel'],
): Promise<CallInput> {
  const { organizationId, versionId } = call;
  const shown = aliased(manager, agentVersions, 'version');
  const [found] = await queryRows<Record<string, unknown> & { agent: string; organization: string }>(
    manager,
    {
      organizationId,
      sql: `SELECT ${shown.columns}, agent.uuid AS agent, organization.uuid AS organization
      FROM agent_versions version
      JOIN agents agent ON agent.id = version.agent_id AND agent.organization_id = version.organization_id
      JOIN organizations organization ON organization.id = version.organization_id
      WHERE version.id = ? AND version.organization_id = ?`,
      values: [versionId, organizationId],
    },
  );
  if (found === undefined) throw new InvariantError('The version of a call does not exist');
  const version = shown.rowOf(found);
  return callInputFor({
    organization: { uuid: found.organization },
    agent: { uuid: found.agent },
    version,
    call,
    channel: channelOf(readAgentSettings(version.settings)),
  });
}

/** The same, of rows that were read. */
export function callInputFor({
  organization,
  agent,
  version,
  call,
  channel,
}: {
  organization: Pick<OrganizationRow, 'uuid'>;
  agent: Pick<AgentRow, 'uuid'>;
  version: AgentVersionRow;
  call: CallRow;
  channel: CallInput['channel'];
}): CallInput {
  const plan = compilePlan(version.definition);
  return {
    callId: call.id,
    callUuid: call.uuid,
    organizationId: call.organizationId,
    organizationUuid: organization.uuid,
    agentUuid: agent.uuid,
    versionId: version.id,
    versionNumber: version.number,
    definitionSha256: version.definitionSha256,
    plan,
    ...(readAgentSettings(version.settings).compactsContext ? { summarizes: true } : {}),
    ...beforeOpening(version.definition, plan.startNodeId, call),
    channel,
    isTest: call.isTest,
    source: call.source,
  };
}

/**
 * The wait before the opening counts for every channel (contract 2.3), and at most as long as a request may
 * well wait. The customer's endpoint is asked in mode `always`, and when something is spoken in the mode of
 * the call's direction (contract 10).
 */
function beforeOpening(
  definition: Definition,
  startNodeId: string,
  { channel, direction }: Pick<CallRow, 'channel' | 'direction'>,
): Pick<CallInput, 'delayedStartMs' | 'fetchesBeforeCall'> {
  const node = nodeOf(definition, startNodeId);
  const delayedStartMs = Math.min(node?.delayedStartMs ?? 0, timeoutsMs.delayedStart);
  const modes: readonly unknown[] = channel === 'text' ? ['always'] : ['always', direction];
  const fetches = node !== null && modes.includes(node.preCallFetch.mode) && node.preCallFetch.url !== null;
  return {
    ...(delayedStartMs > 0 ? { delayedStartMs } : {}),
    ...(fetches ? { fetchesBeforeCall: true } : {}),
  };
}

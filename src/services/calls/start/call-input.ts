import type { EntityManager } from 'typeorm';
import { getRow } from '../../../db/rows.ts';
import { agents, type AgentRow } from '../../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { organizations, type OrganizationRow } from '../../../db/tables/organizations.ts';
import { readAgentSettings, type AgentSettings } from '../../../domain/agents/settings.ts';
import { compilePlan } from '../../../domain/graph/compile.ts';
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
  const { organizationId } = call;
  const [organization, agent, version] = await Promise.all([
    getRow(manager, organizations, { id: organizationId }),
    getRow(manager, agents, { id: call.agentId, organizationId }),
    getRow(manager, agentVersions, { id: call.versionId, organizationId }),
  ]);
  const channel = channelOf(readAgentSettings(version.settings));
  return callInputFor({ organization, agent, version, call, channel });
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

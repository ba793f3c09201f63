import type { EntityManager } from 'typeorm';
import { agents } from '../../db/tables/agents.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import type { CallRow } from '../../db/tables/calls.ts';
import { organizations } from '../../db/tables/organizations.ts';
import { compilePlan } from '../../domain/graph/compile.ts';
import { own } from '../../domain/graph/definition.ts';
import { readNumber } from '../../domain/graph/fields.ts';
import type { CallInput } from '../../temporal/port.ts';

/** Default of `text_chat_inactivity_timeout_seconds` (contract 3.1). */
const defaultInactivitySeconds = 1800;

/** What the call is started with: made from its row and the version it is pinned to, so it is the same whenever it is asked for. */
export async function callInputOf(manager: EntityManager, call: CallRow): Promise<CallInput> {
  const { organizationId } = call;
  const [organization, agent, version] = await Promise.all([
    manager.getRepository(organizations).findOneByOrFail({ id: organizationId }),
    manager.getRepository(agents).findOneByOrFail({ id: call.agentId, organizationId }),
    manager.getRepository(agentVersions).findOneByOrFail({ id: call.versionId, organizationId }),
  ]);
  const seconds = readNumber(own(version.settings, 'text_chat_inactivity_timeout_seconds')) ?? defaultInactivitySeconds;
  return {
    callId: call.id,
    callUuid: call.uuid,
    organizationId,
    organizationUuid: organization.uuid,
    agentUuid: agent.uuid,
    versionId: version.id,
    versionNumber: version.number,
    definitionSha256: version.definitionSha256,
    plan: compilePlan(version.definition),
    channel: { kind: 'text', inactivityTimeoutMs: seconds * 1000 },
    isTest: call.isTest,
    source: call.source,
  };
}

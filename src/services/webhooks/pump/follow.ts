import { getRow } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls } from '../../../db/tables/calls.ts';
import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { sendableWebhooks } from '../../../domain/graph/model.ts';
import { backlogOf } from '../deliveries/backlog.ts';
import { hostOf } from '../deliveries/internal.ts';
import type { PumpDeps } from './deps.ts';

/**
 * Does what follows from a recorded first attempt: a failed delivery goes on as a Workflow, a delivered one
 * starts the backlog of its endpoint. Repeating it changes nothing. Throws UnavailableError.
 */
export async function followUp(deps: PumpDeps, delivery: DeliveryRow): Promise<void> {
  const { organizationId } = delivery;
  const { db, follower } = deps;
  if (delivery.state === 'succeeded') {
    const backlog = await backlogOf(db, delivery);
    if (backlog !== null)
      await follower.startBacklog({
        organizationUuid: await organizationUuidOf(deps, organizationId),
        backlog,
      });
    return;
  }
  const { callUuid, nodeName } = await shownNames(deps, delivery);
  // guarantee: failed-first-attempt-handed-over
  await follower.continueDelivery({
    callId: delivery.callId,
    nodeName,
    input: {
      deliveryUuid: delivery.uuid,
      callUuid,
      organizationUuid: await organizationUuidOf(deps, organizationId),
      continues: {
        nextAttemptAt: (delivery.nextAttemptAt ?? deps.clock.now()).toISOString(),
        host: hostOf(delivery.url),
        statusCode: delivery.lastStatusCode,
        error: delivery.lastError,
      },
    },
  });
}

async function organizationUuidOf({ db }: Pick<PumpDeps, 'db'>, id: number): Promise<string> {
  return (await getRow(db, organizations, { id }, { select: ['uuid'] }).catch(rethrow)).uuid;
}

/** What Temporal UI shows of a delivery. */
async function shownNames(
  { db }: Pick<PumpDeps, 'db'>,
  { callId, organizationId, nodeId }: DeliveryRow,
): Promise<{ callUuid: string; nodeName: string }> {
  const call = await getRow(
    db,
    calls,
    { id: callId, organizationId },
    { select: ['uuid', 'versionId'] },
  ).catch(rethrow);
  const { definition } = await getRow(
    db,
    agentVersions,
    { id: call.versionId, organizationId },
    { select: ['definition'] },
  ).catch(rethrow);
  const node = sendableWebhooks(definition).find(({ id }) => id === nodeId);
  return { callUuid: call.uuid, nodeName: node?.name ?? nodeId };
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}

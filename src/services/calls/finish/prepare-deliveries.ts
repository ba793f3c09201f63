import type { EntityManager } from 'typeorm';
import { findRow, findRows, insertRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import { sendableWebhooks } from '../../../domain/graph/model.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from '../turns/deps.ts';
import { payloadOf, payloadVariablesOf } from './webhook-payload.ts';

export interface PreparedDelivery {
  deliveryUuid: string;
  nodeName: string;
}

/**
 * Renders each webhook of an ended call once and stores the bytes, so that every attempt, also a manual
 * resend, sends the same (contract 9.2). There is one delivery per call and node; a repeated call returns the
 * stored ones. The call's row is locked meanwhile. A call whose values were erased has no webhooks.
 */
export async function prepareDeliveries({
  deps,
  input,
}: {
  deps: ConversationDeps;
  input: CallRef;
}): Promise<PreparedDelivery[]> {
  return await inTransaction(deps.db, (tx) => prepareWithin(tx, { deps, input }));
}

/** `prepareDeliveries` inside the caller's transaction. */
export async function prepareWithin(
  db: EntityManager,
  { deps, input }: { deps: ConversationDeps; input: CallRef },
): Promise<PreparedDelivery[]> {
  const { callId, organizationId } = input;
  const call = await findRow(db, calls, { id: callId, organizationId }, { isLocked: true });
  if (call?.startedAt == null) throw new InvariantError('Only a call that was admitted has webhooks');
  if (call.variablesErasedAt !== null) return [];
  const version = await findRow(db, agentVersions, { id: call.versionId, organizationId });
  const agent = await findRow(db, agents, { id: call.agentId, organizationId });
  if (version === null || agent === null) throw new NotFoundError('Agent or version does not exist');

  const present = new Map(
    (await findRows(db, deliveries, { callId, organizationId })).map((row) => [row.nodeId, row.uuid]),
  );
  const nodes = sendableWebhooks(version.definition);
  const variables = payloadVariablesOf({ call, agentName: agent.name, publicUrl: deps.publicUrl });
  // guarantee: webhook-rendered-once
  const missing = nodes
    .filter(({ id }) => !present.has(id))
    .map((node) => ({
      uuid: deps.ids.uuid(),
      organizationId,
      callId,
      agentId: call.agentId,
      nodeId: node.id,
      state: 'pending' as const,
      method: node.method,
      url: node.url,
      headers: node.customHeaders,
      credentialUuid:
        node.credentialUuid !== null && isUuid(node.credentialUuid) ? node.credentialUuid : null,
      body: payloadOf(node, call, variables),
      attemptCount: 0,
      lastStatusCode: null,
      lastError: null,
      nextAttemptAt: null,
      wokenAttempt: null,
      createdAt: deps.clock.now(),
      finishedAt: null,
      erasedAt: null,
    }));
  if (missing.length > 0) await insertRows(db, deliveries, missing);
  for (const { nodeId, uuid } of missing) present.set(nodeId, uuid);
  return nodes.map(({ id, name }) => ({ deliveryUuid: present.get(id) ?? '', nodeName: name }));
}

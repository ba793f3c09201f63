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
import { mirrorOnCall } from '../../webhooks/index.ts';
import { payloadOf, payloadVariablesOf } from './webhook-payload.ts';

/** What rendering webhooks needs. */
export type PrepareDeps = Pick<ConversationDeps, 'clock' | 'ids' | 'publicUrl' | 'traceparent'>;

/**
 * Renders each webhook of an ended call once and stores the bytes, so that every attempt, also a manual
 * resend, sends the same (contract 9.2). From the commit on they are the pump's, which sends them. There is
 * one delivery per call and node; a repeated call adds nothing. Answers how many the call has. The call's row
 * is locked meanwhile. A call whose values were erased has no webhooks.
 */
export async function prepareDeliveries({
  deps,
  input,
}: {
  deps: PrepareDeps & Pick<ConversationDeps, 'db' | 'wakePump'>;
  input: CallRef;
}): Promise<number> {
  const count = await inTransaction(deps.db, (tx) => prepareWithin(tx, { deps, input }));
  if (count > 0) deps.wakePump?.();
  return count;
}

/** `prepareDeliveries` inside the caller's transaction. */
export async function prepareWithin(
  db: EntityManager,
  { deps, input }: { deps: PrepareDeps; input: CallRef },
): Promise<number> {
  const { callId, organizationId } = input;
  const call = await findRow(db, calls, { id: callId, organizationId }, { isLocked: true });
  if (call?.startedAt == null) throw new InvariantError('Only a call that was admitted has webhooks');
  if (call.variablesErasedAt !== null) return 0;
  const version = await findRow(db, agentVersions, { id: call.versionId, organizationId });
  const agent = await findRow(db, agents, { id: call.agentId, organizationId });
  if (version === null || agent === null) throw new NotFoundError('Agent or version does not exist');

  const stored = await findRows(db, deliveries, { callId, organizationId }, { select: ['nodeId'] });
  const present = new Set(stored.map(({ nodeId }) => nodeId));
  const createdAt = deps.clock.now();
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
      pumpAt: createdAt,
      pumpedBy: null,
      traceparent: deps.traceparent?.() ?? null,
      createdAt,
      finishedAt: null,
      erasedAt: null,
    }));
  if (missing.length > 0) {
    await insertRows(db, deliveries, missing);
    await mirrorOnCall(db, { callId, organizationId });
  }
  return nodes.length;
}

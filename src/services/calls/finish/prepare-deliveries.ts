import type { EntityManager } from 'typeorm';
import { findRow, findRows, getRow, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import { sendableWebhooks } from '../../../domain/graph/model.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from '../turns/deps.ts';
import {
  committingDeliveries,
  type Handover,
  insertDelivery,
  mirrorOnCall,
  withDeliveries,
} from '../../webhooks/index.ts';
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
  deps: PrepareDeps & Pick<ConversationDeps, 'db' | 'pump'>;
  input: CallRef;
}): Promise<number> {
  return await committingDeliveries(deps, (tx, handover) => prepareWithin(tx, { deps, input, handover }));
}

/** `prepareDeliveries` inside the caller's transaction. */
export async function prepareWithin(
  db: EntityManager,
  { deps, input, handover }: { deps: PrepareDeps; input: CallRef; handover?: Handover | undefined },
): Promise<number> {
  const { callId, organizationId } = input;
  const call = await findRow(db, calls, { id: callId, organizationId }, { isLocked: true });
  if (call === null) throw new NotFoundError('The call does not exist');
  if (call.variablesErasedAt !== null) return 0;
  const { definition } = await getRow(
    db,
    agentVersions,
    { id: call.versionId, organizationId },
    { select: ['definition'] },
  );
  const stored = await findRows(db, deliveries, { callId, organizationId }, { select: ['nodeId'] });
  const present = new Set(stored.map(({ nodeId }) => nodeId));
  await renderWithin(db, { deps, call, definition, present, handover });
  return sendableWebhooks(definition).length;
}

/**
 * Renders and stores the webhooks of a call whose row is locked, except those of the nodes `present`, and shows
 * them in its log. Does nothing for a call whose values were erased.
 */
export async function renderWithin(
  db: EntityManager,
  {
    deps,
    call,
    definition,
    present = new Set(),
    handover,
  }: {
    deps: PrepareDeps;
    /** As its record is now. */
    call: CallRow;
    definition: AgentVersionRow['definition'];
    present?: ReadonlySet<string>;
    handover: Handover | undefined;
  },
): Promise<void> {
  const { id: callId, organizationId, agentId } = call;
  if (call.startedAt === null) throw new InvariantError('Only a call that was admitted has webhooks');
  if (call.variablesErasedAt !== null) return;
  // guarantee: webhook-rendered-once
  const missing = sendableWebhooks(definition).filter(({ id }) => !present.has(id));
  if (missing.length === 0) return;
  const agent = await getRow(db, agents, { id: agentId, organizationId }, { select: ['name'] });
  const variables = payloadVariablesOf({ call, agentName: agent.name, publicUrl: deps.publicUrl });
  const createdAt = deps.clock.now();
  const rows: DeliveryRow[] = [];
  for (const node of missing)
    rows.push(
      await insertDelivery(
        db,
        {
          uuid: deps.ids.uuid(),
          organizationId,
          callId,
          agentId,
          nodeId: node.id,
          state: 'pending',
          method: node.method,
          url: node.url,
          headers: node.customHeaders,
          credentialUuid:
            node.credentialUuid !== null && isUuid(node.credentialUuid) ? node.credentialUuid : null,
          body: payloadOf(node, call, variables),
          lastStatusCode: null,
          lastError: null,
          nextAttemptAt: null,
          wokenAttempt: null,
          traceparent: deps.traceparent?.() ?? null,
          createdAt,
          finishedAt: null,
          erasedAt: null,
        },
        handover,
      ),
    );
  if (present.size > 0) return await mirrorOnCall(db, { callId, organizationId });
  await updateRows(db, calls, {
    where: { id: callId, organizationId },
    change: { logs: withDeliveries(call.logs, rows) },
  });
}

import type { EntityManager } from 'typeorm';
import { findRow, findRows, insertRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { takesBody } from '../../../domain/delivery/method.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import { sendableWebhooks, type SendableWebhook } from '../../../domain/graph/model.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { payloadVariables, renderPayload } from '../../../domain/rendering/render.ts';
import { publicLink, type PublicArtifact } from '../records/public-link.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from '../turns/deps.ts';

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
  const variables = variablesOf({ call, agentName: agent.name, publicUrl: deps.publicUrl });
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
      body: takesBody(node.method) ? bodyOf(node, call, variables) : null,
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

type Variables = ReturnType<typeof payloadVariables>;

/** The payload's JSON; `call_disposition` is added where the template does not set it (contract 9.2). */
function bodyOf({ payloadTemplate }: SendableWebhook, call: CallRow, variables: Variables): string {
  const rendered = renderPayload(payloadTemplate ?? {}, { variables, now: call.startedAt ?? call.createdAt });
  const payload = new Map(Object.entries(Object(rendered)));
  if (!payload.has('call_disposition')) payload.set('call_disposition', call.disposition ?? '');
  return JSON.stringify(Object.fromEntries(payload));
}

function variablesOf({
  call,
  agentName,
  publicUrl,
}: {
  call: CallRow;
  agentName: string;
  publicUrl: string;
}): Variables {
  const { publicToken: token } = call;
  const link = (artifact: PublicArtifact, isThere: boolean) =>
    isThere && token !== null ? publicLink({ publicUrl, token, artifact }) : null;
  const isRecorded = call.recordedAt !== null;
  return payloadVariables({
    callId: call.id,
    callName: call.name,
    agentId: call.agentId,
    agentName,
    campaignId: call.campaignId,
    callTime: call.createdAt.toISOString(),
    initialContext: call.initialContext,
    gatheredContext: call.gatheredContext,
    usage: call.usage,
    annotations: call.annotations,
    extra: {},
    recordingUrl: link('recording', isRecorded),
    transcriptUrl: link('transcript', call.transcriptAvailable),
    userRecordingUrl: link('user_recording', isRecorded),
    botRecordingUrl: link('bot_recording', isRecorded),
  });
}

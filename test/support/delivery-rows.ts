import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/db/rows.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../src/db/tables/deliveries.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { insertedId } from './inserted-id.ts';

/** An ended call of a fresh agent; answers the ids of the call and its agent. */
export async function insertEndedCall(
  { db, organizationId }: ServiceContext,
  definition: Record<string, object> = {},
): Promise<{ callId: number; agentId: number }> {
  const createdAt = new Date('2026-11-21T10:00:00.000Z');
  const agentId = await insertedId(
    db.getRepository(agents).insert({
      uuid: randomUUID(),
      organizationId,
      name: 'Agent',
      state: 'active',
      dispositionCodes: [],
      publishedVersionId: null,
      draftVersionId: null,
      lastVersionNumber: 1,
      createdAt,
      updatedAt: createdAt,
    }),
  );
  const versionId = await insertedId(
    db.getRepository(agentVersions).insert({
      organizationId,
      agentId,
      number: 1,
      state: 'published',
      definition,
      settings: {},
      testValues: {},
      definitionSha256: '0'.repeat(64),
      note: null,
      createdAt,
      publishedAt: createdAt,
    }),
  );
  const callId = await insertedId(
    db.getRepository(calls).insert({
      uuid: randomUUID(),
      organizationId,
      agentId,
      versionId,
      name: 'WR-TEST',
      mode: 'textchat',
      channel: 'text',
      direction: 'inbound',
      source: 'editor',
      state: 'ended',
      isTest: true,
      initialContext: {},
      gatheredContext: {},
      usage: {},
      logs: { kept: true },
      annotations: {},
      judging: null,
      disposition: 'user_qualified',
      tags: [],
      publicToken: null,
      transcriptAvailable: true,
      createdAt,
      startedAt: createdAt,
      endedAt: createdAt,
      costUsd: null,
      campaignId: null,
      transcriptErasedAt: null,
      variablesErasedAt: null,
    }),
  );
  return { callId, agentId };
}

/** A delivery of that call that waits for its first attempt. */
export async function insertDelivery(
  ctx: Pick<ServiceContext, 'organizationId'> & { db: Db },
  call: { callId: number; agentId: number },
  changes: Partial<DeliveryRow> = {},
): Promise<DeliveryRow> {
  const row = newDelivery(ctx, call, changes);
  const id = await insertedId(ctx.db.getRepository(deliveries).insert(row));
  return { ...row, id };
}

/** The columns of such a delivery. */
export function newDelivery(
  ctx: Pick<ServiceContext, 'organizationId'>,
  call: { callId: number; agentId: number },
  changes: Partial<DeliveryRow> = {},
): Omit<DeliveryRow, 'id'> {
  return {
    uuid: randomUUID(),
    organizationId: ctx.organizationId,
    ...call,
    nodeId: `webhook-${randomUUID()}`,
    state: 'pending',
    method: 'POST',
    url: 'https://hooks.example.com/in',
    headers: [],
    credentialUuid: null,
    body: '{"call_disposition":"user_qualified","name":"Zoë 🙂","lone":"\\ud800"}',
    attemptCount: 0,
    lastStatusCode: null,
    lastError: null,
    nextAttemptAt: null,
    wokenAttempt: null,
    pumpAt: null,
    pumpedBy: null,
    traceparent: null,
    createdAt: new Date('2026-11-21T10:00:00.000Z'),
    finishedAt: null,
    erasedAt: null,
    ...changes,
  };
}

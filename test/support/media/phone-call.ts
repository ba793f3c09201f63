import { randomUUID } from 'node:crypto';
import { calls, type CallRow } from '../../../src/db/tables/calls.ts';
import { createAgent } from '../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { insertCalls } from '../call-rows.ts';
import { threeStepDefinition } from '../definitions.ts';

export interface PhoneCall {
  callId: number;
  callUuid: string;
  organizationId: number;
  agentId: number;
}

/** An admitted phone call of a new agent, without a Workflow. */
export async function insertPhoneCall(
  ctx: ServiceContext,
  changes: Partial<CallRow> = {},
): Promise<PhoneCall> {
  const { id: agentId } = await createAgent({
    ctx,
    input: { name: `Agent ${randomUUID()}`, definition: threeStepDefinition() },
  });
  const { organizationId } = ctx;
  const [version] = await ctx.db.query<{ id: string }[]>('SELECT id FROM agent_versions WHERE agent_id = ?', [
    agentId,
  ]);
  const uuid = randomUUID();
  const [callId = 0] = await insertCalls(
    ctx.db,
    { organizationId, agentId, versionId: Number(version?.id) },
    {
      uuid,
      mode: 'telnyx',
      channel: 'phone',
      direction: 'outbound',
      source: 'api_prod',
      state: 'admitted',
      startedAt: new Date(),
      ...changes,
    },
  );
  return { callId, callUuid: uuid, organizationId, agentId };
}

export async function endCall(
  ctx: ServiceContext,
  { callId, organizationId }: Pick<PhoneCall, 'callId' | 'organizationId'>,
): Promise<void> {
  await ctx.db
    .getRepository(calls)
    .update({ id: callId, organizationId }, { state: 'ended', endedAt: new Date() });
}

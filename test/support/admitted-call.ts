import { reportCallEnd } from '../../src/services/campaigns/index.ts';
import type { Definition } from '../../src/domain/graph/definition.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { createAgent } from '../../src/services/agents/index.ts';
import {
  admitCall,
  type ConversationDeps,
  type FinalizeDeps,
  createTextSession,
} from '../../src/services/calls/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { answeringCalls } from './api-on-services.ts';
import { testSecrets } from './database.ts';
import { FakeLlm } from './fake-llm.ts';

export interface AdmittedCall {
  callId: number;
  organizationId: number;
  versionId: number;
}

/** Customers' models, for tests without one. */
export const neverChosen = (): never => {
  throw new Error('no model was chosen');
};

/**
 * Dependencies of a call's activities, with a language model that is never asked unless a test provides one.
 */
export function conversationDeps(
  ctx: ServiceContext,
  changes: Partial<ConversationDeps> = {},
): ConversationDeps & FinalizeDeps {
  return {
    db: ctx.db,
    clock: ctx.clock,
    ids: ctx.ids,
    log: ctx.log,
    llm: new FakeLlm(),
    model: 'test-model',
    secrets: testSecrets,
    customerLlms: neverChosen,
    publicUrl: 'http://parlance.test',
    reportCallEnd,
    ...changes,
  };
}

/** A started text call of a new agent, without a Workflow, for tests of activities. */
export async function admitTextCall({
  ctx,
  definition,
  initialContext = {},
}: {
  ctx: ServiceContext;
  definition: Definition;
  initialContext?: Record<string, unknown>;
}): Promise<AdmittedCall> {
  const { id: agentId } = await createAgent({ ctx, input: { name: 'Test agent', definition } });
  const { workflow_run_id: callId } = await createTextSession({
    ctx,
    deps: { calls: answeringCalls },
    input: { agentId, initialContext, annotations: {} },
  });
  const { organizationId } = ctx;
  await admitCall({ deps: conversationDeps(ctx), input: { callId, organizationId } });
  const { versionId } = await ctx.db.getRepository(calls).findOneByOrFail({ id: callId, organizationId });
  return { callId, organizationId, versionId };
}

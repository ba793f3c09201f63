import { randomUUID } from 'node:crypto';
import { calls } from '../../src/db/tables/calls.ts';
import { retentionPolicies } from '../../src/db/tables/retention-policies.ts';
import { createCallWorld, type CallWorld } from '../../test/support/call-world.ts';
import { createTestContext } from '../../test/support/database.ts';
import { insertEndedCall } from '../../test/support/delivery-rows.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import type { Recording } from './recording.ts';

/** Each prepares expired data; then one pass runs. */
const scenarios: Record<string, (world: CallWorld) => Promise<void>> = {
  'nobody-has-a-policy': async () => {},
  async 'two-organizations-in-pages'(world) {
    for (const count of [1, 51]) {
      const ctx = await createTestContext(world.ctx.db);
      for (let index = 0; index < count; index += 1) await insertEndedCall(ctx);
      await ctx.db
        .getRepository(calls)
        .update({ organizationId: ctx.organizationId }, { endedAt: new Date(0) });
      await ctx.db.getRepository(retentionPolicies).insert({
        organizationId: ctx.organizationId,
        transcriptDays: 1,
        recordingDays: null,
        variableDays: null,
        updatedAt: new Date(),
        appliedAt: null,
      });
    }
  },
};

/** Passes of retention over calls that ended long ago. */
export async function openRetentions(): Promise<Recording> {
  const world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker();
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      await scenarios[name]?.(world);
      const workflowId = `retention-${randomUUID()}`;
      await world.temporal.client.workflow.start('retentionWorkflow', {
        workflowId,
        taskQueue: world.queues.delivery,
      });
      return workflowId;
    },
    close: () => world.close(),
  };
}

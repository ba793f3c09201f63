import { randomUUID } from 'node:crypto';
import { callRecordings } from '../../src/db/tables/call-recordings.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../src/db/tables/delivery-attempts.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createCallWorld, type CallWorld } from '../../test/support/call-world.ts';
import { insertCampaign } from '../../test/support/campaign-world.ts';
import { insertDelivery, insertEndedCall } from '../../test/support/delivery-rows.ts';
import { insertDirectoryRow } from '../../test/support/directories.ts';
import { threeStepDefinition } from '../../test/support/definitions.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import { until } from '../../test/support/until.ts';
import type { Recording } from './recording.ts';

/** Each prepares what a pass finds; then one pass runs. */
const scenarios: Record<string, (world: CallWorld) => Promise<void>> = {
  'nothing-found': async () => {},
  async 'calls-closed'(world) {
    for (const webhook of [true, false]) {
      const { callUuid } = await world.open(threeStepDefinition({ webhook }));
      await world.temporal.client.workflow.getHandle(callWorkflowId(callUuid)).terminate();
    }
  },
  async 'webhooks-repaired'(world) {
    const session = await world.open(threeStepDefinition());
    await session.end(1);
    await world.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).result();
    const { callId } = session;
    const rows = world.ctx.db.getRepository(deliveries);
    await until('the webhook', async () => await rows.existsBy({ callId, state: 'succeeded' }));
    const { id: deliveryId } = await rows.findOneByOrFail({ callId });
    await world.ctx.db.getRepository(deliveryAttempts).delete({ deliveryId });
    await rows.delete({ callId });
    await insertDelivery(world.ctx, await insertEndedCall(world.ctx), {
      attemptCount: 1,
      nextAttemptAt: new Date(0),
    });
  },
  async 'recording-joined'(world) {
    const { callId } = await insertEndedCall(world.ctx);
    await world.ctx.db.getRepository(callRecordings).insert({
      callId,
      organizationId: world.ctx.organizationId,
      generation: 1,
      storageKey: `${callId}`,
      sampleRate: 8000,
      beganAt: new Date(0),
      endedAt: new Date(0),
    });
  },
  async 'campaign-and-import-made-again'(world) {
    await insertCampaign(world.ctx, { contacts: 1 });
    await insertDirectoryRow(world.ctx.db, world.ctx.organizationId, { state: 'importing', importNumber: 1 });
  },
};

/** Reconciliations of calls with a scripted model, and of campaigns and imports that nothing else runs. */
export async function openReconciliations(): Promise<Recording> {
  const world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker();
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      await scenarios[name]?.(world);
      const workflowId = `reconcile-${randomUUID()}`;
      await world.temporal.client.workflow.start('reconcileWorkflow', {
        workflowId,
        taskQueue: world.queues.delivery,
        args: [{ graceMs: 0 }],
      });
      return workflowId;
    },
    close: () => world.close(),
  };
}

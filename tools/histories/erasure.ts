import { calls } from '../../src/db/tables/calls.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { eraseCallWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createErasureStarter } from '../../src/temporal/erasure-starter.ts';
import { createCallWorld } from '../../test/support/call-world.ts';
import { insertEndedCall } from '../../test/support/delivery-rows.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import type { Recording } from './recording.ts';

/** The erasure of a call. */
export async function openErasures(): Promise<Recording> {
  const world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker();
  const { db, organizationId } = world.ctx;
  const starter = createErasureStarter({ temporal: world.temporal, taskQueue: world.queues.delivery });
  return {
    temporal: world.temporal,
    names: ['of-an-ended-call'],
    async play() {
      const { callId } = await insertEndedCall(world.ctx);
      const { uuid: callUuid } = await db.getRepository(calls).findOneByOrFail({ id: callId });
      const { uuid: organizationUuid } = await db
        .getRepository(organizations)
        .findOneByOrFail({ id: organizationId });
      await starter.start({ callId, callUuid, organizationId, organizationUuid });
      return eraseCallWorkflowId(callUuid);
    },
    close: () => world.close(),
  };
}

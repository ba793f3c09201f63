import { updateRows } from '../../src/db/rows.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { nextJudging } from '../../src/domain/qa/judging.ts';
import { judgeAgainWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createJudgingStarter } from '../../src/temporal/judging-starter.ts';
import { createCallWorld } from '../../test/support/call-world.ts';
import { node, threeStepDefinition } from '../../test/support/definitions.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import type { Recording } from './recording.ts';

/** Judgments of an ended call after its own. */
export async function openJudgings(): Promise<Recording> {
  let isAway = false;
  const llm = createScriptedLlm({
    before: (_, said) => {
      if (!said.startsWith('Step: ')) return undefined;
      return isAway
        ? { fail: true }
        : {
            text: JSON.stringify({
              call_quality_score: 8,
              overall_sentiment: 'positive',
              summary: 'Went well.',
              tags: [],
            }),
          };
    },
  });
  const world = await createCallWorld({ llm });
  await world.startWorker();
  const { db, organizationId } = world.ctx;
  const starter = createJudgingStarter({ temporal: world.temporal, taskQueue: world.queues.call });
  return {
    temporal: world.temporal,
    names: ['replaced', 'model-fails'],
    async play(name) {
      isAway = false;
      const base = threeStepDefinition({ webhook: false, extraction: false });
      const quality = { name: 'Quality', qa_min_call_duration: 0 };
      const session = await world.open({
        ...base,
        nodes: [...(Array.isArray(base['nodes']) ? base['nodes'] : []), node('quality', 'qa', quality)],
      });
      await session.say('Monday would be fine', 1);
      await session.end(2);
      await session.completed();
      isAway = name === 'model-fails';
      const { callId, callUuid } = session;
      const { versionId } = await session.row();
      const by = { actorKind: 'system', actorId: null, actorName: 'histories' };
      await updateRows(db.manager, calls, {
        where: { id: callId, organizationId },
        change: { judging: nextJudging(null, { versionId, at: new Date(), by }) },
      });
      const { uuid: organizationUuid } = await db
        .getRepository(organizations)
        .findOneByOrFail({ id: organizationId });
      await starter.start({
        callId,
        callUuid,
        organizationId,
        organizationUuid,
        again: { number: 1, versionId },
        qaNodes: [{ nodeId: 'quality', name: 'Quality' }],
      });
      return judgeAgainWorkflowId(callUuid, 1);
    },
    close: () => world.close(),
  };
}

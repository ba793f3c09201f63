import type { EntityManager } from 'typeorm';
import { getRow } from '../../../../db/rows.ts';
import { agentVersions } from '../../../../db/tables/agent-versions.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { judgmentIn, withError } from '../../../../domain/qa/annotation.ts';
import { judgingNodes } from '../../../../domain/qa/node.ts';
import type { CallRef } from '../../../kernel/index.ts';
import { changeWithin } from './change-judgment.ts';

const reason = 'The Workflow of the call was ended before the call could be judged';

/**
 * Closes every QA node without a result with an error, because no Workflow runs the call. Runs inside the
 * caller's transaction.
 */
export async function leaveUnjudged(tx: EntityManager, { callId, organizationId }: CallRef): Promise<void> {
  const call = await getRow(tx, calls, { id: callId, organizationId });
  const version = await getRow(tx, agentVersions, { id: call.versionId, organizationId });
  const unjudged = judgingNodes(version.definition).filter(
    ({ id }) => judgmentIn(call.annotations, id) === undefined,
  );
  if (unjudged.length === 0) return;
  await changeWithin(tx, {
    ref: { callId, organizationId },
    change: {
      annotations: (before) =>
        unjudged.reduce((annotations, { id }) => withError(annotations, id, reason), before),
    },
  });
}

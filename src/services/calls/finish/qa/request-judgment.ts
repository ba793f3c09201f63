import type { EntityManager } from 'typeorm';
import type { JudgeRunRequest, RequestedJudgment } from '../../../../contract/calls.ts';
import { findRow, getRow, updateRows } from '../../../../db/rows.ts';
import { agentVersions, type AgentVersionRow } from '../../../../db/tables/agent-versions.ts';
import { agents } from '../../../../db/tables/agents.ts';
import { calls, type CallRow } from '../../../../db/tables/calls.ts';
import { organizations } from '../../../../db/tables/organizations.ts';
import { NotFoundError, PreconditionError } from '../../../../domain/errors.ts';
import { type Judging, nextJudging } from '../../../../domain/qa/judging.ts';
import { judgingNodes } from '../../../../domain/qa/node.ts';
import { type ModelQuotas, requireQuota } from '../../../models/index.ts';
import type { JudgingStarter } from '../../../../temporal/judging-port.ts';
import {
  actorColumns,
  appendAudit,
  type ServiceContext,
  wireTimestamp,
  write,
} from '../../../kernel/index.ts';

/**
 * Begins to judge one ended call of that agent again, by the QA nodes of its own version or of the published
 * one. A judgment that is under way goes on and is answered. Throws NotFoundError, PreconditionError for a
 * call that cannot be judged, LimitError (429) when the quota of the installation's model is used up,
 * UnavailableError.
 */
export async function requestJudgment({
  ctx,
  starter,
  quotas,
  input: { agentId, callId, by },
}: {
  ctx: ServiceContext;
  starter: JudgingStarter;
  /** Replaces the usual quotas. */
  quotas?: ModelQuotas | undefined;
  input: { agentId: number; callId: number; by: NonNullable<JudgeRunRequest['version']> };
}): Promise<RequestedJudgment> {
  const { organizationId } = ctx;
  const { call, judging, version } = await write(ctx, async (tx) => {
    const found = await findRow(tx, calls, { id: callId, agentId, organizationId }, { isLocked: true });
    if (found === null) throw new NotFoundError('Workflow run not found');
    requireJudgeable(found);
    if (found.judging?.state === 'judging')
      return {
        call: found,
        judging: found.judging,
        version: await getRow(tx, agentVersions, { id: found.judging.versionId, organizationId }),
      };
    const judge = await judgeOf(tx, found, by);
    // guarantee: used-up-quota-refuses-judgments
    if (judgingNodes(judge.definition).some(({ ownModel }) => ownModel === null))
      await requireQuota(tx, ctx, { quotas, versionId: judge.id, isSpoken: false });
    const next = nextJudging(found.judging, {
      versionId: judge.id,
      at: ctx.clock.now(),
      by: actorColumns(ctx.actor),
    });
    await updateRows(tx, calls, { where: { id: callId, organizationId }, change: { judging: next } });
    await appendAudit(tx, {
      action: 'call.judgment_requested',
      subjectKind: 'call',
      subjectId: callId,
      changes: { number: next.number, version: judge.number },
    });
    return { call: found, judging: next, version: judge };
  });
  const { uuid: organizationUuid } = await getRow(ctx.db, organizations, { id: organizationId });
  await starter.start({
    callId,
    callUuid: call.uuid,
    organizationId,
    organizationUuid,
    again: { number: judging.number, versionId: judging.versionId },
    qaNodes: judgingNodes(version.definition).map(({ id: nodeId, name }) => ({ nodeId, name })),
  });
  return toRequested(judging);
}

/** Throws PreconditionError, with what to do, for a call that cannot be judged. */
function requireJudgeable(call: CallRow): void {
  if (call.transcriptErasedAt !== null || call.variablesErasedAt !== null)
    throw new PreconditionError('The call was erased, so it cannot be judged.');
  if (call.state !== 'ended' && call.state !== 'refused')
    throw new PreconditionError('The call is still live. It can be judged again after its end.');
  if (call.state === 'refused' || call.startedAt === null || !call.transcriptAvailable)
    throw new PreconditionError('Nothing was said in the call, so it cannot be judged.');
}

/** The version that judges. Throws PreconditionError if it has no QA node that is switched on. */
async function judgeOf(
  tx: EntityManager,
  { agentId, versionId, organizationId }: CallRow,
  by: 'pinned' | 'published',
): Promise<AgentVersionRow> {
  const { publishedVersionId } = await getRow(tx, agents, { id: agentId, organizationId });
  const id = by === 'pinned' ? versionId : publishedVersionId;
  if (id === null) throw new PreconditionError('The agent has no published version. Publish it first.');
  const version = await getRow(tx, agentVersions, { id, organizationId });
  if (judgingNodes(version.definition).length === 0)
    throw new PreconditionError(
      by === 'pinned'
        ? `Version ${version.number}, which the call is pinned to, has no QA node that is switched on. Ask for the published version.`
        : `Version ${version.number}, which is published, has no QA node that is switched on. Publish one with a QA node.`,
    );
  return version;
}

function toRequested({ state, versionId, requestedAt }: Judging): RequestedJudgment {
  return { state, definition_id: versionId, requested_at: wireTimestamp(new Date(requestedAt)) };
}

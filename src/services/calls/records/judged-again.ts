import type { WorkflowRun } from '../../../contract/calls.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { JudgingActor } from '../../../domain/qa/judging.ts';
import { findActors, type ServiceContext, wireTimestamp } from '../../kernel/index.ts';

/** What a call's record says of the judgments that were asked for, with the present names of who asked. */
export async function judgedAgain(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  { judging }: Pick<CallRow, 'judging'>,
): Promise<WorkflowRun['judged_again']> {
  if (judging === null) return null;
  const { state, versionId, requestedAt, requestedBy, reason, last, count } = judging;
  const named = (actor: JudgingActor) => ({ ...actor, organizationId });
  const actorOf = await findActors(db.manager, organizationId, [
    named(requestedBy),
    ...(last === null ? [] : [named(last.by)]),
  ]);
  const author = (actor: JudgingActor) => {
    const { type, id, name } = actorOf(named(actor));
    return { type, id, name };
  };
  return {
    state,
    definition_id: versionId,
    requested_at: wireTimestamp(new Date(requestedAt)),
    requested_by: author(requestedBy),
    reason,
    judged_at: last === null ? null : wireTimestamp(new Date(last.at)),
    judged_by: last === null ? null : author(last.by),
    count,
  };
}

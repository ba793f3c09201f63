import { acrossOrganizations, selectFrom } from '../../../db/rows.ts';
import { callRecordings } from '../../../db/tables/call-recordings.ts';
import { calls } from '../../../db/tables/calls.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ReconcileDeps } from './deps.ts';
import type { FindUnsentCallsInput } from './find-unsent-calls.ts';
import { nextAfterId, pageSize, rethrow, withoutWorkflow, type Page } from './internal.ts';

/**
 * Reads one page of the ended calls of all organizations whose recording is still in pieces, and asks
 * Temporal about each: a running Workflow joins the pieces itself. Changes nothing.
 */
export async function findUnjoinedRecordings({
  deps: { db, clock, executions },
  input: { afterId, graceMs, windowMs },
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindUnsentCallsInput;
  signal: AbortSignal;
}): Promise<Page<CallRef>> {
  const now = clock.now().getTime();
  const query = selectFrom(
    acrossOrganizations(db, 'calls of every organization are compared with Temporal'),
    calls,
    { as: 'call' },
  )
    .useIndex('ix_calls_ended')
    .select(['call.id', 'call.uuid', 'call.organizationId'])
    .where('call.state = :state AND call.endedAt > :from AND call.endedAt < :before AND call.id > :afterId', {
      state: 'ended',
      from: new Date(now - windowMs),
      before: new Date(now - graceMs),
      afterId,
    });
  const pieces = query
    .subQuery()
    .select('1')
    .from(callRecordings, 'piece')
    .where('piece.callId = call.id')
    .getQuery();
  const page = await query
    .andWhere(`EXISTS ${pieces}`)
    .orderBy('call.id', 'ASC')
    .limit(pageSize)
    .getMany()
    .catch(rethrow);
  const found = await withoutWorkflow(page, { signal, stateOf: ({ uuid }) => executions.callState(uuid) });
  return {
    items: found.map(({ row: { id: callId, organizationId } }) => ({ callId, organizationId })),
    nextAfterId: nextAfterId(page),
  };
}

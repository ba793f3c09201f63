import { In, LessThan, MoreThan } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { calls, type CallState } from '../../../db/tables/calls.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { nextAfterId, ownersOf, pageSize, rethrow, withoutWorkflow, type Page } from './internal.ts';

/**
 * A call whose row is live while no Workflow runs it, or one that was created in advance and never begun.
 */
export interface OrphanedCall extends CallRef {
  callUuid: string;
  organizationUuid: string;
  /** True if an operator ended the Workflow; false if it failed or Temporal does not know it. */
  wasStopped: boolean;
}

export interface FindOrphanedCallsInput {
  /** Only rows after this row id are read. */
  afterId: number;
  /** Skips younger calls, because their Workflow may be about to start. */
  graceMs: number;
}

const open: CallState[] = ['pending', 'admitted', 'talking', 'ending'];

/** How long a call that was created in advance (contract 6.2) may wait to be begun. */
const createdMaxMs = 24 * 3_600_000;

/**
 * Reads one page of the live calls of all organizations, and asks Temporal about each. Changes nothing.
 */
export async function findOrphanedCalls({
  deps: { db, clock, executions },
  input: { afterId, graceMs },
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindOrphanedCallsInput;
  signal: AbortSignal;
}): Promise<Page<OrphanedCall>> {
  const olderThan = (ms: number) => LessThan(new Date(clock.now().getTime() - ms));
  const where = [
    { state: In(open), createdAt: olderThan(graceMs) },
    { state: 'created' as const, createdAt: olderThan(createdMaxMs) },
  ].map((each) => ({ id: MoreThan(afterId), ...each }));
  const page = await findRows(
    acrossOrganizations(db, 'calls of every organization are compared with Temporal'),
    calls,
    where,
    {
      select: ['id', 'uuid', 'organizationId'],
      order: { id: 'ASC' },
      take: pageSize,
    },
  ).catch(rethrow);
  const found = await withoutWorkflow(page, { signal, stateOf: ({ uuid }) => executions.callState(uuid) });
  const ownerOf = await ownersOf(
    db,
    found.map(({ row }) => row),
  );
  return {
    items: found.map(({ row: call, state }) => ({
      callId: call.id,
      callUuid: call.uuid,
      organizationId: call.organizationId,
      organizationUuid: ownerOf(call.organizationId),
      wasStopped: state === 'stopped',
    })),
    nextAfterId: nextAfterId(page),
  };
}

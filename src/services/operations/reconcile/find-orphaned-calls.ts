import { In, LessThan, MoreThan } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { calls, type CallState } from '../../../db/tables/calls.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { nextAfterId, ownersOf, pageSize, rethrow, withoutWorkflow } from './internal.ts';

/**
 * A call whose row says that it goes on, and whose Workflow does not; or one that was made ahead and that
 * nobody has begun.
 */
export interface OrphanedCall extends CallRef {
  callUuid: string;
  organizationUuid: string;
  /** An operator ended the Workflow; otherwise it broke, or Temporal does not know it. */
  wasStopped: boolean;
}

export interface OrphanedCallPage {
  orphanedCalls: OrphanedCall[];
  /** Row id to go on after; null when this was the last page. */
  nextAfterId: number | null;
}

export interface FindOrphanedCallsInput {
  /** Row id; what is looked at comes after it. */
  afterId: number;
  /** Calls that are younger are left alone: their Workflow may be about to start. */
  graceMs: number;
}

const open: CallState[] = ['pending', 'admitted', 'talking', 'ending'];

/** How long a call that was made ahead (contract 6.2) may wait for somebody to begin it. */
const madeAheadMs = 24 * 3_600_000;

/**
 * Looks at one page of the calls of all organizations that are not over, and asks Temporal about each.
 * Changes nothing.
 */
export async function findOrphanedCalls({
  deps: { db, clock, executions },
  input: { afterId, graceMs },
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindOrphanedCallsInput;
  signal: AbortSignal;
}): Promise<OrphanedCallPage> {
  const olderThan = (ms: number) => LessThan(new Date(clock.now().getTime() - ms));
  const where = [
    { state: In(open), createdAt: olderThan(graceMs) },
    { state: 'created' as const, createdAt: olderThan(madeAheadMs) },
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
    orphanedCalls: found.map(({ row: call, state }) => ({
      callId: call.id,
      callUuid: call.uuid,
      organizationId: call.organizationId,
      organizationUuid: ownerOf(call.organizationId),
      wasStopped: state === 'stopped',
    })),
    nextAfterId: nextAfterId(page),
  };
}
